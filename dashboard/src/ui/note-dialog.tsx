/** Shows the result of a change, if nothing is left to decide. */
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Modal } from './modal.tsx';
import styles from './states.module.css';

export interface NoteDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  onClose(): void;
}

export function NoteDialog({ title, children, onClose }: NoteDialogProps) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <div className={styles.secret}>
        {children}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </div>
    </Modal>
  );
}
