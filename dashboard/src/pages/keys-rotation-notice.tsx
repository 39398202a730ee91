/** The keys that have two secrets: when each was last used, until when the old one works, and how to end or take back the rotation. */
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useNow } from '../ui/use-now.ts';
import styles from './keys-page.module.css';
import { isRotating, type RotatingKey } from './keys-states.ts';

type Step = 'end' | 'undo';

export function RotationNotices({ keys }: { keys: readonly KeyRow[] }) {
  const now = useNow();
  return keys
    .filter((key) => isRotating(key, now))
    .map((key) => <RotationNotice key={key.id} apiKey={key as RotatingKey} />);
}

function RotationNotice({ apiKey }: { apiKey: RotatingKey }) {
  const [step, setStep] = useState<Step>();
  const { name, prefix, secret_used_at, previous_secret: old } = apiKey;
  return (
    <Card title={`“${name}” has two secrets`} note="the rotation is not over">
      <ul className={styles.secrets}>
        <li>
          <span className="gh-mono">{prefix}…</span> (new): {used(secret_used_at)}
        </li>
        <li>
          <span className="gh-mono">{old.prefix}…</span> (old): {used(old.last_used_at)}. It ends{' '}
          <RelativeTime at={old.valid_until} />.
        </li>
      </ul>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={() => setStep('end')}>
          End old secret…
        </Button>
        <Button size="xs" variant="default" onClick={() => setStep('undo')}>
          Take rotation back…
        </Button>
      </Group>
      {step !== undefined && <StepDialog apiKey={apiKey} step={step} onClose={() => setStep(undefined)} />}
    </Card>
  );
}

function used(at: string | null) {
  if (at === null) return 'not used yet';
  return (
    <>
      used <RelativeTime at={at} />
    </>
  );
}

interface StepDialogProps {
  readonly apiKey: RotatingKey;
  readonly step: Step;
  onClose(): void;
}

function StepDialog({ apiKey, step, onClose }: StepDialogProps) {
  const { api } = useScope();
  const { id, name, prefix, secret_used_at, previous_secret: old, version } = apiKey;
  const change = useSend('POST', api(`keys/${id}/rotate/${step}`), {
    refreshes: [api('keys'), api('policy')],
    version,
  });
  const isEnd = step === 'end';
  return (
    <ChangeDialog
      change={change}
      body={undefined}
      title={isEnd ? `End the old secret of “${name}”?` : `Take the rotation of “${name}” back?`}
      verb={isEnd ? 'End old secret' : 'Take back'}
      danger
      onClose={onClose}
    >
      <p>
        {isEnd
          ? `Requests with the old secret, ${old.prefix}…, will be refused from now on.`
          : `${old.prefix}… becomes the secret of the key again. Requests with the new one, ${prefix}…, will be refused from now on.`}{' '}
        This cannot be undone.
      </p>
      <p>
        {isEnd ? 'The old secret was' : 'The new secret was'}{' '}
        {used(isEnd ? old.last_used_at : secret_used_at)}.
      </p>
    </ChangeDialog>
  );
}
