/** Counts in the browser, without asking the service, what other thresholds of the draft would change. */
import type {
  LabelEffect,
  MovableCounts,
  ScoreCounts,
  Simulation,
  SimulationMove,
  VerdictCounts,
} from '../../../src/contract/dashboard-account.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import type { Thresholds } from '../../../src/model/policy.ts';

export interface Recount extends Pick<Simulation, 'moves' | 'effect'> {
  readonly after: VerdictCounts;
  /** Number of signups that would get another verdict. */
  readonly moved: number;
}

const ORDER: readonly Verdict[] = ['allow', 'challenge', 'block'];
const NO_MOVE = { count: 0, good: 0, fraud: 0 };

/** Exact: scores are whole numbers, and `movable` counts each by its verdict under the baseline, and by what decides. */
export function recount(
  { before, movable, kept_moves }: Pick<Simulation, 'before' | 'movable' | 'kept_moves'>,
  thresholds: Thresholds,
): Recount {
  const after = { ...before };
  const moves: SimulationMove[] = [];
  for (const from of ORDER) {
    for (const to of ORDER.filter((verdict) => verdict !== from)) {
      const unmoved = kept_moves.find((move) => move.from === from && move.to === to) ?? NO_MOVE;
      const within = (kind: keyof ScoreCounts) => countOf(movable[from], kind, to, thresholds);
      const count = unmoved.count + within('all');
      if (count === 0) continue;
      const [good, fraud] = [unmoved.good + within('good'), unmoved.fraud + within('fraud')];
      moves.push({ from, to, count, good, fraud });
      after[from] -= count;
      after[to] += count;
    }
  }
  moves.sort((a, b) => b.count - a.count);
  return { after, moves, moved: sum(moves.map(({ count }) => count)), effect: effectOf(moves) };
}

/** The same as the service counts: a milder verdict helps or lets in, a stricter one harms or stops. */
function effectOf(moves: readonly SimulationMove[]): LabelEffect {
  const isMilder = ({ from, to }: SimulationMove) => ORDER.indexOf(to) < ORDER.indexOf(from);
  const [milder, stricter] = [moves.filter(isMilder), moves.filter((move) => !isMilder(move))];
  return {
    helped: sum(milder.map(({ good }) => good)),
    harmed: sum(stricter.map(({ good }) => good)),
    stopped: sum(stricter.map(({ fraud }) => fraud)),
    let_in: sum(milder.map(({ fraud }) => fraud)),
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
