/** Adds up signups by what they were answered: a verdict that was only observed counts apart from one that stopped somebody. */
import type { AnswerCounts } from '../contract/dashboard-account.ts';
import type { Verdict } from '../contract/messages.ts';

export type AnswerSums = { -readonly [Name in Verdict]: number } & {
  readonly observed: { challenge: number; block: number };
};

/** Assessments with the same verdict; `shadow`: answered with `allow`. */
export interface VerdictRow {
  readonly verdict: Verdict;
  readonly shadow: boolean;
  readonly count: number;
}

export function addAnswers(sums: AnswerSums, { verdict, shadow, count }: VerdictRow): void {
  const counted = shadow && verdict !== 'allow' ? sums.observed : sums;
  counted[verdict as 'challenge' | 'block'] += count;
}

export function addUpAnswers(rows: Iterable<AnswerCounts>): AnswerCounts {
  const sums = noAnswers();
  for (const { allow, challenge, block, observed } of rows) {
    sums.allow += allow;
    sums.challenge += challenge;
    sums.block += block;
    sums.observed.challenge += observed.challenge;
    sums.observed.block += observed.block;
  }
  return sums;
}

export function noAnswers(): AnswerSums {
  return { allow: 0, challenge: 0, block: 0, observed: { challenge: 0, block: 0 } };
}
