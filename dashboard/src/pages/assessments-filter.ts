/** Decides how the URL contains the history's filter, and what the chip of each part says. */
import { useMemo } from 'react';
import { useSearch } from 'wouter';
import type { AssessmentFilter, RecentSpan } from '../../../src/contract/dashboard-assessments.ts';
import { PERIODS, useScope, useSetQuery } from '../scope.ts';

/** Live or test is chosen in the top bar. */
export type FilterName = Exclude<keyof AssessmentFilter, 'mode'>;
export type FilterChanges = Partial<Record<FilterName, string | undefined>>;

export interface UsedFilter {
  readonly filter: AssessmentFilter;
  /** The parts of the filter that were chosen on this page. */
  readonly chosen: Readonly<FilterChanges>;
  set(changes: FilterChanges): void;
  clear(): void;
}

export const FILTER_NAMES: Readonly<Record<FilterName, string>> = {
  verdict: 'Verdict',
  let_in: 'Let in',
  shadow: 'Observed only',
  finding: 'Main finding',
  reason: 'Reason',
  score_min: 'Score at least',
  score_max: 'Score at most',
  domain: 'Domain',
  ip: 'IP',
  asn: 'Network',
  country: 'Country',
  key: 'Key',
  mailbox: 'Mailbox',
  mail_host: 'Mail host',
  list_entry: 'List entry',
  campaign: 'Wave',
  period: 'Time',
  from: 'From',
  to: 'Before',
  feedback: 'Feedback',
  session_id: 'Session',
  request_id: 'Request',
  outcome: 'Outcome',
  attack: 'Attack',
  recalled: 'Recall',
};

export const FEEDBACK_WORDS: Readonly<Record<string, string>> = {
  any: 'any',
  none: 'none',
  false_positive: 'good customer stopped',
  false_negative: 'fraud let in',
  confirmed_fraud: 'fraud confirmed',
};

/** Spans that move with the clock, in words after `Last`. */
export const RECENT_SPANS = { '1h': '60 minutes', ...PERIODS } as const satisfies Record<RecentSpan, string>;

export function isRecentSpan(text: string | undefined): text is RecentSpan {
  return text !== undefined && Object.hasOwn(RECENT_SPANS, text);
}

/** A filter as the address has it, always in the same order. */
export function filterQuery(chosen: Readonly<FilterChanges>): string {
  const query = new URLSearchParams(
    Object.entries(chosen).filter(([, value]) => value) as [string, string][],
  );
  query.sort();
  return String(query);
}

/** Changes after which the filter is this one and no other. */
export function toFilter(query: string): FilterChanges {
  const values = new URLSearchParams(query);
  return Object.fromEntries(NAMES.map((name) => [name, values.get(name) ?? undefined]));
}

export const NAMES = Object.keys(FILTER_NAMES) as FilterName[];

export function useLogFilter(): UsedFilter {
  const { mode } = useScope();
  const setQuery = useSetQuery();
  const text = useSearch();
  return useMemo(() => {
    const query = new URLSearchParams(text);
    const chosen = Object.fromEntries(
      NAMES.flatMap((name) => {
        const value = query.get(name);
        const unusable = name === 'period' && value !== null && !isRecentSpan(value);
        return value === null || value === '' || unusable ? [] : [[name, value]];
      }),
    ) as FilterChanges;
    return {
      filter: { mode, ...chosen } as AssessmentFilter,
      chosen,
      // A filter is a step in the history, so Back removes it.
      set: (changes) => setQuery(changes, { push: true }),
      clear: () => setQuery(Object.fromEntries(NAMES.map((name) => [name, undefined])), { push: true }),
    };
  }, [text, mode, setQuery]);
}
