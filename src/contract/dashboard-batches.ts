/** Messages of the dashboard's API about what people do with many chosen signups: in batches, each of which says what it did. */
import type { ListEntryRow } from './dashboard-account.ts';

/** Max. signups of a batch. */
export const MAX_BATCH = 100;
/** Max. values that one batch adds to a list: what takes them back must fit into a request. */
export const MAX_LIST_BATCH = 25;

/** Report of a batch: fraud that was let in or confirmed, or good customers who were stopped. */
export type BatchOutcome = 'fraud' | 'good';

export interface BatchReported {
  /** Signups that have the report now and had none, before the first try of the batch. */
  readonly reported: number;
  /** Signups that had the same report. */
  readonly same: number;
  /** Signups that have another report, which stays. */
  readonly other: number;
  /** Signups that were allowed: no good customer was stopped. */
  readonly allowed: number;
  /** Signups that the account has no more. */
  readonly missing: number;
  /** Token with which it can be taken back; `null`: nothing was done. */
  readonly undo: string | null;
}

/** Max. rows of a file of labels in one batch. */
export const MAX_LABEL_ROWS = 10;
/** Max. signups of an address in a file of labels that get its label, the newest. */
export const MAX_LABELLED_OF_ADDRESS = 10;

/** One row of a file of labels. */
export interface FileLabel {
  /** Request id of a signup, or an address: then its newest signups are meant. */
  readonly signup: string;
  readonly outcome: BatchOutcome;
}

export type FileLabelCounts = Pick<BatchReported, 'reported' | 'same' | 'other' | 'allowed'>;

/** Result of a batch of labels, or of its preview. */
export interface LabelBatchResult {
  readonly fraud: FileLabelCounts;
  readonly good: FileLabelCounts;
  /** Rows whose signup the account does not have. */
  readonly missing: number;
  /** Rows about a signup for which an earlier row of the batch says the opposite: they are left out. */
  readonly contradicting: number;
  /** Token with which it can be taken back; `null`: nothing was done. */
  readonly undo: string | null;
}

export interface BatchListed {
  readonly entries: readonly ListEntryRow[];
  /** Values that were not added, each with a sentence for people. */
  readonly refused: readonly { readonly value: string; readonly message: string }[];
  readonly undo: string | null;
}

export interface BatchExported {
  /** First line of the file. */
  readonly header: string;
  /** A line for each signup, in the order that was asked for. */
  readonly lines: string;
  readonly exported: number;
  readonly missing: number;
}

/** Result of Undo of a batch. */
export interface BatchUndone {
  readonly taken_back: number;
  /** Number of changes that stay, because somebody changed them since. */
  readonly changed: number;
}
