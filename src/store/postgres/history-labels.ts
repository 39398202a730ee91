/** Reads what people reported of assessments, and counts it by reason. */
import type { Label } from '../../contract/dashboard-labels.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import { type FeedbackRecord, toStoredFeedback } from '../history-feedback.ts';
import type { FeedbackPosition, LabelCounts, StoredFeedbackPage, TrafficSpan } from '../history-store.ts';
import { SLOT_MS } from '../history-store.ts';
import type { Query } from './database.ts';
import { type PostgresHistoryRow, selectShown, toLogged } from './history-rows.ts';

const MAX_LABELS = 50_000;
const FIRST: FeedbackPosition = { at: Number.MAX_SAFE_INTEGER, requestId: '~' };

// Feedback is given after its assessment, so none that was given before `since` can be meant.
const READ_GIVEN = `SELECT shown.*, given.marked_at, given.note,
    coalesce((SELECT k.name FROM keys AS k WHERE k.id = given.by), given.by) AS given_by
  FROM (
    SELECT a.*, f.at AS marked_at, f.note, f.key_id AS by FROM feedback AS f CROSS JOIN LATERAL (
      SELECT *, coalesce(email, email_masked) AS shown FROM assessments WHERE request_id = f.request_id LIMIT 1
    ) AS a
    WHERE f.account_id = $1 AND (f.at, f.request_id) < ($2, $3) AND f.at >= $4 AND f.assessed_at >= $4 AND a.mode = $5
      AND f.outcome <> 'confirmed_fraud'
    ORDER BY f.at DESC, f.request_id DESC LIMIT $6
  ) AS given CROSS JOIN LATERAL (${selectShown('(SELECT given.*)')}) AS shown
  ORDER BY given.marked_at DESC, given.request_id DESC`;

const COUNT_LABELS = `WITH label AS MATERIALIZED (
    SELECT f.outcome, a.verdict, a.reasons, count(*) AS count FROM (
      SELECT request_id, outcome FROM feedback WHERE account_id = $1 AND assessed_at >= $2 AND assessed_at < $3
      ORDER BY assessed_at DESC LIMIT ${MAX_LABELS}
    ) AS f CROSS JOIN LATERAL (
      SELECT verdict, reasons, mode FROM assessments WHERE request_id = f.request_id LIMIT 1
    ) AS a
    WHERE a.mode = $4 GROUP BY 1, 2, 3
  )
  SELECT outcome, NULL AS code, sum(count)::bigint AS count FROM label GROUP BY outcome
  UNION ALL
  SELECT outcome, code, sum(count)::bigint FROM label, unnest(string_to_array(reasons, ' ')) AS code
  WHERE verdict <> 'allow' GROUP BY outcome, code`;

const COUNT_GIVEN = `SELECT substr(name, 7) AS code, sum(count)::bigint AS given
  FROM gatehouse_traffic_1($1, $2, $3, $4) WHERE starts_with(name, 'given ') GROUP BY 1 ORDER BY 2 DESC, 1`;

export function createReadFeedback(query: Query) {
  return async (
    accountId: string,
    { mode, since }: { readonly mode: string; readonly since: number },
    after: FeedbackPosition | null,
    limit: number,
  ): Promise<StoredFeedbackPage> => {
    const { at, requestId } = after ?? FIRST;
    const given = await query<PostgresHistoryRow & FeedbackRecord>(READ_GIVEN, [
      accountId,
      at,
      requestId,
      since,
      mode,
      limit + 1,
    ]);
    const shown = given.slice(0, limit);
    const last = given.length > limit ? shown.at(-1) : undefined;
    return {
      entries: shown.map((one) => ({ row: toLogged(one), mark: toStoredFeedback(one) })),
      next: last === undefined ? null : { at: last.marked_at, requestId: last.request_id },
    };
  };
}

interface LabelRow {
  readonly outcome: Label;
  /** `null`: of all reasons. */
  readonly code: ReasonCode | null;
  readonly count: number;
}

export function createCountLabels(query: Query) {
  return async (accountId: string, { mode, from, to }: TrafficSpan): Promise<LabelCounts> => {
    const [labels, given] = await Promise.all([
      query<LabelRow>(COUNT_LABELS, [accountId, from, to, mode]),
      query<{ code: ReasonCode; given: number }>(COUNT_GIVEN, [
        accountId,
        mode,
        from / SLOT_MS,
        to / SLOT_MS,
      ]),
    ]);
    const totals = noLabels();
    const byReason = new Map<ReasonCode, Record<Label, number>>();
    for (const { outcome, code, count } of labels) {
      if (code === null) {
        totals[outcome] = count;
        continue;
      }
      const counts = byReason.get(code) ?? noLabels();
      counts[outcome] = count;
      byReason.set(code, counts);
    }
    const reasons = given.map((one) => ({ ...one, labels: byReason.get(one.code) ?? noLabels() }));
    return { totals, reasons };
  };
}

function noLabels(): Record<Label, number> {
  return { false_positive: 0, false_negative: 0, confirmed_fraud: 0 };
}
