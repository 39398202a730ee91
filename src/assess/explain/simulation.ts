/** Judges stored evidence again under other weights and thresholds, and counts what would have been otherwise. */

import type { ScoreCounts, Simulation, VerdictCounts } from '../../contract/dashboard/account.ts';
import type { LogRow } from '../../contract/dashboard/assessments.ts';
import type { Outcome, Verdict } from '../../contract/messages.ts';
import type { Thresholds } from '../../contract/thresholds.ts';
import { judge, verdictOf } from '../judge.ts';
import type { Policy } from '../policy.ts';
import { readGrounds } from './read-grounds.ts';

/** One stored assessment. */
export interface Sample {
  readonly mode: 'live' | 'test';
  readonly score: number;
  readonly verdict: Verdict;
  readonly feedback: Outcome | null;
  /** Stored grounds, as JSON. */
  readonly grounds: string;
  /** Asked only of the few that are shown. */
  readonly row: () => LogRow;
}

export interface Rejudged extends Omit<Sample, 'grounds' | 'mode'> {
  readonly newScore: number;
  /** The sandbox or an entry of a list decided: no weight and no threshold changes its verdict. */
  readonly fixed: boolean;
}

const MOST_SAMPLES = 50;
const ANY: Thresholds = { challenge: 1, block: 1 };

/** The score that `weights` give to the evidence of a stored assessment. */
export function rejudge(sample: Sample, weights: Policy['weights']): Rejudged {
  const { mode, score, verdict, feedback, grounds, row } = sample;
  const evidence = mode === 'test' ? null : readGrounds(grounds).evidence;
  const fixed = evidence === null || evidence.list !== null;
  const newScore = fixed ? score : judge(evidence, { version: '', weights, thresholds: ANY }).score;
  return { score, verdict, feedback, row, newScore, fixed };
}

/** `judged` newest first. `sampled`: there are older ones that were left out. */
export function simulate(judged: readonly Rejudged[], thresholds: Thresholds, sampled: boolean): Simulation {
  const stored = scores();
  const simulated = scores();
  const [before, after] = [verdicts(), verdicts()];
  const moves = new Map<string, { from: Verdict; to: Verdict; count: number }>();
  const changed: (Rejudged & { readonly newVerdict: Verdict })[] = [];
  let [mended, caught] = [0, 0];
  for (const one of judged) {
    const newVerdict = one.fixed ? one.verdict : verdictOf(one.newScore, thresholds);
    stored[one.score] = (stored[one.score] ?? 0) + 1;
    simulated[one.newScore] = (simulated[one.newScore] ?? 0) + 1;
    before[one.verdict] += 1;
    after[newVerdict] += 1;
    if (newVerdict === one.verdict) continue;
    if (one.feedback === 'false_positive' && newVerdict === 'allow') mended += 1;
    if (one.feedback === 'false_negative' && one.verdict === 'allow') caught += 1;
    const name = `${one.verdict} ${newVerdict}`;
    const move = moves.get(name) ?? { from: one.verdict, to: newVerdict, count: 0 };
    moves.set(name, { ...move, count: move.count + 1 });
    changed.push({ ...one, newVerdict });
  }
  return {
    judged: judged.length,
    sampled,
    stored,
    simulated,
    labels: labelsOf(judged),
    movable: movableOf(judged),
    before,
    after,
    mended,
    caught,
    moves: [...moves.values()].sort((a, b) => b.count - a.count),
    // The sort is stable, so that the newest of equal changes stand first.
    samples: changed
      .sort((a, b) => changeOf(b) - changeOf(a))
      .slice(0, MOST_SAMPLES)
      .map(({ row, newScore, newVerdict }) => ({ ...row(), new_score: newScore, new_verdict: newVerdict })),
  };
}

function labelsOf(judged: readonly Rejudged[]): Simulation['labels'] {
  const labels = new Map<number, { score: number; false_positives: number; false_negatives: number }>();
  for (const { newScore, feedback } of judged) {
    if (feedback === null) continue;
    const label = labels.get(newScore) ?? { score: newScore, false_positives: 0, false_negatives: 0 };
    label[feedback === 'false_positive' ? 'false_positives' : 'false_negatives'] += 1;
    labels.set(newScore, label);
  }
  return [...labels.values()].sort((a, b) => a.score - b.score);
}

function movableOf(judged: readonly Rejudged[]): Simulation['movable'] {
  const movable = { allow: scoreCounts(), challenge: scoreCounts(), block: scoreCounts() };
  for (const { verdict, newScore, feedback, fixed } of judged) {
    if (fixed) continue;
    const counts = movable[verdict];
    counts.all[newScore] = (counts.all[newScore] ?? 0) + 1;
    if (feedback === null) continue;
    const reported = counts[feedback === 'false_positive' ? 'false_positives' : 'false_negatives'];
    reported[newScore] = (reported[newScore] ?? 0) + 1;
  }
  return movable;
}

const changeOf = ({ score, newScore }: Rejudged) => Math.abs(newScore - score);
const scores = (): number[] => new Array<number>(101).fill(0);
const scoreCounts = (): { -readonly [Kind in keyof ScoreCounts]: number[] } => ({
  all: scores(),
  false_positives: scores(),
  false_negatives: scores(),
});
const verdicts = (): { -readonly [V in keyof VerdictCounts]: number } => ({
  allow: 0,
  challenge: 0,
  block: 0,
});
