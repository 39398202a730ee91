/** Decides which filter finds exactly the signups of a group, and of all groups that are not shown. */
import type { AssessmentFilter } from '../contract/dashboard-assessments.ts';
import type { FilterMembers, Grouping } from '../contract/dashboard-signup-counts.ts';
import { type FilterValues, formatFilterValues, parseFilterValues } from '../contract/filter-values.ts';
import { HOUR_MS } from '../store/history-groups.ts';
import { type AddressBlock, isWithin } from '../store/history-search.ts';
import type { HistorySearch } from '../store/history-store.ts';
import { toInstant } from './dashboard-history.ts';
import type { SearchReaders } from './dashboard-history-filter.ts';

export interface GroupedFilter {
  readonly by: Grouping;
  /** The filter whose signups were grouped, as it was sent, and as it was read. */
  readonly filter: AssessmentFilter;
  readonly search: HistorySearch;
  readonly readers: SearchReaders;
}

const NAMES = {
  range: 'ip',
  network: 'asn',
  domain: 'domain',
  finding: 'finding',
  mailbox: 'mailbox',
  mail_host: 'mail_host',
  session: 'session_id',
  country: 'country',
  key: 'key',
} as const satisfies { readonly [By in Exclude<Grouping, 'hour'>]: keyof AssessmentFilter };
const MAX_VALUES = 100;

/** Members that replace those of the filter; an empty one removes its member. */
export function groupFilter(grouped: GroupedFilter, value: string | null): FilterMembers {
  const { by, filter, search, readers } = grouped;
  if (by === 'hour') return hourFilter(search, Date.parse(value as string));
  const { any, not } = parseFilterValues(filter[NAMES[by]] ?? '');
  const narrower = by === 'range' && value !== null ? partsOf(value, any, readers) : [];
  return written(by, { any: narrower.length === 0 ? [value] : narrower, not });
}

/** `null` where no filter finds exactly these. */
export function othersFilter(
  { by, filter }: GroupedFilter,
  values: readonly (string | null)[],
): FilterMembers | null {
  if (by === 'hour') return null;
  const { any, not } = parseFilterValues(filter[NAMES[by]] ?? '');
  if (any.length + not.length + values.length > MAX_VALUES) return null;
  return written(by, { any, not: [...not, ...values] });
}

function written(by: Exclude<Grouping, 'hour'>, values: FilterValues): FilterMembers {
  return { [NAMES[by]]: formatFilterValues(values) };
}

/** The hour as far as the filter reaches; a period would move away from it. */
function hourFilter({ from = 0, to = Number.POSITIVE_INFINITY }: HistorySearch, hour: number): FilterMembers {
  return {
    from: toInstant(Math.max(from, hour)),
    to: toInstant(Math.min(to, hour + HOUR_MS)),
    period: '',
  };
}

/** The blocks of the filter that are parts of a range: what it finds of that. None where it finds all. */
function partsOf(
  range: string,
  blocks: readonly (string | null)[],
  { block }: SearchReaders,
): (string | null)[] {
  const whole = block(range);
  if (whole === undefined) return [];
  const contains = (outer: AddressBlock, inner: AddressBlock) =>
    isWithin(inner.first, outer) && isWithin(inner.last, outer);
  const parts: string[] = [];
  for (const text of blocks) {
    const other = text === null ? undefined : block(text);
    if (other === undefined) continue;
    if (contains(other, whole)) return [];
    if (contains(whole, other)) parts.push(text as string);
  }
  return parts;
}
