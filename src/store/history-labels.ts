/** Reads what people reported about assessments, and counts it by reason. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { CHALLENGE_AUTHOR } from './challenge-store.ts';
import type { HistoryQueries } from './history-queries.ts';
import { createBind, type HistoryRow, type HistorySql, KEY_NAME, toHistoryEntry } from './history-sql.ts';
import { type FeedbackPosition, SLOT_MS, type StoredFeedback } from './history-store.ts';
import type { HistoryRollups } from './history-traffic.ts';
import { decodeText } from './text.ts';

const MAX_LABELS = 50_000;
const BY_PEOPLE = ` AND f.key_id <> '${CHALLENGE_AUTHOR}'`;
const FIRST: FeedbackPosition = { at: Number.MAX_SAFE_INTEGER, requestId: '~' };
const FEEDBACK = `f.outcome, f.note, f.at AS marked_at,
  coalesce((SELECT k.name FROM keys AS k WHERE k.id = f.key_id), f.key_id) AS given_by`;

interface FeedbackRow {
  readonly outcome: Label;
  readonly note: string | null;
  readonly marked_at: number;
  readonly given_by: string;
}

export function createReportedMistakes({
  query,
  joinAssessment,
}: HistorySql): HistoryQueries['reportedMistakes'] {
  return async (accountId, { mode, since, withoutChallenges = false }, after, limit) => {
    const { at, requestId } = after ?? FIRST;
    const { bind, values } = createBind();
    // Feedback comes after its assessment: earlier feedback is about an older assessment.
    const rows = await query<HistoryRow & FeedbackRow>(
      `SELECT a.*, ${KEY_NAME}, ${FEEDBACK} FROM feedback AS f ${joinAssessment}
      WHERE f.account_id = ${bind(accountId)} AND (f.at, f.request_id) < (${bind(at)}, ${bind(requestId)})
        AND f.at >= ${bind(since)} AND f.assessed_at >= ${bind(since)} AND a.mode = ${bind(mode)}
        AND f.outcome <> 'confirmed_fraud'${withoutChallenges ? BY_PEOPLE : ''}
      ORDER BY f.at DESC, f.request_id DESC LIMIT ${bind(limit + 1)}`,
      values,
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      entries: shown.map((row) => ({ row: toHistoryEntry(row), mark: toStoredFeedback(row) })),
      next: last === undefined ? null : { at: last.marked_at, requestId: last.request_id },
    };
  };
}

export function createFindFeedback({ query }: HistorySql) {
  const statement = `SELECT ${FEEDBACK} FROM feedback AS f WHERE f.request_id = $1`;
  return async (requestId: string): Promise<StoredFeedback | null> => {
    const [row] = await query<FeedbackRow>(statement, [requestId]);
    return row === undefined ? null : toStoredFeedback(row);
  };
}

function toStoredFeedback({ outcome, note, marked_at, given_by }: FeedbackRow): StoredFeedback {
  return { outcome, note: note === null ? null : decodeText(note), at: marked_at, by: given_by };
}

interface LabelRow {
  readonly outcome: Label;
  readonly verdict: string;
  readonly reasons: string;
  readonly count: number;
}

export function createLabelCounts(
  { query, joinAssessment }: HistorySql,
  rollups: HistoryRollups,
): HistoryQueries['labelCounts'] {
  const readLabels = `SELECT f.outcome, a.verdict, a.reasons, count(*) AS count FROM (
      SELECT request_id, seq, outcome FROM feedback
      WHERE account_id = $1 AND assessed_at >= $2 AND assessed_at < $3
      ORDER BY assessed_at DESC LIMIT ${MAX_LABELS}
    ) AS f ${joinAssessment}
    WHERE a.mode = $4 GROUP BY f.outcome, a.verdict, a.reasons`;
  return async (accountId, { mode, from, to }) => {
    const [labels, stops] = await Promise.all([
      query<LabelRow>(readLabels, [accountId, from, to, mode]),
      rollups.stops(accountId, mode, from / SLOT_MS, to / SLOT_MS),
    ]);
    const totals = noLabels();
    const byReason = new Map<string, Record<Label, number>>();
    for (const { outcome, verdict, reasons, count } of labels) {
      totals[outcome] += count;
      if (verdict === 'allow' || reasons === '') continue;
      for (const code of reasons.split(' ')) {
        const counts = byReason.get(code) ?? noLabels();
        counts[outcome] += count;
        byReason.set(code, counts);
      }
    }
    const reasons = stops.map(({ code, stopped }) => {
      return { code: code as ReasonCode, stopped, labels: byReason.get(code) ?? noLabels() };
    });
    return { totals, reasons };
  };
}

function noLabels(): Record<Label, number> {
  return { false_positive: 0, false_negative: 0, confirmed_fraud: 0 };
}
