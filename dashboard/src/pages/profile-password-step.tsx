/** Asks for the current password before something about security changes. */
import { PasswordInput } from '@mantine/core';
import { Form, FormActions } from '../ui/form.tsx';
import { useForm } from '../ui/use-form.ts';
import type { Change } from '../ui/use-sending.ts';

interface Password {
  readonly password: string;
}

export interface PasswordStepProps {
  readonly lead: string;
  readonly verb: string;
  readonly danger?: boolean;
  /** Sends the password. */
  readonly change: Change<string>;
  onCancel(): void;
}

export function PasswordStep({ lead, verb, danger = false, change, onCancel }: PasswordStepProps) {
  const form = useForm<Password, string>({
    values: { password: '' },
    change,
    body: ({ password }) => password,
    onDone: () => {},
    onClose: onCancel,
  });
  return (
    <Form
      form={form}
      actions={<FormActions verb={verb} danger={danger} busy={form.busy} onCancel={form.close} />}
    >
      <p className="gh-dim">{lead}</p>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        autoFocus
        {...form.text('password')}
      />
    </Form>
  );
}
