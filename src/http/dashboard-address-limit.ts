/** Limits how many addresses a person looks up: each answer says whether an address is a customer's, and nobody should test a list of thousands. */
import { createLoginThrottle } from '../accounts/login-throttle.ts';
import { Problem } from '../contract/problem.ts';
import type { AccountCall } from './dashboard-route.ts';
import { tryAgainAfter } from './dashboard-work-places.ts';

/** Counts an address that a person looks up. @throws Problem `too_many_attempts`, with Retry-After */
export type CountAddress = (call: Pick<AccountCall<unknown>, 'user' | 'now'>) => void;

/** Support looks up one address a minute; while somebody types one, its beginnings are looked up too. */
const PACE = { free: 100, maxWaitMs: 60_000, forgetMs: 2_000, forgivable: false };

/** Limit of a person in all accounts together; each node counts for itself. */
export function createCountAddress(): CountAddress {
  const throttle = createLoginThrottle();
  return ({ user, now }) => {
    const attempt = throttle.begin([{ name: user.id, pace: PACE }], now);
    if (!('waitMs' in attempt)) return;
    throw new Problem('too_many_attempts', undefined, {
      message: 'You looked up very many addresses.',
      ...tryAgainAfter(Math.ceil(attempt.waitMs / 1_000)),
    });
  };
}
