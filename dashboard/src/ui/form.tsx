/** A form as all pages show it: fields, the error, then the buttons. */
import { Button, Group } from '@mantine/core';
import type { FormEvent, ReactNode, RefObject } from 'react';
import styles from './form.module.css';
import { ProblemNote } from './problem-note.tsx';

/** State that a form shows and sends: `useForm`, or a page's own. */
export interface FormState {
  readonly element?: RefObject<HTMLFormElement | null>;
  problem?(): Error | null;
  submit(event: FormEvent): void;
}

export interface FormProps {
  readonly form: FormState;
  /** The buttons. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

export function Form({ form, actions, children }: FormProps) {
  return (
    <form ref={form.element} className={styles.form} onSubmit={form.submit}>
      {children}
      <FormProblem form={form} />
      {actions}
    </form>
  );
}

/** Rendered after the fields, so that all of them are known. */
function FormProblem({ form }: { form: FormState }) {
  return <ProblemNote error={form.problem?.() ?? null} />;
}

export interface FormActionsProps {
  /** The verb and its object: `Create key`. */
  readonly verb: string;
  readonly busy: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Action at the left, another one. */
  readonly aside?: ReactNode;
  /** Called instead of submitting the form. */
  onConfirm?(): void;
  onCancel?(): void;
  /** Default: Cancel. */
  readonly cancel?: string;
  /** Whether Cancel has the focus when the dialog opens. */
  readonly careful?: boolean;
}

export function FormActions(props: FormActionsProps) {
  const { verb, busy, danger = false, disabled = false, aside, onConfirm, onCancel, careful = false } = props;
  const { cancel = 'Cancel' } = props;
  return (
    <Group className={styles.actions} gap="xs">
      {aside}
      {onCancel !== undefined && (
        <Button
          variant="default"
          disabled={busy && !careful}
          onClick={onCancel}
          {...(careful ? { 'data-autofocus': true } : {})}
        >
          {cancel}
        </Button>
      )}
      <Button
        {...(onConfirm === undefined ? { type: 'submit' } : { onClick: onConfirm })}
        {...(danger ? { color: 'red' } : {})}
        disabled={disabled}
        loading={busy}
      >
        {verb}
      </Button>
    </Group>
  );
}

/** Two short fields beside each other. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>;
}

/** Names the consequences of the choice. */
export function FormHint({ children }: { children: ReactNode }) {
  return <p className={styles.hint}>{children}</p>;
}
