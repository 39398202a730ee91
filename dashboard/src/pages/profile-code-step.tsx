/** Shows the authenticator's secret, as a picture to scan and as text, and asks for the first code. */
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { encode } from 'uqr';
import { type ApiProblem, auth } from '../api.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './profile-page.module.css';

/** Light modules around the code, as ISO/IEC 18004 asks. */
const QUIET_ZONE = 4;

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

/** Drawn in the browser, so that the secret is sent to nobody. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={label}
      width={196}
      height={196}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
