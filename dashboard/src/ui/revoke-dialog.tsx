/** Asks before a key, a hook or a token is revoked: what stops working, when it was last used, and what stays. */
import type { ReactNode } from 'react';
import { ChangeDialog } from './change-dialog.tsx';
import { RelativeTime } from './relative-time.tsx';
import type { Change } from './use-sending.ts';

export interface RevokeDialogProps {
  /** Sends it. */
  readonly revoke: Change<void>;
  /** Noun for what is revoked: `key`. */
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
  return (
    <ChangeDialog
      change={revoke}
      body={undefined}
      title={`Revoke “${name}”?`}
      verb={`Revoke ${noun}`}
      danger
      onClose={onClose}
    >
      {children}
      <p>
        Last used: <RelativeTime at={lastUsedAt} />. {stays}
      </p>
    </ChangeDialog>
  );
}
