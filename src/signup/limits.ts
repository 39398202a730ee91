/** Decides what findings may not do together: bursts alone never block, small ones tip no verdict, and a hint tips none without an accusation. */
import type { Finding } from '../model/finding.ts';
import { MIN_MAIN_POINTS } from '../model/main-finding.ts';
import type { Thresholds } from '../model/policy.ts';
import { kindOf } from './policy.ts';

/** Min. points of an accusation: less says too little to speak against everybody who comes with others. */
const MIN_ACCUSATION = 10;
/** Min. points of a finding that may tip a verdict: less says next to nothing about a person. */
const MIN_TIPPING = MIN_MAIN_POINTS;
/** Min. weight with which a finding is still a reason. */
const LEAST_WEIGHT = 1e-6;

/** Weight of findings together, 0 … 100. */
export function combine(findings: readonly Pick<Finding, 'weight'>[]): number {
  return 100 * (1 - innocenceOf(findings));
}

function innocenceOf(findings: readonly Pick<Finding, 'weight'>[]): number {
  let innocence = 1;
  for (const { weight } of heaviestFirst(findings)) innocence *= 1 - weight / 100;
  return innocence;
}

/** The last digit of a product of three depends on their order, and with it whether a score of 77.5 is rounded up: all parts of a score need the same one. */
function heaviestFirst<Each extends Pick<Finding, 'weight'>>(findings: readonly Each[]): readonly Each[] {
  return findings.length < 3 ? findings : findings.toSorted((a, b) => b.weight - a.weight);
}

export function isAccusation({ detector, weight }: Finding): boolean {
  return weight >= MIN_ACCUSATION && kindOf(detector) === 'accusation';
}

function isBurst({ detector }: Finding): boolean {
  return kindOf(detector) === 'burst';
}

/** Whether it tips no verdict. An account may give a finding more weight: then it does. */
function isSmall({ detector, weight }: Finding, isAccused: boolean): boolean {
  return weight < MIN_TIPPING || (!isAccused && kindOf(detector) === 'hint');
}

/** The findings, small ones at next to nothing: these may decide the verdict. */
function withoutSmall<Each extends Finding>(findings: readonly Each[]): readonly Each[] {
  const isAccused = findings.some(isAccusation);
  if (!findings.some((finding) => isSmall(finding, isAccused))) return findings;
  return findings.map((finding) =>
    isSmall(finding, isAccused) ? { ...finding, weight: LEAST_WEIGHT } : finding,
  );
}

/** Findings that may block: bursts only beside an accusation. */
function blockingOf<Each extends Finding>(findings: readonly Each[]): readonly Each[] {
  return findings.some(isAccusation) ? findings : findings.filter((finding) => !isBurst(finding));
}

/** The findings with weights that keep to the limits, heaviest first. */
export function within<Each extends Finding>(
  findings: readonly Each[],
  thresholds: Thresholds,
): readonly Each[] {
  // Most signups have one at most, and few accusations.
  if (findings.length === 0) return findings;
  const limited = limitBursts(limitSmall(findings, thresholds), thresholds);
  return limited.length < 2 ? limited : limited.toSorted((a, b) => b.weight - a.weight);
}

/** All bursts weigh as much less as is needed, in proportion. */
function limitBursts<Each extends Finding>(
  findings: readonly Each[],
  { block }: Thresholds,
): readonly Each[] {
  if (!findings.some(isBurst) || findings.some(isAccusation) || !reaches(findings, block)) return findings;
  const rest = findings.filter((finding) => !isBurst(finding));
  if (reaches(rest, block)) return findings;
  const allowed = innocenceAt(block) / innocenceOf(rest);
  const share = Math.log(Math.min(1, allowed)) / Math.log(innocenceOf(findings.filter(isBurst)));
  return findings.map((finding) => {
    if (!isBurst(finding)) return finding;
    const weight = 100 * (1 - (1 - finding.weight / 100) ** share);
    // Just below, in tenths: at it, the score would be rounded up.
    return { ...finding, weight: Math.max(LEAST_WEIGHT, (Math.ceil(weight * 10 - 1e-6) - 1) / 10) };
  });
}

/** Small findings weigh next to nothing where they would tip the verdict. */
function limitSmall<Each extends Finding>(
  findings: readonly Each[],
  { challenge, block }: Thresholds,
): readonly Each[] {
  if (!reaches(findings, challenge)) return findings;
  const plain = withoutSmall(findings);
  const isTipped = reaches(findings, block) ? !reaches(blockingOf(plain), block) : !reaches(plain, challenge);
  return isTipped ? plain : findings;
}

function reaches(findings: readonly Finding[], threshold: number): boolean {
  return Math.round(combine(findings)) >= threshold;
}

/** Innocence that is left where the score is just rounded down below a threshold. */
function innocenceAt(threshold: number): number {
  return 1 - (threshold - 0.5) / 100;
}

/** Parts of the score under any thresholds: weights that keep to the limits depend on these. */
export interface ScoreParts {
  /** Score without limits. */
  readonly all: number;
  readonly withoutSmall: number;
  /** Score of what may block: without small findings, and without bursts unless there is an accusation. */
  readonly blocking: number;
}

export function scorePartsOf(findings: readonly Finding[]): ScoreParts {
  const scoreOf = (some: readonly Finding[]) => Math.round(combine(some));
  const plain = withoutSmall(findings);
  return { all: scoreOf(findings), withoutSmall: scoreOf(plain), blocking: scoreOf(blockingOf(plain)) };
}

export function scoreUnder(
  { all, withoutSmall, blocking }: ScoreParts,
  { challenge, block }: Thresholds,
): number {
  if (all >= block) return blocking >= block ? all : Math.min(withoutSmall, block - 1);
  return all >= challenge && withoutSmall < challenge ? withoutSmall : all;
}
