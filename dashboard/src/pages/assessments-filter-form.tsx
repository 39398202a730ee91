/** The form with everything the log can be filtered by; it starts from what is filtered now. */
import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { LogRow } from '../../../src/contract/dashboard-assessments.ts';
import { REASON_CODES } from '../../../src/contract/reasons.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { REASON_WORDS } from '../ui/reason-words.ts';
import { FEEDBACK_WORDS, type FilterChanges, type FilterName } from './assessments-filter.ts';
import styles from './assessments-page.module.css';
import { TimeFields } from './assessments-time-fields.tsx';

export interface FilterFormProps {
  readonly chosen: Readonly<FilterChanges>;
  readonly rows: readonly LogRow[];
  onApply(changes: FilterChanges): void;
}

const REASON_CHOICES = REASON_CODES.map((code) => ({ value: code, label: REASON_WORDS[code] }));
const FEEDBACK_CHOICES = Object.entries(FEEDBACK_WORDS).map(([value, label]) => ({ value, label }));
const SELECT = {
  clearable: true,
  comboboxProps: { withinPortal: false },
  // The list itself scrolls: it is what has the keyboard.
  withScrollArea: false,
  styles: { dropdown: { maxHeight: 240, overflowY: 'auto' } },
} as const;

export function FilterForm({ chosen, rows, onApply }: FilterFormProps) {
  const [draft, setDraft] = useState<FilterChanges>(chosen);
  const put = (name: FilterName) => (value: string | number | null) =>
    setDraft((before) => ({ ...before, [name]: value === null || value === '' ? undefined : String(value) }));
  const text = (name: FilterName, label: string, placeholder: string) => (
    <TextInput
      size="xs"
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      value={draft[name] ?? ''}
      onChange={(event) => put(name)(event.currentTarget.value)}
    />
  );
  const score = (name: 'score_min' | 'score_max', label: string) => (
    <NumberInput
      size="xs"
      label={label}
      min={0}
      max={100}
      allowDecimal={false}
      value={draft[name] === undefined ? '' : Number(draft[name])}
      onChange={put(name)}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = new Set([...Object.keys(chosen), ...Object.keys(draft)]) as Set<FilterName>;
    onApply(Object.fromEntries([...names].map((name) => [name, draft[name]?.trim() || undefined])));
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <div className={styles.fields}>
        {text('domain', 'Email domain', 'example.com')}
        {text('ip', 'IP or block', '203.0.113.0/24')}
        <Select
          size="xs"
          label="Reason"
          placeholder="Any"
          searchable
          data={REASON_CHOICES}
          value={draft.reason ?? null}
          onChange={put('reason')}
          {...SELECT}
        />
        <div className={styles.pair}>
          {score('score_min', 'Score from')}
          {score('score_max', 'to')}
        </div>
        {text('asn', 'Network', 'AS64500')}
        {text('country', 'Country', 'FR')}
        <Select
          size="xs"
          label="Key"
          placeholder="Any"
          data={useKeyChoices(rows, chosen.key)}
          value={draft.key ?? null}
          onChange={put('key')}
          {...SELECT}
        />
        <Select
          size="xs"
          label="Feedback"
          placeholder="With and without"
          data={FEEDBACK_CHOICES}
          value={draft.feedback ?? null}
          onChange={put('feedback')}
          {...SELECT}
        />
        {text('session_id', 'Session id', 'Your own, whole')}
        {text('request_id', 'Request id', 'req_…')}
        <TimeFields
          period={draft.period}
          from={draft.from}
          to={draft.to}
          onChange={(times) => setDraft({ ...draft, ...times })}
        />
      </div>
      <Group justify="flex-end" gap="xs">
        <Button
          variant="subtle"
          size="xs"
          onClick={() => onApply(Object.fromEntries(Object.keys(chosen).map((name) => [name, undefined])))}
        >
          Clear all
        </Button>
        <Button type="submit" size="xs">
          Apply filter
        </Button>
      </Group>
    </form>
  );
}

/** Owners choose among all keys; members among those of the rows they see. */
function useKeyChoices(rows: readonly LogRow[], chosen: string | undefined) {
  const { api, canManage, mode } = useScope();
  const keys = useGet<readonly KeyRow[]>(canManage ? api('keys') : null).data;
  const names = new Map(rows.map(({ key_id, key_name }) => [key_id, key_name]));
  for (const key of keys ?? []) if (key.mode === mode) names.set(key.id, key.name);
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, chosen);
  return [...names].map(([value, name]) => ({ value, label: name || value }));
}
