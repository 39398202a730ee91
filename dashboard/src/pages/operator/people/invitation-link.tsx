/** Shows the link of an invitation, this once. */
import { Button, Group, Modal } from '@mantine/core';
import type { CreatedInvitation } from '../../../../../src/contract/dashboard/installation.ts';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import { RelativeTime } from '../../../ui/text/relative-time.tsx';
import styles from './people.module.css';

export function InvitationLink({ created, onClose }: { created: CreatedInvitation; onClose: () => void }) {
  const { email, account_name, role, expires_at } = created.invitation;
  return (
    <Modal
      opened
      onClose={onClose}
      // A stray click must not take the only sight of it away.
      closeOnClickOutside={false}
      title={`${email} is invited`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={styles.form}>
        <p>
          Send this link to them yourself: it is not shown again, and Gatehouse sends no mail. Whoever opens
          it first becomes {role} of {account_name}. It ends <RelativeTime at={expires_at} />.
        </p>
        <CodeBlock label="Invitation link" code={created.link} wrap />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </div>
    </Modal>
  );
}
