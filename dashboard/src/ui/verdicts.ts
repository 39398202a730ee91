/** Each verdict's word, icon and colours, once for badges, bars and charts. */
import type { AnswerCounts } from '../../../src/contract/dashboard-account.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { IconAlertTriangle, IconCircleCheck, IconEye, IconOctagonMinus } from './icons.ts';

/** A circle, a triangle and an octagon: told apart without colour. */
export const VERDICTS = {
  allow: {
    word: 'Allow',
    did: 'allowed',
    icon: IconCircleCheck,
    ink: 'var(--gh-allow)',
    soft: 'var(--gh-allow-soft)',
    fill: 'var(--gh-allow-fill)',
  },
  challenge: {
    word: 'Challenge',
    did: 'challenged',
    icon: IconAlertTriangle,
    ink: 'var(--gh-challenge)',
    soft: 'var(--gh-challenge-soft)',
    fill: 'var(--gh-challenge-fill)',
  },
  block: {
    word: 'Block',
    did: 'blocked',
    icon: IconOctagonMinus,
    ink: 'var(--gh-block)',
    soft: 'var(--gh-block-soft)',
    fill: 'var(--gh-block-fill)',
  },
} as const satisfies Record<Verdict, unknown>;

/** Signups that a key in shadow mode let in, although they would have been stopped: hatched in every chart, and never a verdict. */
export const OBSERVED = {
  word: 'Observed',
  icon: IconEye,
  ink: 'var(--gh-observed)',
  fill: 'var(--gh-observed-fill)',
} as const;

/** Verdicts from mildest to hardest, the order of every stack and list. */
export const VERDICT_ORDER: readonly Verdict[] = ['allow', 'challenge', 'block'];

/** Total of all verdicts. */
export function totalOf({ allow, challenge, block }: Readonly<Record<Verdict, number>>): number {
  return allow + challenge + block;
}

/** Signups that would have been stopped, but were only observed. */
export function observedOf({ observed: { challenge, block } }: Pick<AnswerCounts, 'observed'>): number {
  return challenge + block;
}

/** All signups, whatever the answer. */
export function signupsOf(answers: AnswerCounts): number {
  return totalOf(answers) + observedOf(answers);
}

/** The verdict a score gets under thresholds. */
export function verdictOf(score: number, { challenge, block }: Thresholds): Verdict {
  return score >= block ? 'block' : score >= challenge ? 'challenge' : 'allow';
}
