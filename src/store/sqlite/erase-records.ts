/** Erases single records: their places in a batch stay, empty, so that the others keep their numbers and their texts. */
import { endOfRange, rangeOf } from './batch-rows.ts';
import type { BatchRow } from './batch-text.ts';
import { NEWEST_UNDONE } from './jobs.ts';
import type { Prepare } from './recorder.ts';

/** The batch with an assessment: its id, and the end of where it can be. The wide columns of the others are not read. */
export const FIND_BATCH = `SELECT seq, ids, attempts, details FROM assessment_batches
  WHERE last_id >= ?1 AND last_id < ?2 AND first_id <= ?1 AND instr(ids, ?1) > 0 ORDER BY last_id LIMIT 1`;
/** Kept in the database: a writer that starts later must not give the number again either. */
const KEEP_NUMBER = `INSERT INTO installation (name, value) VALUES ('${NEWEST_UNDONE}', ?)
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`;

/** In the writer's transaction. */
export function createEraseRecords(prepare: Prepare) {
  const find = prepare(FIND_BATCH);
  const write = prepare(
    'UPDATE assessment_batches SET first_id = ?, last_id = ?, ids = ?, attempts = ?, details = ? WHERE seq = ?',
  );
  const remove = prepare('DELETE FROM assessment_batches WHERE seq = ?');
  const findOld = prepare('SELECT seq FROM assessments WHERE request_id = ?');
  const removeOld = prepare('DELETE FROM assessments WHERE seq = ?');
  const removeDocuments = prepare('DELETE FROM assessment_documents WHERE seq = ?');
  const keepNumber = prepare(KEEP_NUMBER);

  function eraseFrom(row: BatchRow, place: number): void {
    const ids = row.ids.split(' ');
    ids[place] = '';
    const { firstId, lastId } = rangeOf(ids);
    if (lastId === '') {
      keepNumber.run(row.seq + ids.length - 1);
      remove.run(row.seq);
      return;
    }
    // After the header.
    const attempts = blankLine(row.attempts, place + 1);
    write.run(firstId, lastId, ids.join(' '), attempts, blankLine(row.details, place), row.seq);
  }

  function eraseOld(requestId: string): boolean {
    const row = findOld.get(requestId) as { seq: number } | undefined;
    if (row === undefined) return false;
    keepNumber.run(row.seq);
    removeDocuments.run(row.seq);
    removeOld.run(row.seq);
    return true;
  }

  /** @returns whether it was stored */
  return function erase(requestId: string): boolean {
    const row = find.get(requestId, endOfRange(requestId)) as BatchRow | undefined;
    if (row === undefined) return eraseOld(requestId);
    const place = row.ids.split(' ').indexOf(requestId);
    if (place >= 0) eraseFrom(row, place);
    return place >= 0;
  };
}

function blankLine(lines: string, place: number): string {
  const all = lines.split('\n');
  all[place] = '';
  return all.join('\n');
}
