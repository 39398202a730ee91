/** Counts in the browser, without asking the service, what other thresholds of the draft would change. */
import type { Simulation, SimulationMove, VerdictCounts } from '../../../src/contract/dashboard-account.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import type { Thresholds } from '../../../src/model/policy.ts';

export interface Recount
  extends Pick<Simulation, 'moves' | 'false_positives_fixed' | 'false_negatives_caught'> {
  readonly after: VerdictCounts;
  /** How many would get another verdict. */
  readonly moved: number;
}

const ORDER: readonly Verdict[] = ['allow', 'challenge', 'block'];

/** Exact: scores are whole numbers, and `movable` counts each by its verdict under the baseline. */
export function recount(
  { before, movable, kept_moves }: Pick<Simulation, 'before' | 'movable' | 'kept_moves'>,
  thresholds: Thresholds,
): Recount {
  const after = { ...before };
  const moves: SimulationMove[] = [];
  for (const from of ORDER) {
    for (const to of ORDER.filter((verdict) => verdict !== from)) {
      const unmoved = kept_moves.find((move) => move.from === from && move.to === to);
      const { all, false_positives, false_negatives } = movable[from];
      const within = (counts: readonly number[]) => sum(counts.slice(...scoresOf(to, thresholds)));
      const count = (unmoved?.count ?? 0) + within(all);
      if (count === 0) continue;
      moves.push({
        from,
        to,
        count,
        false_positives_fixed:
          (unmoved?.false_positives_fixed ?? 0) + (to === 'allow' ? within(false_positives) : 0),
        false_negatives_caught:
          (unmoved?.false_negatives_caught ?? 0) + (from === 'allow' ? within(false_negatives) : 0),
      });
      after[from] -= count;
      after[to] += count;
    }
  }
  moves.sort((a, b) => b.count - a.count);
  return {
    after,
    moves,
    moved: sum(moves.map(({ count }) => count)),
    false_positives_fixed: sum(moves.map((move) => move.false_positives_fixed)),
    false_negatives_caught: sum(moves.map((move) => move.false_negatives_caught)),
  };
}

/** The first score of a verdict, and the first one above it. */
function scoresOf(verdict: Verdict, { challenge, block }: Thresholds): [number, number] {
  if (verdict === 'allow') return [0, challenge];
  return verdict === 'challenge' ? [challenge, block] : [block, 101];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
