/** Shows a score as steps: the points of each finding, largest first, and the verdict without it. */
import type { WaterfallStep } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { Evidence } from '../model/evidence.ts';
import type { DescribedFinding, Finding } from '../model/finding.ts';
import type { Thresholds } from '../model/policy.ts';
import { scoreOf, verdictOf } from './judge.ts';
import { within } from './limits.ts';
import { RULES } from './policy.ts';

/** The stored assessment. */
export interface ExplainedEvaluation {
  readonly score: number;
  readonly verdict: Verdict;
  readonly findings: readonly DescribedFinding<ReasonCode>[];
  readonly evidence: Pick<Evidence, 'email' | 'ip'>;
  readonly thresholds: Thresholds;
}

const LISTED_BY = new Map(RULES.map(({ detector, listedBy }) => [detector, listedBy]));

/**
 * One step a finding, heaviest first: 100 · Π(1 − weights before it) · its weight, in points of the score. The steps
 * add up to `score` to the hundredth.
 */
export function waterfallOf(judged: ExplainedEvaluation): WaterfallStep[] {
  const { score, thresholds, evidence } = judged;
  const findings = [...judged.findings].sort((a, b) => b.weight - a.weight);
  if (findings.length === 0) return score === 0 ? [] : [sandboxStep(score, thresholds)];
  const contributions = pointsOf(score, findings);
  return findings.map((finding, at) => ({
    ...finding,
    contribution: contributions[at] as number,
    hits: hitsOf(finding.detector, evidence),
    without: resultWithout(findings, at, thresholds),
  }));
}

/** Points of the score that each finding adds, to two decimals. @param findings heaviest first */
export function pointsOf(score: number, findings: readonly Finding[]): number[] {
  return shareOut(score, reachOf(findings));
}

/** The sandbox gives some scores without finding anything. */
function sandboxStep(score: number, thresholds: Thresholds): WaterfallStep {
  return {
    detector: 'sandbox',
    code: null,
    weight: score,
    contribution: score,
    detail: 'every other address gets this score in the sandbox',
    hits: [],
    without: { score: 0, verdict: verdictOf(0, thresholds) },
  };
}

function reachOf(findings: readonly Finding[]): number[] {
  let innocence = 1;
  return findings.map(({ weight }) => {
    const reach = 100 * innocence * (weight / 100);
    innocence *= 1 - weight / 100;
    return reach;
  });
}

/**
 * The parts, scaled to add up to `total` and rounded to hundredths. Scaling spreads what rounding the score took or
 * gave in proportion; the hundredths left over go to the parts that lost most by rounding down.
 */
function shareOut(total: number, parts: readonly number[]): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const exact = parts.map((part) => (part / whole) * total * 100);
  const shares = exact.map(Math.floor);
  const left = total * 100 - shares.reduce((sum, share) => sum + share, 0);
  const byLoss = exact
    .map((_, at) => at)
    .sort((a, b) => lossOf(exact, b) - lossOf(exact, a))
    .slice(0, Math.max(0, Math.round(left)));
  for (const at of byLoss) shares[at] = (shares[at] as number) + 1;
  return shares.map((share) => share / 100);
}

function lossOf(exact: readonly number[], at: number): number {
  return (exact[at] as number) % 1;
}

/** Score and verdict without the finding at a place. */
export function resultWithout(
  findings: readonly Finding[],
  at: number,
  thresholds: Thresholds,
): WaterfallStep['without'] {
  const rest = findings.filter((_, place) => place !== at);
  const score = scoreOf(within(rest, thresholds));
  return { score, verdict: verdictOf(score, thresholds) };
}

function hitsOf(detector: string, { email, ip }: ExplainedEvaluation['evidence']): WaterfallStep['hits'] {
  const listedBy = LISTED_BY.get(detector);
  if (listedBy === undefined) return [];
  const { part, category } = listedBy;
  const hits = (part === 'email' ? email : ip)?.hits ?? [];
  return hits
    .filter(({ fact }) => fact === category)
    .map(({ fact, source, entry, version = '' }) => ({ fact, source, version, entry }));
}
