/** The second step of signing in: the authenticator's code, or a backup code. */
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiProblem, auth } from '../api.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';

export function SecondFactor({ onDone, onBack }: { onDone: () => Promise<void>; onBack: () => void }) {
  const [backup, setBackup] = useState(false);
  const [code, setCode] = useState('');
  const verify = useMutation<unknown, ApiProblem>({
    mutationFn: () =>
      auth(backup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp', {
        code: backup ? code.trim() : code.replace(/\s/g, ''),
      }),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  return (
    <EntryFrame
      title="Second step"
      lead={
        backup ? 'Type one of your backup codes. Each works once.' : 'Type the code your authenticator shows.'
      }
    >
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          label={backup ? 'Backup code' : 'Code'}
          autoComplete="one-time-code"
          inputMode={backup ? 'text' : 'numeric'}
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={verify.isPending}>
          Continue
        </Button>
        <ProblemNote error={verify.error} />
        <Group justify="space-between">
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setBackup(!backup);
              setCode('');
              verify.reset();
            }}
          >
            {backup ? 'Use the authenticator' : 'Use a backup code'}
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={onBack}>
            Back
          </Button>
        </Group>
      </form>
    </EntryFrame>
  );
}
