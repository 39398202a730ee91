/** Joins feedback with the assessments it is about, and counts what was answered in shadow mode, by the columns of the runs. */
import type { Label } from '../../contract/dashboard-assessments.ts';
import type { Verdict } from '../../contract/messages.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import {
  FEEDBACK,
  type FeedbackText,
  type FoundMistake,
  type HistoryMarks,
  type LabelRow,
  toStoredFeedback,
} from '../history-marks.ts';
import type { FeedbackPosition, MistakeFilter, TrafficSpan } from '../history-store.ts';
import { AUTOMATIC_AUTHORS } from '../outcome-store.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { positionsOfSeqs } from './history-feedback.ts';
import type { HistoryRows } from './history-rows.ts';
import { gather } from './run-cursor.ts';
import { countGroups, reasonsOf } from './run-groups.ts';
import { firstIndex } from './run-sections.ts';
import { isShadow, modeOf, type Segment, verdictOf } from './run-segment.ts';

export interface HistoryMarksOptions {
  readonly segments: () => readonly Segment[];
  readonly query: SqlDatabase['query'];
  readonly rows: HistoryRows;
}

type Mark = FeedbackText & { readonly request_id: string; readonly seq: number };

const FIRST_PAGE = 200;
// Feedback comes after its assessment: earlier feedback is about an older assessment.
const READ_MISTAKES = `SELECT f.request_id, f.seq, ${FEEDBACK} FROM feedback AS f
  WHERE f.account_id = $1 AND (f.at, f.request_id) < ($2, $3) AND f.at >= $4 AND f.assessed_at >= $4
    AND f.outcome <> 'confirmed_fraud' AND f.key_id NOT IN ($5, $6) ORDER BY f.at DESC, f.request_id DESC LIMIT $7`;
const READ_LABELS = `SELECT seq, outcome FROM feedback WHERE account_id = $1 AND assessed_at >= $2 AND assessed_at < $3
  ORDER BY assessed_at DESC LIMIT $4`;

export function createHistoryMarks({ segments, query, rows }: HistoryMarksOptions): HistoryMarks {
  /** Reads no index, so that it answers at once. */
  async function mistakes(accountId: string, filter: MistakeFilter, before: FeedbackPosition, count: number) {
    const { mode, since, byPeople = false } = filter;
    const authors = byPeople ? AUTOMATIC_AUTHORS : (['', ''] as const);
    const found: FoundMistake[] = [];
    for (let { at, requestId } = before; ; ) {
      const place = [accountId, at, requestId, since];
      const marks = await query<Mark>(READ_MISTAKES, [...place, ...authors, FIRST_PAGE]);
      const seqs = marks.map(({ seq }) => seq);
      const stored = await rows.read(accountId, { mode }, seqs);
      const byId = new Map(stored.map((assessment) => [assessment.entry.requestId, assessment]));
      for (const mark of marks) {
        const assessment = byId.get(mark.request_id);
        if (assessment !== undefined) found.push({ assessment, feedback: toStoredFeedback(mark) });
      }
      const last = marks.at(-1);
      if (last === undefined || marks.length < FIRST_PAGE || found.length >= count)
        return found.slice(0, count);
      [at, requestId] = [last.marked_at, last.request_id];
    }
  }

  async function labels(
    accountId: string,
    { mode, from, to }: TrafficSpan,
    max: number,
  ): Promise<LabelRow[]> {
    const marks = await query<SeqLabel>(READ_LABELS, [accountId, from, to, max]);
    const runs = [...segments()].sort((a, b) => a.firstSeq - b.firstSeq);
    const byRun = new Map<Segment | undefined, Map<number, Label>>();
    for (const { seq, outcome } of marks) {
      const run = runs[firstIndex(runs.length, (index) => (runs[index] as Segment).firstSeq > seq) - 1];
      byRun.set(run, (byRun.get(run) ?? new Map()).set(seq, outcome));
    }
    return runs.flatMap((run) => labelsIn(run, accountId, mode, byRun.get(run) ?? new Map()));
  }

  return {
    mistakes,
    labels,
    async shadowed(accountId, { from, to }, max) {
      const { groups } = await countGroups({
        segments: segments(),
        accountId,
        search: { shadow: true },
        range: { before: { at: to, seq: 0 }, from },
        by: ['mode', 'key', 'verdict', 'reasons', 'finding'],
        maxCounted: max,
        maxGroups: max,
        verify: async (places) => places,
      });
      return groups.map(({ values: [mode, key, verdict, reasons, finding], count, oldestAt }) => ({
        mode: mode as KeyMode,
        key_id: key as string,
        verdict: verdict as Verdict,
        reasons: reasons as string,
        finding: finding as string,
        count,
        oldest: oldestAt,
      }));
    },
  };
}

interface SeqLabel {
  readonly seq: number;
  readonly outcome: Label;
}

function labelsIn(
  segment: Segment,
  accountId: string,
  mode: KeyMode,
  labels: ReadonlyMap<number, Label>,
): LabelRow[] {
  if (labels.size === 0) return [];
  const positions = positionsOfSeqs(segment, segment.positionsOf(accountId), [...labels.keys()]);
  const columns = ['seq', 'flags', 'reasons', 'finding', 'key'] as const;
  const [seqs, flags, reasons, findings, keys] = columns.map((column) => gather(segment, column, positions));
  const counts = new Map<string, LabelRow>();
  for (let index = 0; index < positions.length; index += 1) {
    const of = (values: ArrayLike<number> | undefined) => values?.[index] as number;
    if (modeOf(of(flags)) !== mode) continue;
    const outcome = labels.get(segment.firstSeq + of(seqs)) as Label;
    const name = `${outcome} ${of(flags)} ${of(reasons)} ${of(findings)} ${of(keys)}`;
    const count = (counts.get(name)?.count ?? 0) + 1;
    counts.set(name, {
      outcome,
      verdict: verdictOf(of(flags)),
      reasons: reasonsOf(of(reasons), segment).join(' '),
      finding: segment.textOf('finding', of(findings)),
      key_id: segment.textOf('key', of(keys)),
      shadow: isShadow(of(flags)),
      count,
    });
  }
  return [...counts.values()];
}
