/** Blanks the IP and the address in assessments that are older than their retention: a few batches at a time, then the index of the history. */
import type { Prune } from '../pruner.ts';
import { firstIdAt, timeOfId } from '../request-time.ts';
import { BLANKED_UNTIL, createPatience, keptFrom, type PersonalDataRetention } from '../retention.ts';
import type { SqlStatement } from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';
import { BATCH_COLUMNS, checksumOf, readChecked, type StoredBatch } from './batch-checksum.ts';
import { type BatchRow, readBatch, writeAttempt, writeDetails } from './batch-text.ts';

export interface BlankBatchesOptions {
  readonly reads: SqliteConnection;
  readonly submit: (job: StatementsJob) => Promise<unknown>;
  /** Forgets the addresses of all before an instant (milliseconds since the epoch); what is stored is blanked then. */
  readonly blankHistory: (at: number) => Promise<void>;
  readonly retention: PersonalDataRetention;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

interface Row extends StoredBatch {
  readonly last_id: string;
}

/** Each has at most 32 assessments: about a millisecond of the main thread, and of the writer. */
const BATCHES_A_STEP = 2;
/** Name in the table `meta`, as `BLANKED_UNTIL`: of the index. */
const INDEX_BLANKED_UNTIL = 'index_blanked_until';
/** Grows with each erasure. */
const ERASURES_VERSION = 'erasures_version';
/** A row whose newest records are erased may get before rows that are blanked: the records of a commit came within less than this. */
const OVERLAP_MS = 120_000;
const READ = `SELECT ${BATCH_COLUMNS}, last_id FROM assessment_batches
  WHERE last_id > ?1 AND last_id < ?2 ORDER BY last_id LIMIT ${BATCHES_A_STEP}`;
/** Writes a row unless a record of it was erased meanwhile. */
const WRITE = 'UPDATE assessment_batches SET attempts = ?, details = ?, crc32 = ? WHERE seq = ? AND ids = ?';
const NOTE = `INSERT INTO meta (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`;

/** A step that is interrupted leaves whole rows, and the next start goes on behind the last ones that were blanked. */
export function createBlankOld(options: BlankBatchesOptions): Prune {
  const { reads, submit, blankHistory, retention, clock } = options;
  const readNewest = reads.prepare('SELECT max(last_id) AS id FROM assessment_batches');
  const readNewestAt = () => timeOfId((readNewest.get() as { id: string | null }).id ?? '');
  const mayRemove = createPatience(readNewestAt(), clock);
  const read = reads.prepare(READ);
  const isChanged = reads.prepare('SELECT 1 FROM assessment_batches WHERE seq = ? AND ids <> ?');
  const readNote = reads.prepare('SELECT value FROM meta WHERE name = ?');
  const readNoted = (name: string) => (readNote.get(name) as { value: number } | undefined)?.value ?? 0;
  const note = (name: string, at: number | string): SqlStatement => ({
    sql: NOTE,
    values: [name, typeof at === 'number' ? at : (timeOfId(at) ?? 0)],
  });
  /** All up to this id are blanked, except rows that got there by an erasure. */
  let after = firstIdAt(readNoted(BLANKED_UNTIL) - OVERLAP_MS);
  let erasures = readNoted(ERASURES_VERSION);
  /** Rows were blanked since the index was. */
  let isIndexBehind = false;

  function goBackAfterErasures(): void {
    const current = readNoted(ERASURES_VERSION);
    if (current === erasures) return;
    erasures = current;
    const reached = timeOfId(after);
    if (reached !== undefined) after = firstIdAt(reached - OVERLAP_MS);
  }

  async function blankRows(rows: readonly Row[]): Promise<void> {
    const last = rows.at(-1) as Row;
    const batches = rows.map(readChecked);
    const writes = batches.flatMap((batch) => blankRow(batch, retention.blank));
    isIndexBehind ||= writes.length > 0;
    // The note is about the steps before this one: only afterwards is it known whether this one changed all its rows.
    if (writes.length > 0) await submit({ statements: [...writes, note(BLANKED_UNTIL, after)] });
    // Where a record was erased meanwhile, the step is done again.
    if (batches.every(({ seq, ids }) => isChanged.get(seq, ids) === undefined)) after = last.last_id;
  }

  return async (maxPruned) => {
    const newestAt = readNewestAt();
    if (newestAt === undefined || !mayRemove(newestAt)) return 0;
    const from = keptFrom(retention, Math.min(newestAt, clock()));
    goBackAfterErasures();
    const rows = read.all(after, firstIdAt(from)) as Row[];
    if (rows.length > 0) {
      await blankRows(rows);
      return maxPruned;
    }
    if (isIndexBehind || readNoted(INDEX_BLANKED_UNTIL) < from) {
      await blankHistory(from);
      await submit({ statements: [note(BLANKED_UNTIL, after), note(INDEX_BLANKED_UNTIL, from)] });
      isIndexBehind = false;
    }
    return 0;
  };
}

/** Empty where it is blank already. */
function blankRow(row: BatchRow, blank: PersonalDataRetention['blank']): SqlStatement[] {
  const [header = '', ...attempts] = row.attempts.split('\n');
  const details = row.details.split('\n');
  for (const { seq, ...record } of readBatch(row)) {
    const place = seq - row.seq;
    const without = blank(record);
    attempts[place] = writeAttempt(Number.parseInt(attempts[place] as string, 10), without);
    details[place] = writeDetails(without);
  }
  const blanked = {
    seq: row.seq,
    ids: row.ids,
    attempts: [header, ...attempts].join('\n'),
    details: details.join('\n'),
  };
  if (blanked.attempts === row.attempts && blanked.details === row.details) return [];
  const values = [blanked.attempts, blanked.details, checksumOf(blanked), row.seq, row.ids];
  return [{ sql: WRITE, values }];
}
