/** Finds the assessments with feedback: where they are in the runs. */
import type { Label } from '../../contract/dashboard-assessments.ts';
import { isReported, type RelatedSearch } from '../history-search.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { PostedPositions } from './run-cursor.ts';
import { type PositionSpan, RUN_SIZE, type Segment } from './run-segment.ts';

const SEQS = `SELECT seq FROM feedback
  WHERE account_id = ? AND assessed_at >= ? AND assessed_at <= ? AND seq >= ? AND seq < ?`;

/** Finds the assessments of an account that have feedback, any or a certain one, in a segment. */
export type PostFeedback = (accountId: string, feedback: Label | 'any') => PostedPositions;

export function createPostFeedback(connection: SqliteConnection): PostFeedback {
  const readAny = connection.prepare(SEQS);
  const readLabel = connection.prepare(`${SEQS} AND outcome = ?`);
  return (accountId, feedback) => (segment, span) => {
    const { firstSeq, oldestAt, newestAt } = segment;
    const values = [accountId, oldestAt, newestAt, firstSeq, firstSeq + RUN_SIZE];
    const rows = feedback === 'any' ? readAny.all(...values) : readLabel.all(...values, feedback);
    const positions = positionsOfSeqs(
      segment,
      span,
      (rows as { seq: number }[]).map(({ seq }) => seq),
    );
    return { count: positions.length, positions: () => positions };
  };
}

/** Positions of the assessments with feedback, if a search finds only such; else `null`. */
export function postedFeedbackOf(
  search: RelatedSearch,
  post: (label: Label | 'any') => PostedPositions,
): PostedPositions | null {
  const { feedback = 'none' } = search;
  return isReported(search) ? post(feedback === 'none' ? 'any' : feedback) : null;
}

/** Positions of records, ascending; records outside the span are left out. */
export function positionsOfSeqs(segment: Segment, span: PositionSpan, seqs: readonly number[]): Uint16Array {
  if (seqs.length === 0) return new Uint16Array();
  const wanted = new Uint8Array(RUN_SIZE);
  for (const seq of seqs) wanted[seq - segment.firstSeq] = 1;
  const numbers = segment.column('seq', span);
  const found: number[] = [];
  for (let index = 0; index < numbers.length; index += 1)
    if (wanted[numbers[index] as number] === 1) found.push(span.start + index);
  return Uint16Array.from(found);
}
