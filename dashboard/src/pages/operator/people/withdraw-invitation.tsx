/** Makes the link of an invitation worthless. */
import type { InvitationRow } from '../../../../../src/contract/dashboard/installation.ts';
import { useSend } from '../../../api.ts';
import { ConfirmDialog } from '../../../ui/state/confirm-dialog.tsx';

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
  return (
    <ConfirmDialog
      opened
      title={`Withdraw the invitation of ${invitation.email}?`}
      verb="Withdraw invitation"
      danger
      busy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>The link that was sent does not let anybody into {invitation.account_name} any more.</p>
    </ConfirmDialog>
  );
}
