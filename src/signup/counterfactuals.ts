/** Finds the single changes that would have given another verdict: without a finding, without a list entry, with another threshold. */
import type { WaterfallStep } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Thresholds, Weights } from '../model/policy.ts';
import { judge } from './judge.ts';
import { setAsideBy } from './set-aside.ts';

export interface CounterfactualInput {
  readonly score: number;
  readonly verdict: Verdict;
  readonly thresholds: Thresholds;
  readonly waterfall: readonly WaterfallStep[];
  readonly evidence: Evidence;
  /** Weights of the policy that decided. */
  readonly weights: Weights;
}

const DONE: Readonly<Record<Verdict, string>> = {
  allow: 'allowed',
  challenge: 'challenged',
  block: 'blocked',
};

/** One sentence a change. None for the sandbox, whose verdicts do not depend on findings. */
export function counterfactualsOf(judged: CounterfactualInput): string[] {
  if (judged.evidence.snapshot === 'sandbox') return [];
  return [...findingFlips(judged), ...listFlip(judged), ...officeFlip(judged), ...thresholdFlips(judged)];
}

function findingFlips({ waterfall, verdict, evidence }: CounterfactualInput): string[] {
  if (evidence.list !== null) return [];
  return waterfall
    .filter(({ without }) => without.verdict !== verdict)
    .map(
      ({ detail, without }) =>
        `Without the finding “${detail}”, this would have been ${DONE[without.verdict]} (score ${without.score}).`,
    );
}

function listFlip({ evidence, verdict, thresholds, weights }: CounterfactualInput): string[] {
  const { list } = evidence;
  if (list === null) return [];
  const plain = judge({ ...evidence, list: null }, { version: '', weights, thresholds });
  if (plain.verdict === verdict) return [];
  return [
    `Without the entry for ${list.value} on the ${list.action === 'allow' ? 'Allow' : 'Block'} list, this would have been ${DONE[plain.verdict]} (score ${plain.score}).`,
  ];
}

function officeFlip({ evidence, verdict, thresholds, weights }: CounterfactualInput): string[] {
  const { office } = evidence;
  if (office === null || setAsideBy(evidence).length === 0) return [];
  const plain = judge({ ...evidence, office: null }, { version: '', weights, thresholds });
  if (plain.verdict === verdict) return [];
  return [
    `Without the shared office ${office.value}, this would have been ${DONE[plain.verdict]} (score ${plain.score}).`,
  ];
}

/** A list entry decides alone, so no threshold changes that. */
function thresholdFlips({ score, verdict, thresholds, evidence, weights }: CounterfactualInput): string[] {
  if (evidence.list !== null) return [];
  const { challenge, block } = thresholds;
  // Bursts and context keep to the limits of any thresholds: some moves change nothing.
  const say = (name: 'challenge' | 'block', from: number, to: number, then: Verdict) => {
    const moved = { ...thresholds, [name]: to };
    if (judge(evidence, { version: '', weights, thresholds: moved }).verdict !== then) return [];
    return [`With a ${name} threshold of ${to} instead of ${from}, this would have been ${DONE[then]}.`];
  };
  if (verdict === 'block' && score < 100)
    return say('block', block, score + 1, score >= challenge ? 'challenge' : 'allow');
  if (verdict === 'challenge')
    return [...say('challenge', challenge, score + 1, 'allow'), ...say('block', block, score, 'block')];
  return verdict === 'allow' && score > 0 ? say('challenge', challenge, score, 'challenge') : [];
}
