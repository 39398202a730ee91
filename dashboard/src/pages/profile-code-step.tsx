/** Shows the authenticator's secret, as a picture to scan and as text, and asks for the first code. */
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiProblem, auth } from '../api.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './profile-page.module.css';
import { QrCode } from './profile-qr-code.tsx';

export interface CodeStepProps {
  readonly uri: string;
  onDone(): Promise<void>;
  onCancel(): void;
}

export function CodeStep({ uri, onDone, onCancel }: CodeStepProps) {
  const [code, setCode] = useState('');
  const verify = useMutation<unknown, ApiProblem>({
    mutationFn: () => auth('/two-factor/verify-totp', { code: code.replace(/\s/g, '') }),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className="gh-dim">Scan this with your authenticator, or type the secret into it.</p>
      <div className={styles.scan}>
        <QrCode text={uri} label="Secret of the second factor" />
        <div>
          <CopyText text={secret} shown={secret.replace(/(.{4})(?=.)/g, '$1 ')} what="secret" />
          <p>
            <a href={uri}>Open in an authenticator on this device</a>
          </p>
        </div>
      </div>
      <TextInput
        label="Code it shows now"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        w={160}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" loading={verify.isPending}>
          Switch on
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      <ProblemNote error={verify.error} />
    </form>
  );
}
