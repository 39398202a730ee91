/** Decides how the URL contains the history's filter, and what the chip of each part says. */
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { AssessmentFilter, AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import { REASONS, type ReasonCode } from '../../../src/contract/reasons.ts';
import { isPeriod, PERIODS, useScope, useSetQuery } from '../scope.ts';
import type { FilterChip } from '../ui/filter-chips.tsx';
import { local } from '../ui/format.ts';
import { VERDICTS } from '../ui/verdicts.ts';

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

const FILTER_NAMES: Readonly<Record<FilterName, string>> = {
  verdict: 'Verdict',
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
  period: 'Time',
  from: 'From',
  to: 'Before',
  feedback: 'Feedback',
  session_id: 'Session',
  request_id: 'Request',
};

export const FEEDBACK_WORDS: Readonly<Record<string, string>> = {
  any: 'any',
  none: 'none',
  false_positive: 'good customer stopped',
  false_negative: 'fraud let in',
  confirmed_fraud: 'fraud confirmed',
};

const NAMES = Object.keys(FILTER_NAMES) as FilterName[];

export function useLogFilter(): UsedFilter {
  const { mode } = useScope();
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const text = search.toString();
  return useMemo(() => {
    const query = new URLSearchParams(text);
    const chosen = Object.fromEntries(
      NAMES.flatMap((name) => {
        const value = query.get(name);
        const unusable = name === 'period' && value !== null && !isPeriod(value);
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

/** The verdict has its own control beside the chips. */
export function chipsOf(chosen: Readonly<FilterChanges>, rows: readonly AssessmentRow[]): FilterChip[] {
  return NAMES.flatMap((name) => {
    const value = chosen[name];
    return value === undefined
      ? []
      : [{ id: name, name: FILTER_NAMES[name], value: wordsOf(name, value, rows) }];
  });
}

function wordsOf(name: FilterName, value: string, rows: readonly AssessmentRow[]): string {
  if (name === 'verdict') return VERDICTS[value as Verdict]?.word ?? value;
  if (name === 'shadow') return value === 'true' ? 'yes' : 'no';
  if (name === 'finding') return value === 'none' ? 'none' : labelOfDetector(value);
  if (name === 'reason') return REASONS[value as ReasonCode]?.label ?? value;
  if (name === 'period') return isPeriod(value) ? `Last ${PERIODS[value]}` : value;
  if (name === 'feedback') return FEEDBACK_WORDS[value] ?? value;
  // A key is filtered by its id; people who may not see the keys still see its name in the rows.
  if (name === 'key') return rows.find(({ key_id }) => key_id === value)?.key_name || value;
  // A mailbox is filtered by a hash: all of its signups have the same masked address.
  if (name === 'mailbox') return rows[0]?.email ?? 'of one person';
  if (name === 'from' || name === 'to') return Number.isNaN(Date.parse(value)) ? value : local(value);
  return value;
}
