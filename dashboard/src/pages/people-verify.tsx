/** Verifies the address of a user after saying what an operator vouches for. */
import type { UserRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';

export function VerifyPerson({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const verify = useSend('POST', `/operator/people/${user.id}/verify`, { refreshes: ['/operator'] });
  const { send, close } = useSending(verify, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Verify ${user.email}?`}
      verb="Verify address"
      busy={verify.isPending}
      error={verify.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>
        You confirm that {user.name || 'this user'} owns this address. Check it with them first, outside of
        Gatehouse.
        {user.invited_by !== null && ` They were invited by ${user.invited_by}.`}
      </p>
      <p>
        Nobody else can become a user with this address. If another user was verified for this address, that
        user becomes not verified. Everybody keeps their password and accounts.
      </p>
    </ConfirmDialog>
  );
}
