/** Counts what was answered in shadow mode: the verdicts that it would have been, their reasons, and what people reported. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { HistoryQueries } from './history-queries.ts';
import type { HistorySql } from './history-sql.ts';

const MAX_COUNTED = 100_000;

interface CountRow {
  readonly mode: KeyMode;
  readonly key_id: string;
  readonly verdict: Verdict;
  readonly reasons: string;
  readonly count: number;
  readonly oldest: number;
}

interface LabelRow {
  readonly key_id: string;
  readonly verdict: Verdict;
  readonly label: Label;
  readonly count: number;
}

/** Both read one index, which has assessments of shadow mode only. */
export function createShadowCounts({ query, joinAssessment }: HistorySql): HistoryQueries['shadowCounts'] {
  const readCounts = `SELECT mode, key_id, verdict, reasons, count(*) AS count, min(at) AS oldest FROM (
      SELECT mode, key_id, verdict, reasons, at FROM assessments
      WHERE account_id = $1 AND shadow AND at >= $2 AND at < $3 ORDER BY at DESC, seq DESC LIMIT ${MAX_COUNTED}
    ) AS a GROUP BY mode, key_id, verdict, reasons`;
  const readLabels = `SELECT a.key_id, a.verdict, f.outcome AS label, count(*) AS count FROM (
      SELECT request_id, seq, outcome FROM feedback
      WHERE account_id = $1 AND assessed_at >= $2 AND assessed_at < $3
      ORDER BY assessed_at DESC LIMIT ${MAX_COUNTED}
    ) AS f ${joinAssessment}
    WHERE a.shadow AND a.mode = $4 GROUP BY a.key_id, a.verdict, f.outcome`;
  return async (accountId, { mode, from, to }) => {
    const [rows, labels] = await Promise.all([
      query<CountRow>(readCounts, [accountId, from, to]),
      query<LabelRow>(readLabels, [accountId, from, to, mode]),
    ]);
    const counted = rows.reduce((sum, { count }) => sum + count, 0);
    return {
      counts: rows
        .filter((row) => row.mode === mode)
        .map(({ key_id: keyId, verdict, reasons, count }) => ({
          keyId,
          verdict,
          reasons: reasons === '' ? [] : (reasons.split(' ') as ReasonCode[]),
          count,
        })),
      labels: labels.map(({ key_id: keyId, ...label }) => ({ keyId, ...label })),
      reached: counted < MAX_COUNTED ? null : Math.min(...rows.map(({ oldest }) => oldest)),
    };
  };
}
