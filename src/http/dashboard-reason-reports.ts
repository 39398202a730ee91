/** Summarises people's labels by reason, and sorts the reasons by harm. */
import type { ReasonReports } from '../contract/dashboard-assessments.ts';
import type { LabelCounts } from '../store/history-store.ts';

/** Fewer labels than this are not enough for a precision. */
const MIN_LABELS = 20;

/** Most harmful first: by how many were reported wrong, then by their share, then by how many were stopped. */
export function reasonReports(reasons: LabelCounts['reasons']): ReasonReports[] {
  return reasons.map(toReports).sort(byHarm);
}

/** A precision needs labels of both kinds: without confirmed ones it would be 0 by construction. */
function toReports({ code, given, labels }: LabelCounts['reasons'][number]): ReasonReports {
  const { false_positive: wrong, confirmed_fraud: confirmed } = labels;
  const enough = confirmed > 0 && wrong + confirmed >= MIN_LABELS;
  return {
    code,
    stopped: given,
    reported_wrong: wrong,
    confirmed,
    precision: enough ? confirmed / (wrong + confirmed) : null,
  };
}

/** Cross-multiplied: shares of whole numbers compare exactly. */
function byHarm(a: ReasonReports, b: ReasonReports): number {
  return (
    b.reported_wrong - a.reported_wrong ||
    b.reported_wrong * a.stopped - a.reported_wrong * b.stopped ||
    b.stopped - a.stopped
  );
}
