/** Reads what people reported of assessments, and counts it by reason. */
import type { Label } from '../../contract/dashboard-labels.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import { type FeedbackRecord, toStoredFeedback } from '../history-feedback.ts';
import type { FeedbackPosition, LabelCounts, StoredFeedbackPage, TrafficSpan } from '../history-store.ts';
import { SLOT_MS } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';
import { conditionsOf } from './history-conditions.ts';
import { createReadRows, toLogged } from './history-rows.ts';

const MAX_LABELS = 50_000;
const FIRST: FeedbackPosition = { at: Number.MAX_SAFE_INTEGER, requestId: '~' };

interface GivenRow extends FeedbackRecord {
  readonly request_id: string;
  readonly seq: number;
}

export function createReadFeedback(log: SqliteConnection) {
  const readRows = createReadRows(log);
  // Feedback is given after its assessment, so none that was given before `since` can be meant.
  const readGiven = log.prepare(
    `SELECT f.request_id, f.seq, f.outcome, f.note, f.at AS marked_at, coalesce(k.name, f.key_id) AS given_by
     FROM feedback AS f JOIN assessments AS a ON a.seq = f.seq LEFT JOIN keys AS k ON k.id = f.key_id
     WHERE f.account_id = ? AND (f.at, f.request_id) < (?, ?) AND f.at >= ? AND f.assessed_at >= ? AND a.mode = ?
       AND f.outcome <> 'confirmed_fraud'
     ORDER BY f.at DESC, f.request_id DESC LIMIT ?`,
  );
  return (
    accountId: string,
    { mode, since }: { readonly mode: string; readonly since: number },
    after: FeedbackPosition | null,
    limit: number,
  ): StoredFeedbackPage => {
    const { at, requestId } = after ?? FIRST;
    const given = readGiven.all(accountId, at, requestId, since, since, mode, limit + 1) as GivenRow[];
    const shown = given.slice(0, limit);
    const rows = readRows(
      shown.map(({ seq }) => seq),
      conditionsOf(accountId, {}),
    );
    const bySeq = new Map(rows.map((row) => [row.seq, toLogged(row)]));
    const entries = shown.flatMap((mark) => {
      const row = bySeq.get(mark.seq);
      return row === undefined ? [] : [{ row, mark: toStoredFeedback(mark) }];
    });
    const last = given.length > limit ? shown.at(-1) : undefined;
    return {
      entries,
      next: last === undefined ? null : { at: last.marked_at, requestId: last.request_id },
    };
  };
}

export function createCountLabels(log: SqliteConnection, index: SqliteConnection) {
  const readLabels = log.prepare(
    `SELECT f.outcome, a.verdict, a.reasons FROM feedback AS f JOIN assessments AS a ON a.seq = f.seq
     WHERE f.account_id = ? AND f.assessed_at >= ? AND f.assessed_at < ? AND a.mode = ?
     ORDER BY f.assessed_at DESC LIMIT ${MAX_LABELS}`,
  );
  const readGiven = index.prepare(
    `SELECT name AS code, sum(count) AS given FROM tallies
     WHERE account_id = ? AND mode = ? AND kind = 'given' AND slot >= ? AND slot < ? GROUP BY name ORDER BY given DESC, name`,
  );
  return (accountId: string, { mode, from, to }: TrafficSpan): LabelCounts => {
    const totals = noLabels();
    const byReason = new Map<string, Record<Label, number>>();
    for (const { outcome, verdict, reasons } of readLabels.all(accountId, from, to, mode) as LabelRow[]) {
      totals[outcome] += 1;
      if (verdict === 'allow' || reasons === '') continue;
      for (const code of reasons.split(' ')) {
        const labels = byReason.get(code) ?? noLabels();
        labels[outcome] += 1;
        byReason.set(code, labels);
      }
    }
    const given = readGiven.all(accountId, mode, from / SLOT_MS, to / SLOT_MS) as {
      code: ReasonCode;
      given: number;
    }[];
    const reasons = given.map((one) => ({
      code: one.code,
      given: one.given,
      labels: byReason.get(one.code) ?? noLabels(),
    }));
    return { totals, reasons };
  };
}

interface LabelRow {
  readonly outcome: Label;
  readonly verdict: string;
  readonly reasons: string;
}

function noLabels(): Record<Label, number> {
  return { false_positive: 0, false_negative: 0, confirmed_fraud: 0 };
}
