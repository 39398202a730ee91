/** Stores assessments in an embedded database file as its writer does, many at once and without a store. */
import type { SqliteConnection } from '../../src/platform/sqlite-driver.ts';
import { toParts } from '../../src/store/records/batch-rows.ts';
import { toTexts } from '../../src/store/records/record-batch.ts';
import { batchValues, INSERT_BATCH } from '../../src/store/records/recorder.ts';
import { firstIdAt } from '../../src/store/request-time.ts';
import { inTransaction } from '../../src/store/sqlite-connection.ts';
import type { StoredAssessment } from '../../src/store/stored-assessment.ts';

const AT_ONCE = 1_000;

/** @param firstSeq number of the first; the others get the next ones */
export function insertRecords(
  connection: SqliteConnection,
  firstSeq: number,
  records: readonly StoredAssessment[],
): void {
  const insert = connection.prepare(INSERT_BATCH);
  inTransaction(connection, () => {
    let seq = firstSeq;
    for (let from = 0; from < records.length; from += AT_ONCE)
      for (const part of toParts(toTexts(records.slice(from, from + AT_ONCE)))) {
        insert.run(batchValues(seq, part));
        seq += part.count;
      }
  });
}

/** The id of an assessment at an instant (milliseconds since the epoch) that its number makes unique. */
export function idOf(at: number, number: number): string {
  return `${firstIdAt(at)}${String(number).padStart(16, '0')}`;
}
