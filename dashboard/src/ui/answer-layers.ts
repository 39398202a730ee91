/** The layers of a bar of signups, by answer: what was only observed has its own, beside what was let in. */
import type { AnswerCounts } from '../../../src/contract/dashboard-account.ts';
import type { ChartLayer } from './chart-bars.ts';
import { OBSERVED, observedOf, VERDICT_ORDER, VERDICTS } from './verdicts.ts';

/** A part of each bar: signups with one answer. */
export interface AnswerLayer extends ChartLayer {
  countOf(answers: AnswerCounts): number;
}

const [ALLOW, ...STOPS] = VERDICT_ORDER.map(
  (verdict): AnswerLayer => ({
    id: verdict,
    ...VERDICTS[verdict],
    opacity: verdict === 'allow' ? 0.5 : 1,
    countOf: (answers) => answers[verdict],
  }),
) as [AnswerLayer, ...AnswerLayer[]];
/** Layer of observed signups: they were let in, so it is beside the allowed ones. */
const ONLY_OBSERVED: AnswerLayer = { id: 'observed', ...OBSERVED, hatched: true, countOf: observedOf };

/** Lowest first; with the layer of observed signups only where there are any. */
export function answerLayers(series: readonly AnswerCounts[]): readonly AnswerLayer[] {
  return series.some((answers) => observedOf(answers) > 0)
    ? [ALLOW, ONLY_OBSERVED, ...STOPS]
    : [ALLOW, ...STOPS];
}
