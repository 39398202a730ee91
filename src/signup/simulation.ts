/** Evaluates stored evidence again with a draft of weights and thresholds, and counts what would change. */
import type {
  LabelledCounts,
  ScoreCounts,
  Simulation,
  SimulationBaseline,
  SimulationMove,
  VerdictCounts,
} from '../contract/dashboard-account.ts';
import type { AssessmentRow, Label } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { Thresholds, Weights } from '../model/policy.ts';
import { scorePartsFor, verdictOf } from './judge.ts';
import { labelEffectOf, reportedAs, severityChange } from './label-effect.ts';
import { type ScoreParts, scoreUnder } from './limits.ts';
import { evidenceOf, type RecordedAssessment } from './rebuild-answer.ts';

/** One stored assessment. */
export interface ReplaySample {
  readonly mode: KeyMode;
  readonly keyId: string;
  /** Keyed hash of its mailbox. */
  readonly mailboxHash: string;
  readonly score: number;
  readonly verdict: Verdict;
  readonly feedback: Label | null;
  readonly stored: RecordedAssessment;
  /** Called only for the few that are shown. */
  readonly row: () => AssessmentRow;
}

export interface ReplayWeights {
  /** Weights in force now. */
  readonly current: Weights;
  readonly draft: Weights;
}

/** `score` and `verdict` are those of the past. */
export interface ReplayResult extends Omit<ReplaySample, 'stored' | 'mode'> {
  /** Score by the current weights, for any thresholds. */
  readonly currentScore: ScoreParts;
  /** Score by the weights of the draft, for any thresholds. */
  readonly newScore: ScoreParts;
  /** The sandbox or a list entry decided: no weight and no threshold changes its verdict. */
  readonly fixed: boolean;
}

/** Effect of a draft on the signups of one key. */
export type DraftEffect =
  /** The draft's thresholds replace the current ones, `current`. */
  | { readonly kind: 'thresholds'; readonly current: Thresholds }
  /** The key keeps its own thresholds, `current`: only other weights change its verdicts. */
  | { readonly kind: 'weights'; readonly current: Thresholds }
  /** Nothing: its signups are left out. */
  | { readonly kind: 'none'; readonly why: keyof Simulation['left_out'] };

export interface Draft {
  readonly thresholds: Thresholds;
  readonly baseline: SimulationBaseline;
  effectOn(signup: Pick<ReplaySample, 'keyId' | 'mailboxHash'>): DraftEffect;
}

/** A signup that the draft touches, with its verdicts under the baseline and under the draft. */
interface ReplayChange {
  readonly result: ReplayResult;
  /** Whether the draft's thresholds apply. */
  readonly movable: boolean;
  readonly oldScore: number;
  readonly newScore: number;
  readonly oldVerdict: Verdict;
  readonly newVerdict: Verdict;
}

const MAX_SAMPLES = 50;

/** The scores that the current weights and those of a draft give to the evidence of a stored assessment. */
export function replay(sample: ReplaySample, weights: ReplayWeights): ReplayResult {
  const { mode, keyId, mailboxHash, score, verdict, feedback, stored, row } = sample;
  const evidence = mode === 'test' ? null : evidenceOf(stored);
  const answered = { keyId, mailboxHash, score, verdict, feedback, row };
  if (evidence === null || evidence.list !== null)
    return { ...answered, currentScore: fixedScore(score), newScore: fixedScore(score), fixed: true };
  const scoreBy = (tried: Weights) => scorePartsFor(evidence, { version: '', weights: tried });
  const currentScore = scoreBy(weights.current);
  const newScore = weights.draft === weights.current ? currentScore : scoreBy(weights.draft);
  return { ...answered, currentScore, newScore, fixed: false };
}

const fixedScore = (score: number): ScoreParts => ({ all: score, withoutSmall: score, blocking: score });

/** `results` newest first. `sampled`: there are older ones that were left out. */
export function simulate(results: readonly ReplayResult[], draft: Draft, sampled: boolean): Simulation {
  const leftOut = { own_thresholds: 0, observed: 0, revoked: 0 };
  const touched: ReplayChange[] = [];
  for (const result of results) {
    const effect = draft.effectOn(result);
    if (effect.kind === 'none') leftOut[effect.why] += 1;
    else touched.push(touch(result, draft, effect));
  }
  const changed = touched.filter(({ oldVerdict, newVerdict }) => oldVerdict !== newVerdict);
  const [scoresBefore, scoresAfter] = [scores(), scores()];
  const [before, after] = [verdicts(), verdicts()];
  for (const { oldScore, newScore, oldVerdict, newVerdict } of touched) {
    scoresBefore[oldScore] = (scoresBefore[oldScore] ?? 0) + 1;
    scoresAfter[newScore] = (scoresAfter[newScore] ?? 0) + 1;
    before[oldVerdict] += 1;
    after[newVerdict] += 1;
  }
  const moves = movesOf(changed);
  return {
    judged: touched.length,
    sampled,
    left_out: leftOut,
    scores_before: scoresBefore,
    scores_after: scoresAfter,
    labels: labelsOf(touched),
    movable: movableOf(touched),
    kept_moves: movesOf(changed.filter(({ movable }) => !movable)),
    before,
    after,
    labelled: {
      good: touched.filter(isReported('good')).length,
      fraud: touched.filter(isReported('fraud')).length,
    },
    effect: labelEffectOf(moves),
    moves,
    // The sort is stable: among equals the newest comes first.
    samples: changed
      .sort((a, b) => harmOf(b) - harmOf(a))
      .slice(0, MAX_SAMPLES)
      .map(({ result, oldScore, newScore, oldVerdict, newVerdict }) => ({
        ...result.row(),
        old_score: oldScore,
        old_verdict: oldVerdict,
        new_score: newScore,
        new_verdict: newVerdict,
      })),
  };
}

