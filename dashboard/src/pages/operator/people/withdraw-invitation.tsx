/** Makes the link of an invitation worthless. */
import type { InvitationRow } from '../../../../../src/contract/dashboard-installation.ts';
import { useSend } from '../../../api.ts';
import { ConfirmDialog } from '../../../ui/state/confirm-dialog.tsx';
import { useSending } from '../../../ui/state/use-sending.ts';

export function WithdrawInvitation({
  invitation,
  onClose,
}: {
  invitation: InvitationRow;
  onClose: () => void;
}) {
  const withdraw = useSend('DELETE', `/operator/invitations/${invitation.id}`, {
    refreshes: ['/operator/people', `/accounts/${invitation.account_id}/audit`],
  });
  const { send, close } = useSending(withdraw, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Withdraw the invitation of ${invitation.email}?`}
      verb="Withdraw invitation"
      danger
      busy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>The link that was sent does not let anybody into {invitation.account_name} any more.</p>
    </ConfirmDialog>
  );
}
