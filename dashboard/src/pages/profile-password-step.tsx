/** Asks for the current password before something about security changes. */
import { Button, Group, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './profile-page.module.css';

export interface PasswordStepProps {
  readonly lead: string;
  readonly verb: string;
  readonly danger?: boolean;
  readonly busy: boolean;
  readonly error: Error | null;
  onSubmit(password: string): void;
  onCancel(): void;
}

export function PasswordStep({ lead, verb, danger, busy, error, onSubmit, onCancel }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(password);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className="gh-dim">{lead}</p>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" loading={busy} {...(danger === true ? { color: 'red' } : {})}>
          {verb}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      <ProblemNote error={error} />
    </form>
  );
}
