/** Keeps a dialog open from the moment it sends until what it sent is done or has failed: nobody would see what comes of it. */
import type { UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

export interface Sending<Body> {
  /** Once: a second click while it is on its way sends nothing. Without `onDone` the dialog stays for what comes back. */
  send(body: Body, onDone?: () => void): void;
  /** For Escape, × and Cancel. */
  close(): void;
}

export function useSending<Answer, Failure, Body>(
  { mutate }: Pick<UseMutationResult<Answer, Failure, Body>, 'mutate'>,
  onClose: () => void,
): Sending<Body> {
  /** At once: Escape may come before the page has drawn that something is on its way. */
  const isSent = useRef(false);
  return {
    send(body, onDone) {
      if (isSent.current) return;
      isSent.current = true;
      mutate(body, {
        onSuccess: () => {
          if (onDone === undefined) return;
          isSent.current = false;
          onDone();
        },
        onError: () => {
          isSent.current = false;
        },
      });
    },
    close() {
      if (!isSent.current) onClose();
    },
  };
}
