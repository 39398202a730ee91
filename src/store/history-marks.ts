/** The port of what joins feedback and counts with the assessments they are about; each database reads it in its own way. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { FoundAssessment } from './history-search.ts';
import type { FeedbackPosition, MistakeFilter, StoredFeedback, TrafficSpan } from './history-store.ts';
import type { ReportClosing } from './mistake-store.ts';
import { decodeText } from './text.ts';

/** Feedback as the statements of both databases read it. */
export interface FeedbackText {
  readonly outcome: Label;
  readonly note: string | null;
  readonly marked_at: number;
  /** The name of the key, or the stored substitute. */
  readonly given_by: string;
  readonly closed_at: number | null;
  readonly closed_by: string | null;
}

/** An assessment that somebody reported as judged wrongly. */
export interface FoundMistake {
  readonly assessment: FoundAssessment;
  readonly feedback: StoredFeedback;
}

/** Feedback of the same kind about assessments of the same kind. */
export interface LabelRow {
  readonly outcome: Label;
  readonly verdict: Verdict;
  /** Codes, separated by spaces. */
  readonly reasons: string;
  /** Detector of the main finding; empty: there is none. */
  readonly finding: string;
  readonly key_id: string;
  readonly shadow: boolean | number;
  readonly count: number;
}

/** Assessments of the same kind that were answered in shadow mode. */
export interface ShadowRow {
  readonly mode: KeyMode;
  readonly key_id: string;
  readonly verdict: Verdict;
  readonly reasons: string;
  readonly finding: string;
  readonly count: number;
  /** Time at which the oldest of them was made. */
  readonly oldest: number;
}

export interface HistoryMarks {
  /** Newest first, strictly before a position, at most `count`. */
  mistakes(
    accountId: string,
    filter: MistakeFilter,
    before: FeedbackPosition,
    count: number,
  ): Promise<readonly FoundMistake[]>;
  /** Counts of the newest `max` assessments that have feedback. */
  labels(accountId: string, span: TrafficSpan, max: number): Promise<readonly LabelRow[]>;
  /** Counts of the newest `max` in both modes; `span` without its mode. */
  shadowed(accountId: string, span: Omit<TrafficSpan, 'mode'>, max: number): Promise<readonly ShadowRow[]>;
}

/** The columns of a `FeedbackText`, of feedback `f`. */
export const FEEDBACK = `f.outcome, f.note, f.at AS marked_at, f.closed_at, f.closed_by,
  coalesce((SELECT k.name FROM keys AS k WHERE k.id = f.key_id), f.key_id) AS given_by`;

export function toStoredFeedback(row: FeedbackText): StoredFeedback {
  const { outcome, note, marked_at, given_by } = row;
  return {
    outcome,
    note: note === null ? null : decodeText(note),
    at: marked_at,
    by: given_by,
    closed: closingOf(row),
  };
}

/** A report that came after it is open again. */
function closingOf({ marked_at, closed_at, closed_by }: FeedbackText): ReportClosing | undefined {
  if (closed_at === null || closed_at < marked_at) return undefined;
  return { at: closed_at, by: decodeText(closed_by ?? '') };
}
