/** Asks before something that has consequences: they stand in it, and its button says the verb. */
import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';
import styles from './states.module.css';

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will be so from now on. */
  readonly children: ReactNode;
  /** The verb and its object: `Revoke key`. */
  readonly verb: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly error?: Error | null;
  onConfirm(): void;
  onClose(): void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, verb, danger = false, busy = false, error = null } = props;
  return (
    <Modal opened={opened} onClose={props.onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={styles.dialog}>{children}</div>
      <ProblemNote error={error} />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <Button {...(danger ? { color: 'red' } : {})} loading={busy} onClick={props.onConfirm}>
          {verb}
        </Button>
      </Group>
    </Modal>
  );
}
