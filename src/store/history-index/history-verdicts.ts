/** Counts by verdict what a search finds: by columns alone where these decide it. */
import type { HistoryDatabase } from '../history-queries.ts';
import { NEWEST, type RelatedSearch } from '../history-search.ts';
import type { HistoryRows } from './history-rows.ts';
import { needsRecords } from './run-conditions.ts';
import { gather, type RunPlace } from './run-cursor.ts';
import { bySegment } from './run-groups.ts';
import { type RunScan, scanSegments } from './run-scan.ts';
import { type Segment, verdictOf } from './run-segment.ts';

export interface CountVerdictsOptions {
  readonly segments: () => readonly Segment[];
  readonly rows: HistoryRows;
}

const READ_AT_ONCE = 1_000;

export function createCountVerdicts({
  segments,
  rows,
}: CountVerdictsOptions): HistoryDatabase['countVerdicts'] {
  async function find(accountId: string, search: RelatedSearch, places: readonly RunPlace[]) {
    if (!needsRecords(search)) return places;
    const found = await rows.read(
      accountId,
      search,
      places.map(({ seq }) => seq),
    );
    const seqs = new Set(found.map(({ seq }) => seq));
    return places.filter(({ seq }) => seqs.has(seq));
  }

  return async (accountId, search, maxRows) => {
    const { from = 0, to } = search;
    const before = to === undefined ? NEWEST : { at: to, seq: 0 };
    const scan = scanSegments({ segments: segments(), accountId, search, range: { before, from } });
    const counts = { allow: 0, challenge: 0, block: 0 };
    for (let rowsLeft = maxRows; rowsLeft > 0; ) {
      const { places, cost, ended } = takePlaces(scan, Math.min(rowsLeft, READ_AT_ONCE));
      rowsLeft -= cost;
      for (const [segment, positions] of bySegment(await find(accountId, search, places)))
        for (const flags of Array.from(gather(segment, 'flags', positions))) counts[verdictOf(flags)] += 1;
      if (ended) return { ...counts, reached: null };
    }
    return { ...counts, reached: scan.head()?.at ?? null };
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
