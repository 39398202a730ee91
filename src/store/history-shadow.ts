/** Counts the signups in shadow mode: by real verdict, by reason, and by reported outcome. */
import type { ReasonCode } from '../contract/reasons.ts';
import type { HistoryMarks, LabelRow } from './history-marks.ts';
import type { HistoryStore, ShadowCounts } from './history-store.ts';

const MAX_COUNTED = 100_000;

export function createShadowCounts({ shadowed, labels }: HistoryMarks): HistoryStore['shadowCounts'] {
  return async (accountId, span) => {
    const [rows, reported] = await Promise.all([
      shadowed(accountId, span, MAX_COUNTED),
      labels(accountId, span, MAX_COUNTED),
    ]);
    const counted = rows.reduce((sum, { count }) => sum + count, 0);
    return {
      counts: rows
        .filter((row) => row.mode === span.mode)
        .map(({ key_id: keyId, verdict, reasons, finding, count, oldest: oldestAt }) => ({
          keyId,
          verdict,
          reasons: reasons === '' ? [] : (reasons.split(' ') as ReasonCode[]),
          finding,
          count,
          oldestAt,
        })),
      labels: countLabels(reported),
      reached: counted < MAX_COUNTED ? null : Math.min(...rows.map(({ oldest }) => oldest)),
    };
  };
}

/** Labels with any reasons. */
function countLabels(rows: readonly LabelRow[]): ShadowCounts['labels'] {
  const counts = new Map<string, ShadowCounts['labels'][number]>();
  for (const { shadow, key_id: keyId, verdict, outcome: label, finding, count } of rows) {
    if (!shadow) continue;
    const name = `${keyId} ${verdict} ${label} ${finding}`;
    counts.set(name, { keyId, verdict, label, finding, count: count + (counts.get(name)?.count ?? 0) });
  }
  return [...counts.values()];
}
