/** Reads the row of a report as both stores select it. */
import type { Label } from '../contract/dashboard-labels.ts';
import type { StoredFeedback } from './history-store.ts';
import { decodeText } from './text.ts';

export interface FeedbackRecord {
  readonly outcome: Label;
  readonly note: string | null;
  readonly marked_at: number;
  readonly given_by: string;
}

export function toStoredFeedback({ outcome, note, marked_at, given_by }: FeedbackRecord): StoredFeedback {
  return { outcome, note: note === null ? null : decodeText(note), at: marked_at, by: given_by };
}
