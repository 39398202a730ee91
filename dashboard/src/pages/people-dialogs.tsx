/** What an owner or operator does to a person or an invitation, each after a dialog that names the consequences. */
import type { InvitationRow, UserRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';
import type { Seat } from './people-columns.tsx';

/** Verifies the address of a user. */
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

export interface EndSessionsProps {
  readonly user: UserRow;
  /** `undefined`: as an operator, whatever accounts they belong to. */
  readonly accountId: string | undefined;
  onClose(): void;
}

/** Signs a person out everywhere. */
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

/** Ends a membership. */
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
        {user.name || user.email} loses access to {account_name} at once. Their actions stay in the audit log.
        You can invite them again.
      </p>
    </ConfirmDialog>
  );
}

/** Cancels an invitation: its link stops working. */
export function CancelInvite({ invitation, onClose }: { invitation: InvitationRow; onClose: () => void }) {
  const cancel = useSend('DELETE', `/operator/invitations/${invitation.id}`, {
    refreshes: ['/operator/people', `/accounts/${invitation.account_id}/audit`],
  });
  const { send, close } = useSending(cancel, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Cancel invite of ${invitation.email}?`}
      verb="Cancel invite"
      danger
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>The link that was sent stops working at once. Nobody can join {invitation.account_name} with it.</p>
    </ConfirmDialog>
  );
}
