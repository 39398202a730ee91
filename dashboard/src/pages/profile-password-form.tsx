/** Changes the password; every other session of the person ends with it. */
import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ApiProblem, auth } from '../api.ts';
import { Form, FormActions } from '../ui/form.tsx';
import { NewPassword } from '../ui/new-password.tsx';
import { type FormBinding, useForm } from '../ui/use-form.ts';
import styles from './profile-page.module.css';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordForm({ email }: { email: string }) {
  const change = useMutation<unknown, ApiProblem, typeof EMPTY>({
    mutationFn: (passwords) => auth('/change-password', passwords),
  });
  const form: FormBinding<typeof EMPTY> = useForm({
    values: EMPTY,
    change,
    body: (passwords) => passwords,
    onDone: () => form.set(EMPTY),
  });
  return (
    <Form form={form} actions={<FormActions verb="Change password" busy={form.busy} />}>
      {/* For password managers, so that they know whose password changes. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        {...form.text('currentPassword')}
      />
      <NewPassword label="New password" {...form.text('newPassword')} />
      <p className="gh-dim">You must sign in again on your other devices.</p>
      {change.isSuccess && (
        <p className={styles.done} role="status">
          Password changed.
        </p>
      )}
    </Form>
  );
}
