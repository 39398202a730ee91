/** The filter of an audit log: what was done, by whom, and since when. It lives in the URL. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSetQuery } from '../scope.ts';
import { actionChoices } from './audit-action-words.ts';
import styles from './audit-page.module.css';

const DAY_MS = 86_400_000;
/** Lengths in days. */
const LENGTHS = [
  { value: '', label: 'At any time' },
  { value: '1', label: 'In the last 24 hours' },
  { value: '7', label: 'In the last 7 days' },
  { value: '30', label: 'In the last 30 days' },
  { value: '365', label: 'In the last year' },
];

export interface AuditFilterQuery {
  readonly action: string | undefined;
  readonly by: string | undefined;
  readonly since: string | undefined;
}

export interface UsedAuditFilter {
  /** Filter as it is sent. */
  readonly query: AuditFilterQuery;
  readonly isUsed: boolean;
  clear(): void;
}

export function useAuditFilter(): UsedAuditFilter {
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const of = (name: string) => search.get(name) || undefined;
  const [action, by, days] = [of('action'), of('by'), of('days')];
  return {
    query: { action, by, since: startOf(days) },
    isUsed: [action, by, days].some((value) => value !== undefined),
    clear: () => setQuery({ action: undefined, by: undefined, days: undefined }),
  };
}

/** Start in whole minutes, so that the same page is not asked for again and again. */
function startOf(days: string | undefined): string | undefined {
  if (days === undefined || !/^\d{1,4}$/.test(days)) return undefined;
  const at = Date.now() - Number(days) * DAY_MS;
  return new Date(Math.floor(at / 60_000) * 60_000).toISOString();
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
      <Person key={search.get('by')} by={search.get('by') ?? ''} onApply={(by) => setQuery({ by })} />
      <NativeSelect
        size="xs"
        aria-label="When"
        data={LENGTHS}
        value={search.get('days') ?? ''}
        onChange={(event) => setQuery({ days: event.currentTarget.value })}
      />
    </div>
  );
}

/** Asks when somebody has typed, and not for every letter. */
function Person({ by, onApply }: { by: string; onApply(by: string): void }) {
  const [text, setText] = useState(by);
  const apply = () => text.trim() !== by && onApply(text.trim());
  return (
    <TextInput
      size="xs"
      type="search"
      aria-label="By whom"
      placeholder="Person, token or command line"
      value={text}
      maxLength={300}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}
