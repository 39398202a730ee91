/** Counts anew, without asking the service, what other thresholds would make of the signups it judged again. */
import type { Simulation, VerdictCounts } from '../../../../../src/contract/dashboard/account.ts';
import type { Verdict } from '../../../../../src/contract/messages.ts';
import type { Thresholds } from '../../../../../src/contract/thresholds.ts';

export interface Recount extends Pick<Simulation, 'moves' | 'mended' | 'caught'> {
  readonly after: VerdictCounts;
  /** How many would get another verdict. */
  readonly moved: number;
}

const ORDER: readonly Verdict[] = ['allow', 'challenge', 'block'];

/** Exact: scores are whole numbers, and `movable` counts each by the verdict that was answered. */
export function recount(
  { before, movable }: Pick<Simulation, 'before' | 'movable'>,
  thresholds: Thresholds,
): Recount {
  const after = { ...before };
  const moves: { from: Verdict; to: Verdict; count: number }[] = [];
  let [mended, caught] = [0, 0];
  for (const from of ORDER) {
    for (const to of ORDER.filter((verdict) => verdict !== from)) {
      const within = scoresOf(to, thresholds);
      const { all, false_positives, false_negatives } = movable[from];
      const count = sum(all.slice(...within));
      if (count === 0) continue;
      moves.push({ from, to, count });
      after[from] -= count;
      after[to] += count;
      if (to === 'allow') mended += sum(false_positives.slice(...within));
      if (from === 'allow') caught += sum(false_negatives.slice(...within));
    }
  }
  moves.sort((a, b) => b.count - a.count);
  return { after, moves, moved: sum(moves.map(({ count }) => count)), mended, caught };
}

/** The first score of a verdict, and the first one above it. */
function scoresOf(verdict: Verdict, { challenge, block }: Thresholds): [number, number] {
  if (verdict === 'allow') return [0, challenge];
  return verdict === 'challenge' ? [challenge, block] : [block, 101];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
