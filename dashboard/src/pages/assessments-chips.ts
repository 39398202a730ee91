/** Decides what the chips of the filter say: one for each value, and what a click on it changes. */
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { formatFilterValues, parseFilterValues } from '../../../src/contract/filter-values.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import { REASONS, type ReasonCode } from '../../../src/contract/reasons.ts';
import type { FilterChip } from '../ui/filter-chips.tsx';
import { countryName } from '../ui/format.ts';
import type { Times } from '../ui/times.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import { outcomeChoiceWords } from './assessment-outcome-words.ts';
import {
  FEEDBACK_WORDS,
  FILTER_NAMES,
  type FilterChanges,
  type FilterName,
  isRecentSpan,
  NAMES,
  RECENT_SPANS,
} from './assessments-filter.ts';

type SetFilter = (changes: FilterChanges) => void;
type Rows = readonly AssessmentRow[];
/** The name of an entry of a list or of a wave, once it is known. */
export type NameOf = (name: FilterName, id: string) => string | undefined;

interface ChipOptions {
  readonly rows: Rows;
  readonly times: Times;
  readonly nameOf: NameOf;
  readonly set: SetFilter;
}

/** Members with one value each; all others may have several, and values to leave out. */
const SINGLE: ReadonlySet<FilterName> = new Set([
  'let_in',
  'shadow',
  'score_min',
  'score_max',
  'period',
  'from',
  'to',
  'attack',
  'recalled',
  'outcome',
]);

export function chipsOf(chosen: Readonly<FilterChanges>, options: ChipOptions): FilterChip[] {
  const { times, set } = options;
  return NAMES.flatMap((name) => {
    const text = chosen[name];
    // A single verdict has its own control beside the chips; both ends of a time are one chip.
    if (text === undefined || name === 'to' || (name === 'verdict' && text in VERDICTS)) return [];
    if (name === 'from') return [timeChip(chosen, times, set)];
    return SINGLE.has(name) ? [singleChip(name, text, set)] : valueChips(name, text, options);
  }).concat(chosen.from === undefined && chosen.to !== undefined ? [timeChip(chosen, times, set)] : []);
}

function timeChip({ from, to }: Readonly<FilterChanges>, times: Times, set: SetFilter): FilterChip {
  return {
    id: 'time',
    name: 'Time',
    value: times.window(from, to, Date.now()),
    onRemove: () => set({ from: undefined, to: undefined }),
  };
}

function singleChip(name: FilterName, text: string, set: SetFilter): FilterChip {
  return {
    id: name,
    name: FILTER_NAMES[name],
    value: singleWords(name, text),
    onRemove: () => set({ [name]: undefined }),
  };
}

function valueChips(name: FilterName, text: string, options: ChipOptions): FilterChip[] {
  const { set } = options;
  const { any, not } = parseFilterValues(text);
  const put = (values: { any: typeof any; not: typeof any }) =>
    set({ [name]: formatFilterValues(values) || undefined });
  const without = (values: typeof any, value: string | null) => values.filter((other) => other !== value);
  const chip = (value: string | null, isNot: boolean): FilterChip => ({
    id: `${name} ${isNot ? 'not' : 'is'} ${value ?? ''}`,
    name: isNot ? `${FILTER_NAMES[name]} not` : FILTER_NAMES[name],
    value: valueWords(name, value, options),
    onRemove: () => put(isNot ? { any, not: without(not, value) } : { any: without(any, value), not }),
    toggle: {
      label: isNot ? 'Show only these' : 'Leave these out',
      onToggle: () =>
        put(
          isNot
            ? { any: [...any, value], not: without(not, value) }
            : { any: without(any, value), not: [...not, value] },
        ),
    },
  });
  return [...any.map((value) => chip(value, false)), ...not.map((value) => chip(value, true))];
}

function singleWords(name: FilterName, text: string): string {
  if (name === 'shadow' || name === 'let_in') return text === 'true' ? 'yes' : 'no';
  if (name === 'recalled') return 'would not come in now';
  if (name === 'outcome') return outcomeChoiceWords(text);
  if (name === 'attack') return text.startsWith('cmp_') ? 'one wave' : 'one alert';
  return name === 'period' && isRecentSpan(text) ? `Last ${RECENT_SPANS[text]}` : text;
}

function valueWords(name: FilterName, value: string | null, { rows, nameOf }: ChipOptions): string {
  if (value === null) return 'none';
  if (name === 'verdict') return VERDICTS[value as Verdict]?.word ?? value;
  if (name === 'finding') return labelOfDetector(value);
  if (name === 'reason') return REASONS[value as ReasonCode]?.label ?? value;
  if (name === 'feedback') return FEEDBACK_WORDS[value] ?? value;
  if (name === 'country') return countryName(value.toUpperCase());
  if (name === 'domain' && value.startsWith('.')) return `${value.slice(1)} and its sub-domains`;
  if (name === 'list_entry' || name === 'campaign') return nameOf(name, value) ?? value;
  // Rows of one mailbox all have its address, masked.
  if (name === 'mailbox') return rows[0]?.email ?? 'one mailbox';
  // A key is filtered by its id; people who may not see the keys still see its name in the rows.
  if (name === 'key') return rows.find(({ key_id }) => key_id === value)?.key_name || value;
  return value;
}
