/** Adds values of the chosen signups to a list: ranges, IPs or domains, each with what it would have matched, in numbers of good customers and of fraud. */
import { Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NamedSignup } from '../../../src/contract/dashboard-assessments.ts';
import { type BatchListed, MAX_LIST_BATCH } from '../../../src/contract/dashboard-batches.ts';
import type { DecidingAction } from '../../../src/model/list-entry.ts';
import { send } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { useUndoToast } from '../ui/undo-toast.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './assessments-selection.module.css';
import { type Preview, PreviewTotal, usePreviews, wordsOf } from './assessments-selection-previews.tsx';
import {
  type ChosenValue,
  MAX_VALUES,
  VALUE_KINDS,
  type ValueKind,
  valuesOf,
} from './assessments-selection-values.ts';
import { WorkState } from './batch-state.tsx';
import { takeBackAll } from './batch-undo.ts';
import { type BatchWork, useBatches } from './batch-work.ts';
import { expiryOf, LENGTHS, USUAL_LENGTH } from './listing-expiry.ts';
import { ACTIONS } from './listing-kinds.ts';

export interface ListManyProps {
  readonly rows: readonly NamedSignup[];
  readonly action: DecidingAction;
  onClose(): void;
}

const KIND_WORDS: Readonly<Record<ValueKind, string>> = { range: 'IP ranges', ip: 'IPs', domain: 'Domains' };

export function ListMany({ rows, action, onClose }: ListManyProps) {
  const { word, list } = ACTIONS[action];
  const [kind, setKind] = useState<ValueKind>('range');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const all = valuesOf(rows, kind);
  const offered = all.slice(0, MAX_VALUES);
  const wanted = offered.map(({ value }) => value).filter((value) => !left.has(value));
  const previews = usePreviews(
    action,
    offered.map(({ value }) => value),
  );
  const { form, work, refused } = useAdding({ action, wanted, previews, onClose });
  const isReady = wanted.length > 0 && wanted.every((value) => previews.has(value)) && refused.length === 0;
  return (
    <FormDialog
      form={form}
      title={`${word} what ${pluralize(rows.length, 'signup')} share`}
      verb={work.error === null ? `Add ${grouped(wanted.length)} to ${list}` : 'Continue'}
      danger={action === 'deny'}
      disabled={!isReady || form.values.reason.trim() === ''}
      size="lg"
    >
      <KindChoice
        rows={rows}
        kind={kind}
        onChange={(next) => {
          setKind(next);
          setLeft(new Set());
        }}
      />
      <Values
        values={offered}
        previews={previews}
        left={left}
        onToggle={(value) =>
          setLeft(new Set(left.has(value) ? [...left].filter((other) => other !== value) : [...left, value]))
        }
      />
      {all.length > offered.length && (
        <FormHint>
          The {MAX_VALUES} most frequent of {grouped(all.length)} are offered.
        </FormHint>
      )}
      <PreviewTotal action={action} previews={wanted.map((value) => previews.get(value))} />
      <TextInput
        label="Reason"
        description="Shown wherever these entries decide."
        required
        maxLength={200}
        data-autofocus
        {...form.text('reason')}
      />
      <Select
        label="Expires"
        allowDeselect={false}
        withScrollArea={false}
        data={LENGTHS}
        value={form.values.days}
        onChange={(next) => form.set({ days: next ?? USUAL_LENGTH })}
      />
      <WorkState work={work} verb="added or refused" />
      <Refused refused={refused} />
    </FormDialog>
  );
}

interface KindChoiceProps {
  readonly rows: readonly NamedSignup[];
  readonly kind: ValueKind;
  onChange(kind: ValueKind): void;
}

function KindChoice({ rows, kind, onChange }: KindChoiceProps) {
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label="What to add"
      data={VALUE_KINDS.map((value) => ({
        value,
        label: `${KIND_WORDS[value]} (${grouped(valuesOf(rows, value).length)})`,
      }))}
      value={kind}
      onChange={(next) => onChange(next as ValueKind)}
    />
  );
}

interface ValuesProps {
  readonly values: readonly ChosenValue[];
  readonly previews: ReadonlyMap<string, Preview>;
  /** Values that are not to be added. */
  readonly left: ReadonlySet<string>;
  onToggle(value: string): void;
}

function Values({ values, previews, left, onToggle }: ValuesProps) {
  if (values.length === 0) return <p className="gh-dim">None of the selected signups has one.</p>;
  return (
    <ul className={styles.values} aria-label="Values">
      {values.map(({ value, count }) => (
        <li key={value}>
          <Checkbox
            size="xs"
            checked={!left.has(value)}
            onChange={() => onToggle(value)}
            label={
              <>
                <span className="gh-mono">{value}</span>{' '}
                <span className="gh-dim">{grouped(count)} selected</span>
              </>
            }
          />
          <span className={styles.matched}>{wordsOf(previews.get(value))}</span>
        </li>
      ))}
    </ul>
  );
}

function Refused({ refused }: Pick<BatchListed, 'refused'>) {
  if (refused.length === 0) return null;
  return (
    <>
      <p>{pluralize(refused.length, 'value')} could not be added:</p>
      <ul className={styles.refused} aria-label="Refused values">
        {refused.map(({ value, message }) => (
          <li key={value}>
            <span className="gh-mono">{value}</span>: {message}
          </li>
        ))}
      </ul>
    </>
  );
}

interface Adding {
  readonly action: DecidingAction;
  readonly wanted: readonly string[];
  readonly previews: ReadonlyMap<string, Preview>;
  onClose(): void;
}

function useAdding({ action, wanted, previews, onClose }: Adding) {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const [refused, setRefused] = useState<BatchListed['refused']>([]);
  const refresh = () =>
    client.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith(api('lists')) });
  const work: BatchWork<string> = useBatches<string, BatchListed>({
    size: MAX_LIST_BATCH,
    send(values, triedMsAgo): Promise<BatchListed> {
      const sent = values.map((value) => {
        const version = previews.get(value)?.answer?.version;
        return version === undefined ? { value } : { value, version };
      });
      const { reason, days } = form.values;
      const expires = expiryOf(days) ?? null;
      return send('POST', api('lists/batch'), {
        action,
        values: sent,
        reason: reason.trim(),
        expires_at: expires,
        ...(triedMsAgo === undefined ? {} : { tried_ms_ago: Math.ceil(triedMsAgo) }),
      });
    },
    onDone(answers) {
      const added = answers.reduce((sum, { entries }) => sum + entries.length, 0);
      const all = answers.flatMap((answer) => answer.refused);
      void refresh();
      setRefused(all);
      if (added > 0)
        toast({
          text: `Added ${pluralize(added, 'entry', 'entries')} to the ${ACTIONS[action].list}.`,
          undo: () => takeBackAll(api('undo'), answers).finally(refresh),
        });
      // Refused values stay in sight.
      if (all.length === 0) onClose();
    },
  });
  const form = useForm({
    values: { reason: '', days: USUAL_LENGTH },
    change: work,
    body: () => wanted,
    onDone: () => undefined,
    onClose,
  });
  return { form, work, refused };
}
