/** Says which findings made the difference across a threshold, beside the main one. */
import type { WaterfallStep } from '../contract/dashboard-assessments.ts';
import { VERDICTS, type Verdict } from '../contract/messages.ts';

/**
 * @param waterfall the heaviest step first
 * @returns detectors of those without which the verdict would be milder; none where the main finding is enough
 */
export function tippedBy(
  verdict: Verdict,
  waterfall: readonly Pick<WaterfallStep, 'detector' | 'without'>[],
): string[] {
  const severity = (each: Verdict) => VERDICTS.indexOf(each);
  return waterfall
    .slice(1)
    .filter(({ without }) => severity(without.verdict) < severity(verdict))
    .map(({ detector }) => detector);
}
