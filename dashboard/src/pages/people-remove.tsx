/** Ends a membership after saying what follows. */
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';
import type { Seat } from './people-columns.tsx';

export function RemovePerson({ seat, onClose }: { seat: Seat; onClose: () => void }) {
  const { user, account_id, account_name } = seat;
  const remove = useSend<unknown, { user_id: string; account_id: string }>(
    'DELETE',
    '/operator/memberships',
    {
      refreshes: ['/operator/people', `/accounts/${account_id}/audit`],
    },
  );
  const { send, close } = useSending(remove, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Remove ${user.email}?`}
      verb="Remove person"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => send({ user_id: user.id, account_id }, onClose)}
      onClose={close}
    >
      <p>
        {user.name || user.email} loses access to {account_name} at once. What they did stays in the audit
        log. You can invite them again.
      </p>
    </ConfirmDialog>
  );
}
