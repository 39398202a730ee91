/** Decides whether a time that a provider names is that of our hold. */
import type { AccountBefore } from '../../model/account-provider.ts';

/** Difference of two clocks, and the time of a request. */
const TOLERANCE_MS = 600_000;

/**
 * @param time as the provider spells it; what is no time says nothing against us
 * @param offsetMs time from the hold to what the provider names
 */
export function isHeldAt(time: unknown, before: AccountBefore, offsetMs = 0): boolean {
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  const { held_at: heldAt } = before;
  if (Number.isNaN(at) || typeof heldAt !== 'number') return true;
  return Math.abs(at - offsetMs - heldAt) <= TOLERANCE_MS;
}
