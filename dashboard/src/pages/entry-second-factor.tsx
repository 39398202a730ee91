/** The second step of signing in: the authenticator's code, or a backup code. */
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiProblem, auth } from '../api.ts';
import { Form } from '../ui/form.tsx';
import { useForm } from '../ui/use-form.ts';
import { EntryFrame } from './entry-frame.tsx';

interface Step {
  readonly path: string;
  readonly label: string;
  readonly lead: string;
  readonly other: string;
}

const APP: Step = {
  path: '/two-factor/verify-totp',
  label: 'Code',
  lead: 'Type the code that your authenticator app shows.',
  other: 'Use a backup code',
};
const BACKUP: Step = {
  path: '/two-factor/verify-backup-code',
  label: 'Backup code',
  lead: 'Type one of your backup codes. Each works once.',
  other: 'Use the authenticator app',
};

export function SecondFactor({ onDone, onBack }: { onDone: () => Promise<void>; onBack: () => void }) {
  const [step, setStep] = useState(APP);
  const verify = useMutation<unknown, ApiProblem, { code: string }>({
    mutationFn: (body) => auth(step.path, body),
    onSuccess: onDone,
  });
  const form = useForm({
    values: { code: '' },
    change: verify,
    body: ({ code }) => ({ code: step === BACKUP ? code.trim() : code.replace(/\s/g, '') }),
  });
  const swap = () => {
    setStep(step === BACKUP ? APP : BACKUP);
    form.set({ code: '' });
    verify.reset();
  };
  const actions = (
    <>
      <Button type="submit" fullWidth loading={form.busy}>
        Continue
      </Button>
      <Group justify="space-between">
        <Button variant="subtle" size="compact-sm" onClick={swap}>
          {step.other}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          Back
        </Button>
      </Group>
    </>
  );
  return (
    <EntryFrame title="Second step" lead={step.lead}>
      <Form form={form} actions={actions}>
        <TextInput
          label={step.label}
          autoComplete="one-time-code"
          inputMode={step === BACKUP ? 'text' : 'numeric'}
          required
          autoFocus
          {...form.text('code')}
        />
      </Form>
    </EntryFrame>
  );
}
