/** Puts anonymous records in the places of those that are erased: in the rows, then in the index of the history. */
import { anonymizeStatements } from '../erasure-statements.ts';
import type { AnonymousAssessment } from '../erasure-store.ts';
import type { SqlStatement } from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';
import { toSqlite } from '../to-sqlite.ts';
import { checksumOf, FIND_BATCH, readChecked, type StoredBatch } from './batch-checksum.ts';
import { endOfRange, rangeOf } from './batch-rows.ts';
import { type BatchRow, writeAttempt, writeDetails } from './batch-text.ts';
import type { RecordSource } from './record-source.ts';

export interface AnonymizeRecordsOptions {
  readonly reads: SqliteConnection;
  readonly source: Pick<RecordSource, 'findById'>;
  readonly submit: (job: StatementsJob) => Promise<unknown>;
  /** Lets the index read records again, by their numbers. */
  readonly rereadInIndex: (seqs: readonly number[]) => Promise<void>;
}

/** Writes a row unless it was changed meanwhile. */
const WRITE = `UPDATE assessment_batches SET first_id = ?, last_id = ?, ids = ?, attempts = ?, details = ?, crc32 = ?
  WHERE seq = ? AND ids = ? AND details = ?`;
/** Zeros as long as what was there, so that it is overwritten in its place: a row that moves could leave a copy in its page. */
const zeros = (column: string) =>
  `substr(hex(zeroblob(length(CAST(${column} AS BLOB)))), 1, length(CAST(${column} AS BLOB)))`;
const OVERWRITE = [
  `UPDATE feedback SET note = ${zeros('note')} WHERE request_id = $1 AND note IS NOT NULL`,
  `UPDATE challenges SET return_url = ${zeros('return_url')} WHERE request_id = $1 AND return_url IS NOT NULL`,
  `UPDATE challenges SET mailbox = ${zeros('mailbox')} WHERE request_id = $1 AND mailbox IS NOT NULL`,
  `UPDATE challenges SET network = ${zeros('network')} WHERE request_id = $1 AND network IS NOT NULL`,
];
/** Each may be in a batch of its own: a few milliseconds of the main thread, and of the writer. */
const AT_ONCE = 16;

export function createAnonymizeRecords(options: AnonymizeRecordsOptions) {
  const { reads, source, submit, rereadInIndex } = options;
  const find = reads.prepare(FIND_BATCH);
  const isStored = ({ erasedId }: AnonymousAssessment) => source.findById(erasedId) !== undefined;

  /** One statement a row, however many of its records are erased. */
  function rowsWithout(erased: readonly AnonymousAssessment[]): SqlStatement[] {
    const rows = new Map<number, { row: BatchRow; of: AnonymousAssessment[] }>();
    for (const each of erased) {
      const stored = find.get(each.erasedId, endOfRange(each.erasedId)) as StoredBatch | undefined;
      if (stored === undefined) continue;
      const row = readChecked(stored);
      const known = rows.get(row.seq) ?? { row, of: [] };
      known.of.push(each);
      rows.set(row.seq, known);
    }
    return [...rows.values()].map(({ row, of }) => writeRow(row, of));
  }

  return async function anonymizeAssessments(all: readonly AnonymousAssessment[]): Promise<void> {
    const seqs: number[] = [];
    for (let from = 0; from < all.length; from += AT_ONCE)
      seqs.push(...(await anonymizeSome(all.slice(from, from + AT_ONCE))));
    // Once: whole runs are written again for it.
    await rereadInIndex(seqs);
  };

  /** Returns their numbers. */
  async function anonymizeSome(some: readonly AnonymousAssessment[]): Promise<number[]> {
    const seqs = some.flatMap(({ erasedId }) => source.findById(erasedId)?.seq ?? []);
    for (let rest = some.filter(isStored); rest.length > 0; rest = rest.filter(isStored)) {
      const about = rest.flatMap(({ erasedId, replacement }) => [
        ...OVERWRITE.map((sql) => ({ sql, values: [erasedId] })),
        ...anonymizeStatements(erasedId, replacement.requestId),
      ]);
      await submit({ statements: [...rowsWithout(rest), ...about.map(toSqlite)] });
    }
    return seqs;
  }
}

function writeRow(row: BatchRow, erased: readonly AnonymousAssessment[]): SqlStatement {
  const ids = row.ids.split(' ');
  const [header = '', ...attempts] = row.attempts.split('\n');
  const details = row.details.split('\n');
  for (const { erasedId, replacement } of erased) {
    const place = ids.indexOf(erasedId);
    if (place < 0) continue;
    ids[place] = replacement.requestId;
    // The number of its group comes first.
    attempts[place] = writeAttempt(Number.parseInt(attempts[place] as string, 10), replacement);
    details[place] = writeDetails(replacement);
  }
  const { firstId, lastId } = rangeOf(ids);
  const texts = {
    ids: ids.join(' '),
    attempts: [header, ...attempts].join('\n'),
    details: details.join('\n'),
  };
  const checksum = checksumOf({ seq: row.seq, ...texts });
  const values = [firstId, lastId, ...Object.values(texts), checksum, row.seq, row.ids, row.details];
  return { sql: WRITE, values };
}
