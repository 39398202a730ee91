/** Shows the authenticator's secret, as a picture to scan and as text, and asks for the first code. */
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ApiProblem, auth } from '../api.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './profile-page.module.css';
import { QrCode } from './profile-qr-code.tsx';

export interface CodeStepProps {
  readonly uri: string;
  onDone(): Promise<void>;
  onCancel(): void;
}

export function CodeStep({ uri, onDone, onCancel }: CodeStepProps) {
  const change = useMutation<unknown, ApiProblem, { code: string }>({
    mutationFn: (body) => auth('/two-factor/verify-totp', body),
    onSuccess: onDone,
  });
  const form = useForm({
    values: { code: '' },
    change,
    body: ({ code }) => ({ code: code.replace(/\s/g, '') }),
    onClose: onCancel,
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <Form form={form} actions={<FormActions verb="Turn on 2FA" busy={form.busy} onCancel={form.close} />}>
      <p className="gh-dim">Scan this with your authenticator app, or type the secret into it.</p>
      <div className={styles.scan}>
        <QrCode text={uri} label="Secret for your authenticator" />
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
        w={160}
        {...form.text('code')}
      />
    </Form>
  );
}
