/** The words for what became of a person. */
import type { SignupOutcome } from '../../../src/model/outcome.ts';

/** Short words for a filter; `any`: whatever became of the person. */
export const OUTCOME_CHOICES: Readonly<Record<SignupOutcome | 'any', string>> = {
  any: 'any',
  verified: 'address confirmed',
  never_verified: 'address never confirmed',
  bounced: 'mail bounced',
  complained: 'reported our mail as spam',
  paid: 'paid',
  banned: 'banned',
};

/** Words for `bounced,complained`. */
export function outcomeChoiceWords(text: string): string {
  return text
    .split(',')
    .map((word) => OUTCOME_CHOICES[word as SignupOutcome] ?? word)
    .join(' or ');
}

export const OUTCOME_WORDS: Readonly<Record<SignupOutcome, string>> = {
  verified: 'Confirmed the address',
  never_verified: 'Never confirmed the address',
  bounced: 'A mail to the address bounced',
  complained: 'A mail was reported as spam',
  paid: 'Paid',
  banned: 'Banned for abuse',
};
