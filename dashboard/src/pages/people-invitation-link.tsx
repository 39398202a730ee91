/** Shows the link of an invitation, this once. */
import type { CreatedInvitation } from '../../../src/contract/dashboard-installation.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';

export function InvitationLink({ created, onClose }: { created: CreatedInvitation; onClose: () => void }) {
  const { email, account_name, role, expires_at } = created.invitation;
  return (
    <SecretDialog
      title={`${email} is invited`}
      label="Invitation link"
      secret={created.link}
      onClose={onClose}
    >
      Send them this link yourself. It is not shown again, and Gatehouse sends no email. Whoever accepts it
      first becomes {role === 'owner' ? 'an owner' : 'a member'} of {account_name}. It expires{' '}
      <RelativeTime at={expires_at} />.
    </SecretDialog>
  );
}
