/** The effect of a change of verdicts on the signups that people reported: on good customers and on fraud alike. */
import type { LabelEffect, SimulationMove } from '../contract/dashboard-account.ts';
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';

const SEVERITY: Readonly<Record<Verdict, number>> = { allow: 0, challenge: 1, block: 2 };

/** A number above 0 if `to` is stricter, below 0 if it is milder. */
export function severityChange(from: Verdict, to: Verdict): number {
  return SEVERITY[to] - SEVERITY[from];
}

/** The side that a report takes; `null`: nobody reported the signup. */
export function reportedAs(label: Label | null): 'good' | 'fraud' | null {
  if (label === null) return null;
  return label === 'false_positive' ? 'good' : 'fraud';
}

export function labelEffectOf(
  moves: Iterable<Pick<SimulationMove, 'from' | 'to' | 'good' | 'fraud'>>,
): LabelEffect {
  const effect = { helped: 0, harmed: 0, stopped: 0, let_in: 0 };
  for (const { from, to, good, fraud } of moves) {
    const change = severityChange(from, to);
    effect.helped += change < 0 ? good : 0;
    effect.harmed += change > 0 ? good : 0;
    effect.stopped += change > 0 ? fraud : 0;
    effect.let_in += change < 0 ? fraud : 0;
  }
  return effect;
}
