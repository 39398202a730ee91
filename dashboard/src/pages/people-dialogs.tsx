/** Actions of an owner or operator on a person or an invitation, each after a dialog that names the consequences. */
import type { InvitationRow, UserRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import type { Seat } from './people-columns.tsx';

/** Verifies the address of a user. */
export function VerifyPerson({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const verify = useSend('POST', `/operator/people/${user.id}/verify`, { refreshes: ['/operator'] });
  return (
    <ChangeDialog
      change={verify}
      body={undefined}
      title={`Verify ${user.email}?`}
      verb="Verify address"
      onClose={onClose}
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
    </ChangeDialog>
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
  return (
    <ChangeDialog
      change={end}
      body={body}
      title={`Sign ${user.email} out?`}
      verb="End sessions"
      danger
      onClose={onClose}
    >
      <p>
        {user.name || user.email} is signed out everywhere, at their next click. Their password and 2FA stay,
        so they can sign in again.
      </p>
    </ChangeDialog>
  );
}

/** Ends a membership. */
export function RemovePerson({ seat, onClose }: { seat: Seat; onClose: () => void }) {
  const { user, account_id, account_name, version } = seat;
  const remove = useSend<unknown, { user_id: string; account_id: string }>(
    'DELETE',
    '/operator/memberships',
    {
      refreshes: ['/operator/people', `/accounts/${account_id}/audit`],
      version,
    },
  );
  return (
    <ChangeDialog
      change={remove}
      body={{ user_id: user.id, account_id }}
      title={`Remove ${user.email}?`}
      verb="Remove person"
      danger
      onClose={onClose}
    >
      <p>
        {user.name || user.email} loses access to {account_name} at once. Their actions stay in the audit log.
        You can invite them again.
      </p>
    </ChangeDialog>
  );
}

/** Cancels an invitation: its link stops working. */
export function CancelInvite({ invitation, onClose }: { invitation: InvitationRow; onClose: () => void }) {
  const cancel = useSend('DELETE', `/operator/invitations/${invitation.id}`, {
    refreshes: ['/operator/people', `/accounts/${invitation.account_id}/audit`],
  });
  return (
    <ChangeDialog
      change={cancel}
      body={undefined}
      title={`Cancel invite of ${invitation.email}?`}
      verb="Cancel invite"
      danger
      onClose={onClose}
    >
      <p>The link that was sent stops working at once. Nobody can join {invitation.account_name} with it.</p>
    </ChangeDialog>
  );
}
