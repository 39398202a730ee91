/** Gives a key thresholds of its own, or takes them away. */

import { Button, Group, Modal, NumberInput, Skeleton } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyRow, PolicyPage } from '../../../src/contract/dashboard-account.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { type Sending, useSending } from '../ui/use-sending.ts';
import styles from './keys-page.module.css';

interface EditThresholdsProps {
  readonly apiKey: KeyRow;
  onClose(): void;
}

export function EditThresholds({ apiKey, onClose }: EditThresholdsProps) {
  const { api } = useScope();
  const account = useGet<PolicyPage>(apiKey.thresholds === null ? api('policy') : null);
  const save = useSend<unknown, Thresholds | null>('PUT', api(`keys/${apiKey.id}/thresholds`), {
    refreshes: [api('keys'), api('policy')],
  });
  const sending = useSending(save, onClose);
  const current = apiKey.thresholds ?? account.data?.thresholds;
  return (
    <Modal
      opened
      onClose={sending.close}
      title={`Thresholds of “${apiKey.name}”`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ProblemNote error={account.error} />
      {current === undefined ? (
        account.isPending && <Skeleton height={220} />
      ) : (
        <ThresholdsForm
          own={apiKey.thresholds !== null}
          current={current}
          busy={save.isPending}
          error={save.error}
          close={sending.close}
          onSave={(thresholds) => sending.send(thresholds, onClose)}
        />
      )}
    </Modal>
  );
}

interface ThresholdsFormProps extends Pick<Sending<never>, 'close'> {
  /** Whether the key has some of its own. */
  readonly own: boolean;
  readonly current: Thresholds;
  readonly busy: boolean;
  readonly error: Error | null;
  /** `null`: the account's. */
  onSave(thresholds: Thresholds | null): void;
}

function ThresholdsForm({ own, current, busy, error, close, onSave }: ThresholdsFormProps) {
  const [challenge, setChallenge] = useState(current.challenge);
  const [block, setBlock] = useState(current.block);
  const disordered = challenge > block;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!disordered) onSave({ challenge, block });
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <p className={styles.hint}>
        They hold for this key alone, from the next request on. To see what other thresholds would have done,
        use the simulator under Thresholds.
      </p>
      <div className={styles.pair}>
        <ScoreInput label="Challenge from" value={challenge} onChange={setChallenge} />
        <ScoreInput label="Block from" value={block} onChange={setBlock} />
      </div>
      {disordered && <p className={styles.wrong}>Challenge must not be above block.</p>}
      <ProblemNote error={error} />
      <Group justify="flex-end" gap="xs">
        {own && (
          <Button variant="subtle" mr="auto" loading={busy} onClick={() => onSave(null)}>
            Use the account's
          </Button>
        )}
        <Button variant="default" disabled={busy} onClick={close}>
          Cancel
        </Button>
        <Button type="submit" disabled={disordered} loading={busy}>
          Save thresholds
        </Button>
      </Group>
    </form>
  );
}

interface ScoreInputProps {
  readonly label: string;
  readonly value: number;
  onChange(value: number): void;
}

function ScoreInput({ label, value, onChange }: ScoreInputProps) {
  return (
    <NumberInput
      label={label}
      // Emptied, it would be saved as what it was before.
      required
      withAsterisk={false}
      min={1}
      max={100}
      allowDecimal={false}
      clampBehavior="strict"
      value={value}
      onChange={(next) => {
        if (typeof next === 'number') onChange(next);
      }}
    />
  );
}
