/** Counts and groups what a search finds, by any of the columns. */
import { SLOT_MS } from '../history-store.ts';
import { needsRecords } from './run-conditions.ts';
import { gather, type RunPlace } from './run-cursor.ts';
import { type ScanOptions, scanSegments } from './run-scan.ts';
import { type ColumnName, isShadow, modeOf, reasonNumbers, type Segment, verdictOf } from './run-segment.ts';

export interface GroupOptions extends ScanOptions {
  readonly by: readonly GroupColumn[];
  /** The newest so many are counted. */
  readonly maxCounted: number;
  /** The largest so many groups are returned. */
  readonly maxGroups: number;
  /** Keeps the places that the search finds, where columns do not decide it. */
  readonly verify: (places: readonly RunPlace[]) => Promise<readonly RunPlace[]>;
}

/** `reasons` are the codes of an assessment together, separated by spaces; `slot` and `day` count from the epoch. */
export type GroupColumn = keyof typeof GROUP_COLUMNS;

export interface CountedGroup {
  /** Values in the order of `by`. */
  readonly values: readonly (string | number | boolean)[];
  readonly count: number;
  /** Times at which its newest and its oldest were made. */
  readonly newestAt: number;
  readonly oldestAt: number;
}

export interface CountedGroups {
  /** The largest first. */
  readonly groups: readonly CountedGroup[];
  readonly counted: number;
  /** Set where there are more than were counted: those older than this instant are missing. */
  readonly reached: number | null;
}

interface Column {
  readonly column: ColumnName;
  /** Returns the part of the column's value that is grouped by. */
  readonly reduce: (value: number) => number;
  readonly decode: (reduced: number, segment: Segment) => string | number | boolean;
}

const DAY_MS = 86_400_000;
const VERIFIED_AT_ONCE = 1_000;
const identity = (value: number) => value;
const ofDictionary = (dictionary: 'key' | 'country' | 'domain' | 'finding'): Column => ({
  column: dictionary,
  reduce: identity,
  decode: (number, segment) => segment.textOf(dictionary, number),
});
const GROUP_COLUMNS = {
  verdict: { column: 'flags', reduce: (flags) => flags & 3, decode: (flags) => verdictOf(flags) },
  mode: { column: 'flags', reduce: (flags) => flags & 4, decode: (flags) => modeOf(flags) },
  shadow: { column: 'flags', reduce: (flags) => flags & 8, decode: (flags) => isShadow(flags) },
  score: { column: 'score', reduce: identity, decode: identity },
  asn: { column: 'asn', reduce: identity, decode: identity },
  key: ofDictionary('key'),
  country: ofDictionary('country'),
  domain: ofDictionary('domain'),
  /** Detector of the main finding; empty: there is none. */
  finding: ofDictionary('finding'),
  reasons: {
    column: 'reasons',
    reduce: identity,
    decode: (mask, segment) => reasonsOf(mask, segment).join(' '),
  },
  slot: { column: 'at', reduce: (at) => Math.floor(at / SLOT_MS), decode: identity },
  day: { column: 'at', reduce: (at) => Math.floor(at / DAY_MS), decode: identity },
} as const satisfies Record<string, Column>;

export function reasonsOf(mask: number, segment: Segment): string[] {
  return reasonNumbers(mask).map((number) => segment.textOf('reason', number));
}

export async function countGroups(options: GroupOptions): Promise<CountedGroups> {
  const { search, by, maxCounted, maxGroups, verify } = options;
  const scan = scanSegments(options);
  const groups = new Map<string, Group>();
  let counted = 0;
  for (let ended = false; !ended && counted < maxCounted; ) {
    const places: RunPlace[] = [];
    while (places.length < Math.min(VERIFIED_AT_ONCE, maxCounted - counted)) {
      const { place, cost } = scan.take();
      if (place !== null) places.push(place);
      ended = place === null && cost === 0;
      if (ended) break;
    }
    const found = needsRecords(search) ? await verify(places) : places;
    counted += found.length;
    for (const [segment, positions] of bySegment(found)) addGroups(groups, by, segment, positions);
  }
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count || b.newestAt - a.newestAt);
  return {
    groups: sorted.slice(0, maxGroups),
    counted,
    reached: counted < maxCounted ? null : Math.min(...sorted.map(({ oldestAt }) => oldestAt)),
  };
}

interface Group {
  readonly values: readonly (string | number | boolean)[];
  count: number;
  newestAt: number;
  oldestAt: number;
}

/** Numbers of dictionaries differ from segment to segment: what they stand for is what groups share. */
function addGroups(
  groups: Map<string, Group>,
  by: readonly GroupColumn[],
  segment: Segment,
  positions: Uint16Array,
): void {
  const columns = by.map((name): Column => GROUP_COLUMNS[name]);
  const values = columns.map(({ column }) => gather(segment, column, positions));
  const at = gather(segment, 'at', positions);
  const known = new Map<string, Group>();
  for (let index = 0; index < positions.length; index += 1) {
    const reduced = columns.map(({ reduce }, column) => reduce(values[column]?.[index] as number));
    const local = reduced.join(' ');
    const group =
      known.get(local) ??
      groupOf(columns.map(({ decode }, column) => decode(reduced[column] as number, segment)));
    known.set(local, group);
    group.count += 1;
    group.newestAt = Math.max(group.newestAt, at[index] as number);
    group.oldestAt = Math.min(group.oldestAt, at[index] as number);
  }

  function groupOf(decoded: Group['values']): Group {
    const name = JSON.stringify(decoded);
    const group = groups.get(name) ?? {
      values: decoded,
      count: 0,
      newestAt: Number.NEGATIVE_INFINITY,
      oldestAt: Number.POSITIVE_INFINITY,
    };
    groups.set(name, group);
    return group;
  }
}

/** The positions of each segment, in ascending order. */
export function bySegment(places: readonly RunPlace[]): Map<Segment, Uint16Array> {
  const found = new Map<Segment, number[]>();
  for (const { segment, position } of places) {
    const positions = found.get(segment) ?? [];
    positions.push(position);
    found.set(segment, positions);
  }
  return new Map([...found].map(([segment, positions]) => [segment, Uint16Array.from(positions).sort()]));
}
