/** Makes the link of an invitation worthless. */
import type { InvitationRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';

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
