/** Puts together what changes records that are stored: each goes out of the index of the history first, or is read again by it. */
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { JobQueue } from '../sqlite-jobs.ts';
import { createAnonymizeRecords } from './anonymize-records.ts';
import type { BlankBatchesOptions } from './blank-old.ts';
import { createBlankOld } from './blank-old.ts';
import type { RecordSource } from './record-source.ts';
import { createRemoveAccount } from './remove-account.ts';
import { createRemoveOld, type RemoveOldOptions } from './remove-old.ts';
import { createUndoRecords } from './undo-records.ts';

/** The part of the index of the history that changes use; it holds a copy of every record. */
export interface IndexOfRecords {
  removeFromIndex(requestIds: readonly string[]): Promise<void>;
  rereadInIndex(seqs: readonly number[]): Promise<void>;
  /** Removes all of an account, also what comes later. */
  removeAccount(accountId: string): Promise<void>;
  /** Removes all before an instant, milliseconds since the epoch. */
  removeBefore(at: number): Promise<void>;
  /** Forgets the addresses of all before an instant, milliseconds since the epoch. */
  blankBefore(at: number): Promise<void>;
}

export interface RecordChangesOptions {
  readonly reads: SqliteConnection;
  readonly source: Pick<RecordSource, 'findById'>;
  readonly committer: JobQueue;
  readonly index: IndexOfRecords;
}

export type RecordChanges = ReturnType<typeof createRecordChanges>;

export function createRecordChanges({ reads, source, committer, index }: RecordChangesOptions) {
  const { submit } = committer;
  const { removeFromIndex, rereadInIndex, removeBefore, blankBefore } = index;
  return {
    undo: createUndoRecords({ reads, source, removeFromIndex, committer }),
    anonymize: createAnonymizeRecords({ reads, source, submit, rereadInIndex }),
    removeAccount: createRemoveAccount({ reads, committer, history: index }),
    removeOld: (options: Pick<RemoveOldOptions, 'retention' | 'clock' | 'onRemoving'>) =>
      createRemoveOld({ reads, submit, removeFromHistory: removeBefore, ...options }),
    blankOld: (options: Pick<BlankBatchesOptions, 'retention' | 'clock'>) =>
      createBlankOld({ reads, submit, blankHistory: blankBefore, ...options }),
  };
}
