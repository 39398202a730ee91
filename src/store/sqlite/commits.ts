/** Puts together what commits: the writer, whether it can, what changes stored records, and the end of those that no caller got an answer about. */
import { type CommitHealth, createCommitHealth } from '../commit-health.ts';
import {
  createRecordChanges,
  type RecordChanges,
  type RecordChangesOptions,
} from '../records/record-changes.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';
import { createUncertainCommits, type UncertainCommits } from '../uncertain-commits.ts';
import { createCommitter, type SqliteCommitter, type SqliteCommitterOptions } from '../writer/committer.ts';

export interface CommitsOptions
  extends Omit<SqliteCommitterOptions, 'health' | 'onUncertain'>,
    Omit<RecordChangesOptions, 'committer'> {
  /** Whether it is a service, which also ends what an earlier process did not come to the end of. */
  readonly isService: boolean;
  readonly onCommitHealth: (canCommit: boolean, error?: Error) => void;
}

export interface Commits {
  readonly committer: SqliteCommitter;
  readonly health: CommitHealth;
  readonly uncertain: UncertainCommits;
  readonly changes: RecordChanges;
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
  const uncertain = createUncertainCommits({ undo: (requestIds) => changes.undo(requestIds), onFault });
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
  const { reads, source, index } = options;
  const changes = createRecordChanges({ reads, source, committer, index });
  if (options.isService) uncertain.add(changes.undo.listBegun());
  return { committer, health, uncertain, changes };
}
