/** Reads what people reported about assessments, and counts it by reason. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { FEEDBACK, type FeedbackText, type HistoryMarks, toStoredFeedback } from './history-marks.ts';
import { type FeedbackPosition, type HistoryStore, SLOT_MS, type StoredFeedback } from './history-store.ts';
import type { HistoryRollups, StopCount } from './history-traffic.ts';
import type { SqlDatabase } from './sql-database.ts';

const MAX_LABELS = 50_000;
const FIRST: FeedbackPosition = { at: Number.MAX_SAFE_INTEGER, requestId: '~' };

export function createReportedMistakes({ mistakes }: HistoryMarks): HistoryStore['reportedMistakes'] {
  return async (accountId, filter, after, limit) => {
    const found = await mistakes(accountId, filter, after ?? FIRST, limit + 1);
    const entries = found
      .slice(0, limit)
      .map(({ assessment, feedback }) => ({ row: assessment.entry, mark: feedback }));
    const last = found.length > limit ? entries.at(-1) : undefined;
    return {
      entries,
      next: last === undefined ? null : { at: last.mark.at, requestId: last.row.requestId },
    };
  };
}

export function createFindFeedback({ query }: Pick<SqlDatabase, 'query'>) {
  const statement = `SELECT ${FEEDBACK} FROM feedback AS f WHERE f.request_id = $1`;
  return async (requestId: string): Promise<StoredFeedback | null> => {
    const [row] = await query<FeedbackText>(statement, [requestId]);
    return row === undefined ? null : toStoredFeedback(row);
  };
}

export function createLabelCounts(marks: HistoryMarks, rollups: HistoryRollups): HistoryStore['labelCounts'] {
  return async (accountId, span) => {
    const { mode, from, to } = span;
    const [labels, stops] = await Promise.all([
      marks.labels(accountId, span, MAX_LABELS),
      rollups.stops(accountId, mode, from / SLOT_MS, to / SLOT_MS),
    ]);
    const totals = noLabels();
    const byName = new Map<string, Record<Label, number>>();
    for (const { outcome, verdict, reasons, finding, count } of labels) {
      totals[outcome] += count;
      if (verdict === 'allow') continue;
      const names = reasons === '' ? [] : reasons.split(' ').map((code) => nameOf('reason', code));
      if (finding !== '') names.push(nameOf('finding', finding));
      for (const name of names) {
        const counts = byName.get(name) ?? noLabels();
        counts[outcome] += count;
        byName.set(name, counts);
      }
    }
    const stopsOf = (wanted: StopCount['kind']) =>
      stops
        .filter(({ kind }) => kind === wanted)
        .map(({ kind, code, stopped }) => {
          return { code, stopped, labels: byName.get(nameOf(kind, code)) ?? noLabels() };
        });
    return {
      totals,
      reasons: stopsOf('reason').map(({ code, ...rest }) => ({ code: code as ReasonCode, ...rest })),
      findings: stopsOf('finding').map(({ code: detector, ...rest }) => ({ detector, ...rest })),
      answered: labels.map(({ finding, verdict, shadow, outcome: label, count }) => {
        return { finding, verdict, shadow: Boolean(shadow), label, count };
      }),
    };
  };
}

const nameOf = (kind: StopCount['kind'], code: string) => `${kind} ${code}`;

function noLabels(): Record<Label, number> {
  return { false_positive: 0, false_negative: 0, confirmed_fraud: 0 };
}
