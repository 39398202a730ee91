/** Asks before a key, a hook or a token is revoked: what stops working, when it was last used, and what stays. */
import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { RelativeTime } from './relative-time.tsx';
import { type Sender, useSending } from './use-sending.ts';

export interface RevokeDialogProps {
  /** Sends it. */
  readonly revoke: Sender<void> & { readonly isPending: boolean; readonly error: Error | null };
  /** What is revoked: `key`. */
  readonly noun: string;
  readonly name: string;
  readonly lastUsedAt: string | null;
  /** The consequences. */
  readonly children: ReactNode;
  /** A sentence. */
  readonly stays: string;
  onClose(): void;
}

export function RevokeDialog(props: RevokeDialogProps) {
  const { revoke, noun, name, lastUsedAt, children, stays, onClose } = props;
  const { send, close } = useSending(revoke, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Revoke “${name}”?`}
      verb={`Revoke ${noun}`}
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      {children}
      <p>
        Last used: <RelativeTime at={lastUsedAt} />. {stays}
      </p>
    </ConfirmDialog>
  );
}
