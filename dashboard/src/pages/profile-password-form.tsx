/** Changes the password; every other session of the person ends with it. */
import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiProblem, auth } from '../api.ts';
import { NewPassword } from '../ui/new-password.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './profile-page.module.css';

export function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation<unknown, ApiProblem>({
    mutationFn: () => auth('/change-password', { currentPassword: current, newPassword: next }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {/* For password managers, so that they know whose password changes. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <NewPassword label="New password" value={next} onChange={setNext} />
      <p className="gh-dim">Wherever else you are signed in, you will have to sign in again.</p>
      <div>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </div>
      <ProblemNote error={change.error} />
      {change.isSuccess && (
        <p className={styles.done} role="status">
          The password is changed.
        </p>
      )}
    </form>
  );
}
