/** Keeps a dialog open from the moment it sends until the request has succeeded or failed: otherwise nobody would see the result. */
import { useRef } from 'react';

export interface Submission<Body> {
  /** Sends once: a second click while it is on its way sends nothing. Without `onDone` the dialog stays for what comes back. */
  send(body: Body, onDone?: () => void): void;
  /** Handler of Escape, × and Cancel. */
  close(): void;
}

/** Mutation that sends. */
export interface Change<Body> {
  mutate(body: Body, callbacks: { onSuccess(): void; onError(): void }): void;
  readonly isPending: boolean;
  /** `param`: which field of the body the refusal is about. */
  readonly error: (Error & { readonly param?: string | undefined }) | null;
}

export function useSending<Body>({ mutate }: Change<Body>, onClose: () => void): Submission<Body> {
  /** Whether it was sent, known at once: Escape may come before the page has drawn that something is on its way. */
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
