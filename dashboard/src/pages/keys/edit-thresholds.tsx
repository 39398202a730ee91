/** Gives a key thresholds of its own, or takes them away. */
import { Button, Group, Modal, NumberInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyRow } from '../../../../src/contract/dashboard/account.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../../src/contract/thresholds.ts';
import { useSend } from '../../api.ts';
import { useScope } from '../../scope.ts';
import { ProblemNote } from '../../ui/state/problem-note.tsx';
import styles from './keys.module.css';

export function EditThresholds({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const [challenge, setChallenge] = useState((apiKey.thresholds ?? DEFAULT_THRESHOLDS).challenge);
  const [block, setBlock] = useState((apiKey.thresholds ?? DEFAULT_THRESHOLDS).block);
  const save = useSend<unknown, Thresholds | null>('PUT', api(`keys/${apiKey.id}/thresholds`), {
    refreshes: [api('keys'), api('policy')],
  });
  const disordered = challenge > block;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!disordered) save.mutate({ challenge, block }, { onSuccess: onClose });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Thresholds of “${apiKey.name}”`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={styles.form}>
        <p className={styles.hint}>
          They hold for this key alone, from the next request on. To see what other thresholds would have
          done, use the simulator under Thresholds.
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
    </Modal>
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
