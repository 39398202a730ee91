/** Signs a person out everywhere after saying what follows. */
import type { UserRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';

export interface EndSessionsProps {
  readonly user: UserRow;
  /** `undefined`: as an operator, whatever accounts they belong to. */
  readonly accountId: string | undefined;
  onClose(): void;
}

export function EndSessions({ user, accountId, onClose }: EndSessionsProps) {
  const path = accountId === undefined ? `/operator/people/${user.id}/sessions` : '/operator/sessions';
  const end = useSend<unknown, { user_id: string; account_id: string } | undefined>('DELETE', path);
  const body = accountId === undefined ? undefined : { user_id: user.id, account_id: accountId };
  const { send, close } = useSending(end, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Sign ${user.email} out?`}
      verb="End sessions"
      danger
      busy={end.isPending}
      error={end.error}
      onConfirm={() => send(body, onClose)}
      onClose={close}
    >
      <p>
        {user.name || user.email} is signed out everywhere, at their next click. Their password and 2FA stay,
        so they can sign in again.
      </p>
    </ConfirmDialog>
  );
}
