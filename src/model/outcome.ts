/** Outcomes of a signup, as an application or a mail provider reports them later. */

/** Outcomes, in the order in which pages show them. */
export const SIGNUP_OUTCOMES = [
  'verified',
  'never_verified',
  'bounced',
  'complained',
  'paid',
  'banned',
] as const;
export type SignupOutcome = (typeof SIGNUP_OUTCOMES)[number];

/** Max. outcomes of one request. */
export const MAX_OUTCOMES = 100;

/** Author of a label that an outcome gave. */
export const OUTCOME_AUTHOR = 'outcome';