function touch(
  result: ReplayResult,
  { thresholds, baseline }: Draft,
  { kind, current }: Exclude<DraftEffect, { kind: 'none' }>,
): ReplayChange {
  const { score, currentScore, newScore, verdict, fixed } = result;
  const before = scoreUnder(currentScore, current);
  const [oldScore, oldVerdict] =
    fixed || baseline === 'answered' ? [score, verdict] : [before, verdictOf(before, current)];
  const movable = kind === 'thresholds' && !fixed;
  const applied = movable ? thresholds : current;
  const after = fixed ? score : scoreUnder(newScore, applied);
  const newVerdict = fixed ? verdict : verdictOf(after, applied);
  return { result, movable, oldScore, newScore: after, oldVerdict, newVerdict };
}

const isReported =
  (kind: keyof LabelledCounts) =>
  ({ result }: ReplayChange): boolean =>
    reportedAs(result.feedback) === kind;

type Changeable<Counts> = { -readonly [Member in keyof Counts]: Counts[Member] };

function movesOf(changed: readonly ReplayChange[]): SimulationMove[] {
  const moves = new Map<string, Changeable<SimulationMove>>();
  for (const { oldVerdict: from, newVerdict: to, result } of changed) {
    const name = `${from} ${to}`;
    const move = moves.get(name) ?? { from, to, count: 0, good: 0, fraud: 0 };
    const kind = reportedAs(result.feedback);
    move.count += 1;
    if (kind !== null) move[kind] += 1;
    moves.set(name, move);
  }
  return [...moves.values()].sort((a, b) => b.count - a.count);
}

/** Reported signups that thresholds can move, by the score that the draft gives them. */
function labelsOf(touched: readonly ReplayChange[]): Simulation['labels'] {
  const labels = new Map<number, { score: number } & Changeable<LabelledCounts>>();
  for (const { newScore: score, movable, result } of touched) {
    const kind = reportedAs(result.feedback);
    if (kind === null || !movable) continue;
    const label = labels.get(score) ?? { score, good: 0, fraud: 0 };
    label[kind] += 1;
    labels.set(score, label);
  }
  return [...labels.values()].sort((a, b) => a.score - b.score);
}

function movableOf(touched: readonly ReplayChange[]): Simulation['movable'] {
  const both = () => ({ challenging: scoreCounts(), blocking: scoreCounts() });
  const movable = { allow: both(), challenge: both(), block: both() };
  for (const signup of touched) {
    if (!signup.movable) continue;
    const { withoutSmall, blocking } = signup.result.newScore;
    const counts = movable[signup.oldVerdict];
    countScore(counts.challenging, withoutSmall, signup);
    countScore(counts.blocking, blocking, signup);
  }
  return movable;
}

function countScore(
  counts: { readonly [Kind in keyof ScoreCounts]: number[] },
  score: number,
  { result }: ReplayChange,
): void {
  const kind = reportedAs(result.feedback);
  counts.all[score] = (counts.all[score] ?? 0) + 1;
  if (kind !== null) counts[kind][score] = (counts[kind][score] ?? 0) + 1;
}

/** Larger is worse: a good customer stopped more strictly or a reported fraud treated more mildly, then the size of the change. */
function harmOf({ result, oldScore, newScore, oldVerdict, newVerdict }: ReplayChange): number {
  const steps = severityChange(oldVerdict, newVerdict);
  const kind = reportedAs(result.feedback);
  const worse = (kind === 'good' && steps > 0) || (kind === 'fraud' && steps < 0);
  return (worse ? 10_000 : 0) + 1_000 * Math.abs(steps) + Math.abs(newScore - oldScore);
}

const scores = (): number[] => new Array<number>(101).fill(0);
const scoreCounts = (): { -readonly [Kind in keyof ScoreCounts]: number[] } => ({
  all: scores(),
  good: scores(),
  fraud: scores(),
});
const verdicts = (): { -readonly [V in keyof VerdictCounts]: number } => ({
  allow: 0,
  challenge: 0,
  block: 0,
});
