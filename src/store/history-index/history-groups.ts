/** Counts what a search finds by the values of a property: by columns alone where these decide it, else by records. */
import { type CountPage, countFound, type GroupCount, HOUR_MS, MINUTE_MS } from '../history-groups.ts';
import { NEWEST } from '../history-search.ts';
import type { GroupBy } from '../history-store.ts';
import { type PostFeedback, postedFeedbackOf } from './history-feedback.ts';
import type { HistoryRows } from './history-rows.ts';
import { needsRecords } from './run-conditions.ts';
import { gather, type RunPlace } from './run-cursor.ts';
import { bySegment } from './run-groups.ts';
import { type RunScan, scanSegments } from './run-scan.ts';
import { type ColumnName, isShadow, type Segment, verdictOf } from './run-segment.ts';

export interface CountPageOptions {
  readonly segments: () => readonly Segment[];
  readonly postFeedback: PostFeedback;
  readonly rows: HistoryRows;
}

interface GroupColumn {
  readonly column: ColumnName;
  readonly reduce: (value: number) => number;
  readonly decode: (reduced: number, segment: Segment) => string | null;
}

/** Numbers so small that the thread is busy for some milliseconds only. */
const RECORDS_AT_ONCE = 1_000;
const PLACES_AT_ONCE = 8_000;
const identity = (value: number) => value;
const ofDictionary = (dictionary: 'key' | 'country' | 'domain' | 'finding'): GroupColumn => ({
  column: dictionary,
  reduce: identity,
  decode: (number, segment) => segment.textOf(dictionary, number) || null,
});
const GROUP_COLUMNS: { readonly [By in GroupBy]?: GroupColumn } = {
  all: { column: 'flags', reduce: () => 0, decode: () => null },
  network: { column: 'asn', reduce: identity, decode: (asn) => (asn === 0 ? null : String(asn)) },
  domain: ofDictionary('domain'),
  country: ofDictionary('country'),
  key: ofDictionary('key'),
  finding: ofDictionary('finding'),
  hour: { column: 'at', reduce: (at) => Math.floor(at / HOUR_MS), decode: String },
  minute: { column: 'at', reduce: (at) => Math.floor(at / MINUTE_MS), decode: String },
};

export function createCountPage({ segments, postFeedback, rows }: CountPageOptions): CountPage {
  return async (accountId, search, by, after, maxRows) => {
    const { from = 0, to } = search;
    const newest = after ?? NEWEST;
    const before = to === undefined || newest.at < to ? newest : { at: to, seq: 0 };
    const posted = postedFeedbackOf(search, (label) => postFeedback(accountId, label));
    const scan = scanSegments({ segments: segments(), accountId, search, range: { before, from }, posted });
    const column = needsRecords(search) ? undefined : GROUP_COLUMNS[by];
    const { places, cost, ended } = takePlaces(
      scan,
      Math.min(maxRows, column === undefined ? RECORDS_AT_ONCE : PLACES_AT_ONCE),
    );
    const head = ended ? null : scan.head();
    return {
      counts: column === undefined ? await countRecords(places) : countColumns(places, column),
      rowsRead: Math.ceil(cost),
      next: head && { at: head.at, seq: head.seq + 1 },
    };

    async function countRecords(found: readonly RunPlace[]): Promise<GroupCount[]> {
      const seqs = found.map(({ seq }) => seq);
      return countFound(await rows.read(accountId, search, seqs), by);
    }
  };
}

function takePlaces(scan: RunScan, maxCost: number): { places: RunPlace[]; cost: number; ended: boolean } {
  const places: RunPlace[] = [];
  let cost = 0;
  while (cost < maxCost) {
    const taken = scan.take();
    if (taken.cost === 0) return { places, cost, ended: true };
    cost += taken.cost;
    if (taken.place !== null) places.push(taken.place);
  }
  return { places, cost, ended: false };
}

/** Numbers of dictionaries differ from segment to segment: a group is there once for each. */
function countColumns(places: readonly RunPlace[], { column, reduce, decode }: GroupColumn): GroupCount[] {
  return [...bySegment(places)].flatMap(([segment, positions]) => {
    const values = gather(segment, column, positions);
    const flags = gather(segment, 'flags', positions);
    const at = gather(segment, 'at', positions);
    const groups = new Map<string, { value: number; flags: number; indexes: number[] }>();
    for (let index = 0; index < positions.length; index += 1) {
      const [value, flag] = [reduce(values[index] as number), flags[index] as number];
      const name = `${value} ${flag}`;
      const group = groups.get(name) ?? { value, flags: flag, indexes: [] };
      groups.set(name, group);
      group.indexes.push(index);
    }
    return [...groups.values()].map(({ value, flags: flag, indexes }): GroupCount => {
      // Positions of an account are in order of time.
      const timeOf = (index: number | undefined) => at[index as number] as number;
      return {
        value: decode(value, segment),
        verdict: verdictOf(flag),
        shadow: isShadow(flag),
        count: indexes.length,
        newestAt: timeOf(indexes.at(-1)),
        oldestAt: timeOf(indexes[0]),
      };
    });
  });
}
