/** How much a search over runs reads before it gives a partial answer, and that it goes on from there. */
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { createSearch, MAX_ROWS_READ } from '../history-search.ts';
import type { HistoryPosition } from '../history-store.ts';
import { createRunSource } from './history-source.ts';
import { SCANNED_A_READ } from './run-cursor.ts';
import { toRunRecord } from './run-record.ts';
import { RUN_SIZE } from './run-segment.ts';
import { createRunTable } from './run-table.ts';

const RUNS = 6;

it('looks through a bounded number at a time, without leaving anything out', async () => {
  const { cap: _, claim: __, ...assessment } = anAssessment();
  const record = (seq: number) => ({
    ...assessment,
    requestId: `req_${seq}`,
    seq,
    at: seq,
    score: seq % 40_000 === 7 ? 99 : 5,
  });
  const segments = Array.from({ length: RUNS }, (_, run) => {
    const table = createRunTable(run * RUN_SIZE + 1);
    const seqs = Array.from({ length: RUN_SIZE }, (_, index) => run * RUN_SIZE + 1 + index);
    table.add(seqs.map((seq) => toRunRecord(record(seq))));
    return table;
  });
  const search = createSearch(
    createRunSource({
      segments: () => segments,
      source: { findById: () => undefined },
      postFeedback: () => () => ({ count: 0, positions: () => new Uint16Array() }),
      rows: {
        read: async (_account, _search, seqs) =>
          seqs.map((seq) => ({ request_id: `req_${seq}`, at: seq, seq }) as never),
        readHeads: async () => [],
      },
    }),
  );
  const found: string[] = [];
  const partial: boolean[] = [];
  let after: HistoryPosition | null = null;
  do {
    const page = await search('acc_a', { scoreMin: 99 }, after, 50);
    found.push(...page.rows.map(({ request_id: id }) => id));
    partial.push(page.partial);
    expect(page.rowsRead).toBeLessThan(MAX_ROWS_READ * 1.2);
    after = page.next;
  } while (after !== null);
  expect(found).toEqual(Array.from({ length: 10 }, (_, index) => `req_${(9 - index) * 40_000 + 7}`));
  expect(partial).toEqual([true, false]);
  expect(MAX_ROWS_READ * SCANNED_A_READ).toBeLessThan(RUNS * RUN_SIZE);
});
