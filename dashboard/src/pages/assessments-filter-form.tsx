/** The form with all filters of the history; it starts with the active filter. */
import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { DETECTOR_NAMES, DETECTORS } from '../../../src/contract/detectors.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { FieldPair, Form } from '../ui/form.tsx';
import { OUTCOME_CHOICES } from './assessment-outcome-words.ts';
import { FEEDBACK_WORDS, type FilterChanges, type FilterName } from './assessments-filter.ts';
import styles from './assessments-page.module.css';
import { TimeFields } from './assessments-time-fields.tsx';

export interface FilterFormProps {
  readonly chosen: Readonly<FilterChanges>;
  readonly rows: readonly AssessmentRow[];
  onApply(changes: FilterChanges): void;
}

const FINDING_CHOICES = [
  { value: 'none', label: 'none' },
  ...DETECTOR_NAMES.map((value) => ({ value, label: DETECTORS[value] })),
];
const FEEDBACK_CHOICES = Object.entries(FEEDBACK_WORDS).map(([value, label]) => ({ value, label }));
const OUTCOMES = Object.entries(OUTCOME_CHOICES).map(([value, label]) => ({ value, label }));
const OBSERVED_CHOICES = [
  { value: 'true', label: 'observed only' },
  { value: 'false', label: 'enforced' },
];
const SELECT = {
  clearable: true,
  comboboxProps: { withinPortal: false },
  // The list itself scrolls, because it has the focus.
  withScrollArea: false,
  styles: { dropdown: { maxHeight: 240, overflowY: 'auto' } },
} as const;

export function FilterForm({ chosen, rows, onApply }: FilterFormProps) {
  const [draft, setDraft] = useState<FilterChanges>(chosen);
  const put: Put = (name) => (value) =>
    setDraft((before) => ({ ...before, [name]: value === null || value === '' ? undefined : String(value) }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = new Set([...Object.keys(chosen), ...Object.keys(draft)]) as Set<FilterName>;
    onApply(Object.fromEntries([...names].map((name) => [name, draft[name]?.trim() || undefined])));
  };
  const clear = () => onApply(Object.fromEntries(Object.keys(chosen).map((name) => [name, undefined])));
  const actions = (
    <Group justify="flex-end" gap="xs">
      <Button variant="subtle" size="xs" onClick={clear}>
        Clear all
      </Button>
      <Button type="submit" size="xs">
        Apply filter
      </Button>
    </Group>
  );
  return (
    <Form form={{ submit }} actions={actions}>
      <div className={styles.fields}>
        <SignupFields draft={draft} put={put} />
        <Choice label="Key" data={useKeyChoices(rows, chosen.key)} value={draft.key} onChange={put('key')} />
        <Choice
          label="Feedback"
          placeholder="Any or none"
          data={FEEDBACK_CHOICES}
          value={draft.feedback}
          onChange={put('feedback')}
        />
        <Choice label="Outcome" data={OUTCOMES} value={draft.outcome} onChange={put('outcome')} />
        <Choice
          label="Observed only"
          placeholder="Both"
          data={OBSERVED_CHOICES}
          value={draft.shadow}
          onChange={put('shadow')}
        />
        <Text name="session_id" label="Session id" placeholder="Your own, in full" draft={draft} put={put} />
        <Text name="request_id" label="Request id" placeholder="req_…" draft={draft} put={put} />
        <TimeFields
          period={draft.period}
          from={draft.from}
          to={draft.to}
          onChange={(times) => setDraft({ ...draft, ...times })}
        />
      </div>
    </Form>
  );
}

type Put = (name: FilterName) => (value: string | number | null) => void;

interface DraftProps {
  readonly draft: FilterChanges;
  readonly put: Put;
}

function SignupFields({ draft, put }: DraftProps) {
  return (
    <>
      <Text name="domain" label="Email domain" placeholder="example.com" draft={draft} put={put} />
      <Text name="ip" label="IP or IP range" placeholder="203.0.113.0/24" draft={draft} put={put} />
      <Choice
        label="Main finding"
        searchable
        data={FINDING_CHOICES}
        value={draft.finding}
        onChange={put('finding')}
      />
      <FieldPair>
        <ScoreLimit name="score_min" label="Score from" draft={draft} put={put} />
        <ScoreLimit name="score_max" label="to" draft={draft} put={put} />
      </FieldPair>
      <Text name="asn" label="Network" placeholder="AS64500" draft={draft} put={put} />
      <Text name="country" label="Country" placeholder="FR" draft={draft} put={put} />
    </>
  );
}

function Text({
  name,
  draft,
  put,
  ...words
}: DraftProps & { name: FilterName; label: string; placeholder: string }) {
  return (
    <TextInput
      {...words}
      size="xs"
      autoComplete="off"
      spellCheck={false}
      value={draft[name] ?? ''}
      onChange={(event) => put(name)(event.currentTarget.value)}
    />
  );
}

function ScoreLimit({
  name,
  label,
  draft,
  put,
}: DraftProps & { name: 'score_min' | 'score_max'; label: string }) {
  return (
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
}

interface ChoiceProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly searchable?: boolean;
  readonly data: { value: string; label: string }[];
  readonly value: string | undefined;
  onChange(value: string | null): void;
}

function Choice({ placeholder = 'Any', value, ...choice }: ChoiceProps) {
  return <Select {...choice} {...SELECT} size="xs" placeholder={placeholder} value={value ?? null} />;
}

/** Owners choose from all keys; members from the keys in the rows they see. */
function useKeyChoices(rows: readonly AssessmentRow[], chosen: string | undefined) {
  const { api, canManage, mode } = useScope();
  const keys = useGet<readonly KeyRow[]>(canManage ? api('keys') : null).data;
  const names = new Map(rows.map(({ key_id, key_name }) => [key_id, key_name]));
  for (const key of keys ?? []) if (key.mode === mode) names.set(key.id, key.name);
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, chosen);
  return [...names].map(([value, name]) => ({ value, label: name || value }));
}
