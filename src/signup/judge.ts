/** The judge: evidence and policy in; findings, score and verdict out. Pure: no clock, no I/O, no sources. */
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import { isHashedKind, type ListMatch } from '../model/list-entry.ts';
import type { Policy, Thresholds, WeightSet } from '../model/policy.ts';
import { combine, isAccusation, type ScoreParts, scorePartsOf, within } from './limits.ts';
import { RULES } from './policy.ts';

export interface Judgement {
  /** Heaviest first. */
  readonly findings: readonly Finding<ReasonCode>[];
  /** Each code once, heaviest first. */
  readonly reasons: readonly ReasonCode[];
  /** 0 … 100. */
  readonly score: number;
  readonly verdict: Verdict;
}

/**
 * Weighs every rule that applies. Findings count as independent evidence:
 * score = round(100 × (1 − Π(1 − weight / 100))). Bursts alone never weigh enough to block, and findings below five points tip
 * no verdict. Where an entry of the account's own lists allows or denies, nothing else is weighed.
 * The same input gives the same judgement, always.
 */
export function judge(evidence: Evidence, policy: Policy): Judgement {
  const findings = evidence.list === null ? findAll(evidence, policy) : findListed(evidence.list);
  return judgementOf(within(findings, policy.thresholds), policy.thresholds);
}

/** The score as it would be under any thresholds. */
export function scorePartsFor(evidence: Evidence, policy: WeightSet): ScoreParts {
  return scorePartsOf(evidence.list === null ? findAll(evidence, policy) : findListed(evidence.list));
}

function judgementOf(findings: readonly Finding<ReasonCode>[], thresholds: Thresholds): Judgement {
  const score = scoreOf(findings);
  return { findings, reasons: reasonsOf(findings), score, verdict: verdictOf(score, thresholds) };
}

export function scoreOf(findings: readonly Finding[]): number {
  return Math.round(combine(findings));
}

export function verdictOf(score: number, { challenge, block }: Thresholds): Verdict {
  if (score >= block) return 'block';
  return score >= challenge ? 'challenge' : 'allow';
}

function findAll(evidence: Evidence, policy: WeightSet): Finding<ReasonCode>[] {
  let findings: Finding<ReasonCode>[] = [];
  let hasUnsure = false;
  let isAccused = false;
  for (const { detector, code, applies, weigh, limit, maxScore } of RULES) {
    if (!applies(evidence)) continue;
    const base = policy.weights[detector] ?? 0;
    // A detector that is switched off stays off, however its weight would grow.
    const weight = base === 0 ? 0 : weigh(base, evidence, isAccused);
    const rounded = Math.min(limit, Math.round(weight * 10) / 10);
    if (rounded <= 0) continue;
    const finding = { detector, code, weight: rounded };
    hasUnsure ||= maxScore < 100;
    isAccused ||= isAccusation(finding);
    // Most signups have none or one, and a list that grows has room for many.
    if (findings.length === 0) findings = [finding];
    else findings.push(finding);
  }
  if (findings.length < 2) return findings;
  findings = asOneBurst(findings);
  return hasUnsure ? withinMaxScores(findings) : findings;
}

const MAX_SCORES = new Map(
  RULES.flatMap(({ detector, maxScore }) => (maxScore < 100 ? [[detector, maxScore] as const] : [])),
);

/** Lowers the weight of each finding that would raise the score above its rule's maximum; without weight it is none. */
function withinMaxScores(findings: readonly Finding<ReasonCode>[]): Finding<ReasonCode>[] {
  const limited = [...findings];
  for (const [at, finding] of findings.entries()) {
    const maxScore = MAX_SCORES.get(finding.detector);
    if (maxScore === undefined) continue;
    const others = 1 - combine(limited.filter((_, place) => place !== at)) / 100;
    const room = 100 * (1 - (1 - maxScore / 100) / others);
    const weight = Math.min(finding.weight, Math.floor(room * 10) / 10);
    limited[at] = { ...finding, weight };
  }
  return limited.filter(({ weight }) => weight > 0);
}

/** Points of the lighter one. */
const SECOND_BURST = 5;

/**
 * Pairs of bursts that are one fact: people of one domain who come from one address, and addresses of one mailbox within a day
 * and within months.
 */
const PAIRS = [
  ['ip_burst', 'domain_burst'],
  ['mailbox_farm', 'mailbox_months'],
] as const;

/** Findings in which the heavier one of each pair counts, and the other adds little. */
function asOneBurst(findings: Finding<ReasonCode>[]): Finding<ReasonCode>[] {
  let together = findings;
  for (const [first, second] of PAIRS) {
    const one = findings.find(({ detector }) => detector === first);
    const other = one && findings.find(({ detector }) => detector === second);
    if (one === undefined || other === undefined) continue;
    const lighter = other.weight > one.weight ? one : other;
    const weight = Math.min(SECOND_BURST, lighter.weight);
    together = together.map((finding) => (finding === lighter ? { ...finding, weight } : finding));
  }
  return together;
}

/** Weights of each code's findings together, 0 … 100. @param codes all that the findings have */
export function weightsOf(findings: readonly Finding<ReasonCode>[], codes: readonly ReasonCode[]): number[] {
  if (codes.length === 1) return [combine(findings)];
  return codes.map((code) => weightOf(findings, code));
}

function weightOf(findings: readonly Finding<ReasonCode>[], code: ReasonCode): number {
  return combine(findings.filter((finding) => finding.code === code));
}

/** Ordered by what the code's findings weigh together. */
function reasonsOf(findings: readonly Finding<ReasonCode>[]): ReasonCode[] {
  const [first, second] = findings;
  if (first === undefined) return [];
  if (second === undefined) return [first.code];
  const codes: ReasonCode[] = [];
  for (const { code } of findings) if (!codes.includes(code)) codes.push(code);
  if (codes.length < findings.length) {
    const total = new Map(codes.map((code) => [code, weightOf(findings, code)]));
    codes.sort((a, b) => (total.get(b) as number) - (total.get(a) as number));
  }
  return codes;
}

/** An allow entry of the account's own lists gives no finding, a deny entry the maximum: no other evidence counts. */
function findListed({ action, kind }: ListMatch): Finding<ReasonCode>[] {
  if (action === 'allow') return [];
  const code = isHashedKind(kind) || kind === 'domain' ? 'email_reputation' : 'ip_reputation';
  return [{ detector: 'deny_list', code, weight: 100 }];
}
