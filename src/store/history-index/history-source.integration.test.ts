/** How much a search over runs reads before it gives a partial answer, and that it continues from there. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import {
  createSearch,
  type FoundAssessment,
  MAX_ROWS_READ,
  type RelatedSearch,
  type SearchHistory,
} from '../history-search.ts';
import type { HistoryPosition } from '../history-store.ts';
import type { HistoryRows } from './history-rows.ts';
import { createRunSource } from './history-source.ts';
import { SCANNED_A_READ } from './run-cursor.ts';
import { toRunRecord } from './run-record.ts';
import { RUN_SIZE } from './run-segment.ts';
import { createRunTable, type RunTable } from './run-table.ts';

const RUNS = 6;
const { cap: _, claim: __, ...assessment } = anAssessment();

/** A search over tables of records, of which only some match. */
function createTableSearch(tables: readonly RunTable[], isFound: (seq: number) => boolean) {
  const read: HistoryRows['read'] = async (_account, _search, seqs) =>
    seqs
      .filter(isFound)
      .map((seq) => ({ entry: { requestId: `req_${seq}`, at: atOf(tables, seq) }, seq }) as FoundAssessment);
  return createSearch(
    createRunSource({
      segments: () => tables,
      source: { findById: () => undefined },
      postFeedback: () => () => ({ count: 0, positions: () => new Uint16Array() }),
      rows: { read },
    }),
  );
}

function atOf(tables: readonly RunTable[], seq: number): number {
  for (const { count, firstSeq, column } of tables) {
    const span = { start: 0, end: count };
    const position = column('seq', span).indexOf(seq - firstSeq);
    if (position >= 0 && seq - firstSeq < RUN_SIZE) return column('at', span)[position] as number;
  }
  throw new Error('never');
}

async function searchAll(
  search: SearchHistory,
  criteria: RelatedSearch,
  limit: number,
  maxRowsRead?: number,
) {
  const found: number[] = [];
  const partial: boolean[] = [];
  let maxPageRows = 0;
  let after: HistoryPosition | null = null;
  do {
    const page = await search('acc_a', criteria, after, limit, maxRowsRead);
    found.push(...page.found.map(({ seq }) => seq));
    partial.push(page.partial);
    maxPageRows = Math.max(maxPageRows, page.rowsRead);
    after = page.next;
  } while (after !== null);
  return { found, partial, maxPageRows };
}

it('searches in limited steps, without missing anything', async () => {
  const same = toRunRecord({ ...assessment, seq: 0 });
  const tables = Array.from({ length: RUNS }, (_, run) => {
    const table = createRunTable(run * RUN_SIZE + 1);
    const seqs = Array.from({ length: RUN_SIZE }, (_, index) => run * RUN_SIZE + 1 + index);
    const scoreOf = (seq: number) => (seq % 40_000 === 7 ? 99 : 5);
    table.add(seqs.map((seq) => ({ ...same, seq, at: seq, score: scoreOf(seq) })));
    return table;
  });
  const search = createTableSearch(tables, () => true);
  const { found, partial, maxPageRows } = await searchAll(search, { scoreMin: 99 }, 50);
  expect(found).toEqual(Array.from({ length: 10 }, (_, index) => (9 - index) * 40_000 + 7));
  expect(partial).toEqual([true, false]);
  expect(maxPageRows).toBeLessThan(MAX_ROWS_READ * 1.2);
  expect(MAX_ROWS_READ * SCANNED_A_READ).toBeLessThan(RUNS * RUN_SIZE);
});

it('continues from any position where it stopped, also between records of the same instant', async () => {
  const places = fc.array(fc.nat(9), { minLength: 300, maxLength: 500 });
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 1, max: 20 }), fc.nat(10), async (times, limit, remainder) => {
      const isFound = (seq: number) => seq % 11 === remainder;
      const records = times.map((at, index) => ({ ...assessment, seq: index + 1, at, score: 5 }));
      const tables = [0, 1, 2].map((run) => {
        const table = createRunTable(run * RUN_SIZE + 1);
        const own = records.filter((_, index) => index % 3 === run);
        table.add(own.map((record) => toRunRecord({ ...record, seq: run * RUN_SIZE + record.seq })));
        return table;
      });
      const search = createTableSearch(tables, isFound);
      const expected = records
        .map(({ seq, at }, index) => ({ seq: (index % 3) * RUN_SIZE + seq, at }))
        .sort((a, b) => b.at - a.at || b.seq - a.seq)
        .flatMap(({ seq }) => (isFound(seq) ? [seq] : []));
      const { found } = await searchAll(search, {}, limit, 100);
      expect(found).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});
