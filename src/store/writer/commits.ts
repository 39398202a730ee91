/** Puts together what commits: the writer, whether it can, and the end of records that no caller got an answer about. */
import { type CommitHealth, createCommitHealth } from '../commit-health.ts';
import { createUndoRecords, type UndoRecordsOptions } from '../records/undo-records.ts';
import { createUncertainCommits, type UncertainCommits } from '../uncertain-commits.ts';
import { createCommitter, type SqliteCommitter, type SqliteCommitterOptions } from './committer.ts';
import type { StatementsJob } from './jobs.ts';

export interface CommitsOptions
  extends Omit<SqliteCommitterOptions, 'health' | 'onUncertain'>,
    Omit<UndoRecordsOptions, 'committer'> {
  /** Then it also ends what an earlier process did not come to the end of. */
  readonly isService: boolean;
  readonly onCommitHealth: (canCommit: boolean, error?: Error) => void;
}

export interface Commits {
  readonly committer: SqliteCommitter;
  readonly health: CommitHealth;
  readonly uncertain: UncertainCommits;
}

/** Bytes that a few assessments add to the write-ahead log. */
const REHEARSAL_BYTES = 32_768;
/**
 * Jobs that find out whether something can be committed: they grow the files as an assessment does, and leave nothing
 * behind. To be committed one after the other: within one transaction nothing of it would reach the disk.
 */
const REHEARSAL: readonly StatementsJob[] = [
  `INSERT INTO knowledge (name, text, expires_at) VALUES ('rehearsal', zeroblob(${REHEARSAL_BYTES}), 0)
   ON CONFLICT (name) DO UPDATE SET text = excluded.text`,
  "DELETE FROM knowledge WHERE name = 'rehearsal'",
].map((sql) => ({ statements: [{ sql, values: [] }] }));

export function startCommits(options: CommitsOptions): Commits {
  const { deadlines, onFault } = options;
  const rehearse = async () => {
    for (const job of REHEARSAL) await committer.submit(job);
  };
  const health = createCommitHealth({
    rehearse: options.isService ? rehearse : undefined,
    onChange: options.onCommitHealth,
  });
  const uncertain = createUncertainCommits({ undo: (requestIds) => undoRecords(requestIds), onFault });
  const committer = createCommitter({
    file: options.file,
    writer: options.writer,
    deadlines,
    health,
    onUncertain: uncertain.add,
    onBatch: options.onBatch,
    onFault,
    onDeath: options.onDeath,
    stuckMs: options.stuckMs,
  });
  const { reads, source, removeFromIndex } = options;
  const undoRecords = createUndoRecords({ reads, source, removeFromIndex, committer });
  if (options.isService) uncertain.add(undoRecords.begun());
  return { committer, health, uncertain };
}
