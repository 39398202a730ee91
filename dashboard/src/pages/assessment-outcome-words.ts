/** The words for what became of a person. */
import type { SignupOutcome } from '../../../src/model/outcome.ts';

export const OUTCOME_WORDS: Readonly<Record<SignupOutcome, string>> = {
  verified: 'Confirmed the address',
  never_verified: 'Never confirmed the address',
  bounced: 'A mail to the address bounced',
  complained: 'A mail was reported as spam',
  paid: 'Paid',
  banned: 'Banned for abuse',
};
