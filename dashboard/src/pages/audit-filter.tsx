/** The filter of an audit log: what was done, by whom, to what, and when. It lives in the URL. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSetQuery } from '../scope.ts';
import type { Times } from '../ui/times.ts';
import { useTimes } from '../ui/use-times.ts';
import { actionChoices } from './audit-action-words.ts';
import styles from './audit-page.module.css';

const DAY_MS = 86_400_000;
const RANGE = 'range';
/** Lengths in days. */
const LENGTHS = [
  { value: '', label: 'At any time' },
  { value: '1', label: 'In the last 24 hours' },
  { value: '7', label: 'In the last 7 days' },
  { value: '30', label: 'In the last 30 days' },
  { value: '365', label: 'In the last year' },
  { value: RANGE, label: 'Between two days' },
];

export interface AuditFilterQuery {
  readonly action: string | undefined;
  readonly by: string | undefined;
  readonly target: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Members of the URL. */
const NAMES = ['action', 'by', 'target', 'days', 'from', 'to'];

export interface UsedAuditFilter {
  /** Filter as it is sent. */
  readonly query: AuditFilterQuery;
  readonly isUsed: boolean;
  clear(): void;
}

export function useAuditFilter(): UsedAuditFilter {
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const times = useTimes();
  const of = (name: string) => search.get(name) || undefined;
  const period =
    of('days') === RANGE
      ? { since: dayAt(of('from'), 0, times), until: dayAt(of('to'), 1, times) }
      : { since: startOf(of('days')), until: undefined };
  return {
    query: { action: of('action'), by: of('by'), target: of('target'), ...period },
    isUsed: NAMES.some((name) => of(name) !== undefined),
    clear: () => setQuery(Object.fromEntries(NAMES.map((name) => [name, undefined]))),
  };
}

/** Start in whole minutes, so that the same page is not asked for again and again. */
function startOf(days: string | undefined): string | undefined {
  if (days === undefined || !/^\d{1,4}$/.test(days)) return undefined;
  const at = Date.now() - Number(days) * DAY_MS;
  return new Date(Math.floor(at / 60_000) * 60_000).toISOString();
}

/** Start of a day by the clock of the account, some days later; `undefined` for what is no day. */
function dayAt(day: string | undefined, daysLater: number, { wallClock }: Times): string | undefined {
  const wall = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(wall)
    ? undefined
    : new Date(wallClock.instantOf(wall + daysLater * DAY_MS)).toISOString();
}

export function AuditFilter() {
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  return (
    <div className={styles.filter}>
      <NativeSelect
        size="xs"
        aria-label="What was done"
        data={actionChoices(search.get('action') ?? '')}
        value={search.get('action') ?? ''}
        onChange={(event) => setQuery({ action: event.currentTarget.value })}
      />
      <TextPart name="by" label="By whom" placeholder="Person or token" />
      <TextPart name="target" label="Object" placeholder="Object or value" />
      <NativeSelect
        size="xs"
        aria-label="When"
        data={LENGTHS}
        value={search.get('days') ?? ''}
        onChange={(event) => setQuery({ days: event.currentTarget.value, from: undefined, to: undefined })}
      />
      {search.get('days') === RANGE &&
        (['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            size="xs"
            type="date"
            aria-label={name === 'from' ? 'First day' : 'Last day'}
            value={search.get(name) ?? ''}
            onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
          />
        ))}
    </div>
  );
}

/** Asks when somebody has typed, and not for every letter. */
function TextPart(props: TextPartProps) {
  const [search] = useSearchParams();
  const value = search.get(props.name) ?? '';
  return <TextField key={value} {...props} value={value} />;
}

interface TextPartProps {
  readonly name: 'by' | 'target';
  readonly label: string;
  readonly placeholder: string;
}

function TextField({ name, label, placeholder, value }: TextPartProps & { value: string }) {
  const setQuery = useSetQuery();
  const [text, setText] = useState(value);
  const apply = () => text.trim() !== value && setQuery({ [name]: text.trim() });
  return (
    <TextInput
      size="xs"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      maxLength={300}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}
