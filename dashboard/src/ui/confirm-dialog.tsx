/** Asks before something with consequences: it names them, and its button has the verb. `ChangeDialog` also sends a change. */
import type { ReactNode } from 'react';
import { FormActions } from './form.tsx';
import { meanwhileOf, YIELD } from './meanwhile-note.tsx';
import { Modal } from './modal.tsx';
import { ProblemNote } from './problem-note.tsx';
import styles from './states.module.css';

export interface ConfirmDialogProps {
  /** Default: yes. */
  readonly opened?: boolean;
  readonly title: string;
  /** The consequences. */
  readonly children: ReactNode;
  /** The verb and its object: `Revoke key`. */
  readonly verb: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly error?: Error | null;
  onConfirm(): void;
  onClose(): void;
  /** Called instead of `onClose` by a person who keeps what somebody else changed meanwhile. */
  onYield?(): void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened = true, title, children, verb, danger = false, busy = false, error = null } = props;
  const isLate = meanwhileOf(error) !== undefined;
  const { onClose, onYield = onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <div className={styles.dialog}>{children}</div>
      <ProblemNote error={error} />
      <div className={styles.dialogActions}>
        <FormActions
          verb={isLate ? `${verb} anyway` : verb}
          danger={danger}
          busy={busy}
          careful
          onConfirm={props.onConfirm}
          {...(isLate ? { onCancel: onYield, cancel: YIELD } : { onCancel: onClose })}
        />
      </div>
    </Modal>
  );
}
