/** Counts in the browser, without asking the service, what other thresholds of the draft would change. */
import type {
  MovableCounts,
  ScoreCounts,
  Simulation,
  SimulationMove,
  VerdictCounts,
} from '../../../src/contract/dashboard-account.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import type { Thresholds } from '../../../src/model/policy.ts';

export interface Recount
  extends Pick<Simulation, 'moves' | 'false_positives_fixed' | 'false_negatives_caught'> {
  readonly after: VerdictCounts;
  /** Number of signups that would get another verdict. */
  readonly moved: number;
}

const ORDER: readonly Verdict[] = ['allow', 'challenge', 'block'];

/** Exact: scores are whole numbers, and `movable` counts each by its verdict under the baseline, and by what decides. */
export function recount(
  { before, movable, kept_moves }: Pick<Simulation, 'before' | 'movable' | 'kept_moves'>,
  thresholds: Thresholds,
): Recount {
  const after = { ...before };
  const moves: SimulationMove[] = [];
  for (const from of ORDER) {
    for (const to of ORDER.filter((verdict) => verdict !== from)) {
      const unmoved = kept_moves.find((move) => move.from === from && move.to === to);
      const within = (kind: keyof ScoreCounts) => countOf(movable[from], kind, to, thresholds);
      const count = (unmoved?.count ?? 0) + within('all');
      if (count === 0) continue;
      moves.push({
        from,
        to,
        count,
        false_positives_fixed:
          (unmoved?.false_positives_fixed ?? 0) + (to === 'allow' ? within('false_positives') : 0),
        false_negatives_caught:
          (unmoved?.false_negatives_caught ?? 0) + (from === 'allow' ? within('false_negatives') : 0),
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

/** Number of a kind that get the verdict. */
function countOf(
  { challenging, blocking }: MovableCounts,
  kind: keyof ScoreCounts,
  verdict: Verdict,
  { challenge, block }: Thresholds,
): number {
  const blocked = sum(blocking[kind].slice(block));
  if (verdict === 'block') return blocked;
  // Where both thresholds are the same, what may not block is allowed.
  const stopped = challenge < block ? sum(challenging[kind].slice(challenge)) : blocked;
  return verdict === 'challenge' ? stopped - blocked : sum(challenging[kind]) - stopped;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
