/** Gives a key thresholds of its own, or takes them away. */
import { Button, Group, Modal, NumberInput, Skeleton } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyRow, PolicyPage } from '../../../../src/contract/dashboard/account.ts';
import type { Thresholds } from '../../../../src/contract/thresholds.ts';
import { useGet, useSend } from '../../api.ts';
import { useScope } from '../../scope.ts';
import { ProblemNote } from '../../ui/state/problem-note.tsx';
import styles from './keys.module.css';

interface EditThresholdsProps {
  readonly apiKey: KeyRow;
  onClose(): void;
}

export function EditThresholds({ apiKey, onClose }: EditThresholdsProps) {
  const { api } = useScope();
  const account = useGet<PolicyPage>(apiKey.thresholds === null ? api('policy') : null);
  const current = apiKey.thresholds ?? account.data?.thresholds;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Thresholds of “${apiKey.name}”`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ProblemNote error={account.error} />
      {current === undefined ? (
        account.isPending && <Skeleton height={220} />
      ) : (
        <ThresholdsForm apiKey={apiKey} onClose={onClose} current={current} />
      )}
    </Modal>
  );
}

function ThresholdsForm({
  apiKey,
  onClose,
  current,
}: EditThresholdsProps & { readonly current: Thresholds }) {
  const { api } = useScope();
  const [challenge, setChallenge] = useState(current.challenge);
  const [block, setBlock] = useState(current.block);
  const save = useSend<unknown, Thresholds | null>('PUT', api(`keys/${apiKey.id}/thresholds`), {
    refreshes: [api('keys'), api('policy')],
  });
  const disordered = challenge > block;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!disordered) save.mutate({ challenge, block }, { onSuccess: onClose });
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
      <ProblemNote error={save.error} />
      <Group justify="flex-end" gap="xs">
        {apiKey.thresholds !== null && (
          <Button
            variant="subtle"
            mr="auto"
            loading={save.isPending}
            onClick={() => save.mutate(null, { onSuccess: onClose })}
          >
            Use the account's
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={disordered} loading={save.isPending}>
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
