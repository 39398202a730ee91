/** Sets or removes a key's own thresholds. */
import { Button, Modal, NumberInput, Skeleton } from '@mantine/core';
import type { KeyRow, PolicyPage } from '../../../src/contract/dashboard-account.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FieldPair, FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './keys-page.module.css';

interface EditThresholdsProps {
  readonly apiKey: KeyRow;
  onClose(): void;
}

export function EditThresholds({ apiKey, onClose }: EditThresholdsProps) {
  const { api } = useScope();
  const account = useGet<PolicyPage>(apiKey.thresholds === null ? api('policy') : null);
  const current = apiKey.thresholds ?? account.data?.thresholds;
  if (current !== undefined) return <ThresholdsForm apiKey={apiKey} current={current} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={titleOf(apiKey)}>
      <ProblemNote error={account.error} />
      {account.isPending && <Skeleton height={220} />}
    </Modal>
  );
}

function ThresholdsForm({ apiKey, current, onClose }: EditThresholdsProps & { current: Thresholds }) {
  const { api } = useScope();
  const change = useSend<unknown, Thresholds | null>('PUT', api(`keys/${apiKey.id}/thresholds`), {
    refreshes: [api('keys'), api('policy')],
    version: apiKey.version,
  });
  const form = useForm<Thresholds, Thresholds | null>({
    values: { challenge: current.challenge, block: current.block },
    change,
    body: (values) => (values.challenge > values.block ? undefined : values),
    onDone: onClose,
    onClose,
  });
  const disordered = form.values.challenge > form.values.block;
  const useAccounts = (
    <Button data-aside variant="subtle" loading={form.busy} onClick={() => form.send(null)}>
      Use the account’s
    </Button>
  );
  return (
    <FormDialog
      form={form}
      title={titleOf(apiKey)}
      verb="Save thresholds"
      disabled={disordered}
      aside={apiKey.thresholds === null ? undefined : useAccounts}
    >
      <FormHint>
        They apply to this key only, from the next request on. To see what other thresholds would have
        changed, use Thresholds.
      </FormHint>
      <FieldPair>
        <ScoreInput
          label="Challenge from"
          value={form.values.challenge}
          error={form.errorOf('challenge')}
          onChange={(challenge) => form.set({ challenge })}
        />
        <ScoreInput
          label="Block from"
          value={form.values.block}
          error={form.errorOf('block')}
          onChange={(block) => form.set({ block })}
        />
      </FieldPair>
      {disordered && <p className={styles.wrong}>Challenge must not be above block.</p>}
    </FormDialog>
  );
}

interface ScoreInputProps {
  readonly label: string;
  readonly value: number;
  readonly error: string | undefined;
  onChange(value: number): void;
}

function ScoreInput({ onChange, ...field }: ScoreInputProps) {
  return (
    <NumberInput
      {...field}
      // An empty field would be saved as its earlier value.
      required
      min={1}
      max={100}
      allowDecimal={false}
      clampBehavior="strict"
      onChange={(next) => {
        if (typeof next === 'number') onChange(next);
      }}
    />
  );
}

function titleOf({ name }: KeyRow): string {
  return `Thresholds of “${name}”`;
}
