/** Erases single records: their places in a batch stay, empty, so that the others keep their numbers and their texts. */
import type { Prepare } from '../../platform/sqlite-driver.ts';
import { checksumOf, FIND_BATCH, readChecked, type StoredBatch } from './batch-checksum.ts';
import { endOfRange, rangeOf } from './batch-rows.ts';
import type { BatchRow } from './batch-text.ts';
import { NEWEST_UNDONE } from './record-source.ts';

/** Kept in the database: a writer that starts later must not give the number again either. */
const KEEP_NUMBER = `INSERT INTO installation (name, value) VALUES ('${NEWEST_UNDONE}', ?)
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`;

const COUNT_ERASURE = "UPDATE meta SET value = value + 1 WHERE name = 'erasures_version'";

/** Erases in the writer's transaction. */
export function createEraseRecords(prepare: Prepare) {
  const find = prepare(FIND_BATCH);
  const write = prepare(
    'UPDATE assessment_batches SET first_id = ?, last_id = ?, ids = ?, attempts = ?, details = ?, crc32 = ? WHERE seq = ?',
  );
  const remove = prepare('DELETE FROM assessment_batches WHERE seq = ?');
  const keepNumber = prepare(KEEP_NUMBER);
  const countErasure = prepare(COUNT_ERASURE);

  function eraseFrom(row: BatchRow, ids: string[], places: ReadonlySet<number>): void {
    for (const place of places) ids[place] = '';
    const { firstId, lastId } = rangeOf(ids);
    if (lastId === '') {
      keepNumber.run(row.seq + ids.length - 1);
      remove.run(row.seq);
      return;
    }
    // After the header.
    const attempts = blankLines(row.attempts, (line) => places.has(line - 1));
    const details = blankLines(row.details, (line) => places.has(line));
    const columns = { seq: row.seq, ids: ids.join(' '), attempts, details };
    write.run(firstId, lastId, columns.ids, attempts, details, checksumOf(columns), row.seq);
  }

  /** Each batch is written once, however many of its records go. @returns how many were stored. @throws DamagedBatch */
  return function erase(requestIds: readonly string[]): number {
    let erased = 0;
    const remaining = new Set(requestIds);
    for (const requestId of requestIds) {
      if (!remaining.delete(requestId)) continue;
      const stored = find.get(requestId, endOfRange(requestId)) as StoredBatch | undefined;
      if (stored === undefined) continue;
      const row = readChecked(stored);
      const ids = row.ids.split(' ');
      const places = new Set<number>();
      for (const [place, id] of ids.entries())
        if (id === requestId || remaining.delete(id)) places.add(place);
      if (places.size > 0) eraseFrom(row, ids, places);
      erased += places.size;
    }
    if (erased > 0) countErasure.run();
    return erased;
  };
}

function blankLines(lines: string, isGone: (line: number) => boolean): string {
  return lines
    .split('\n')
    .map((text, line) => (isGone(line) ? '' : text))
    .join('\n');
}
