/** Decides what the page Keys says of a key besides its settings: two secrets, an expiry that is near or over. */
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';

const DAY_MS = 86_400_000;
/** Days before its expiry from which on a key is marked. */
const WARNING_DAYS = 14;

type PreviousSecret = NonNullable<KeyRow['previous_secret']>;
export type RotatingKey = KeyRow & { readonly previous_secret: PreviousSecret };

/** Whether two secrets of it are valid. `now`: milliseconds since the epoch. */
export function isRotating(key: KeyRow, now: number): key is RotatingKey {
  const { previous_secret, revoked_at } = key;
  return revoked_at === null && previous_secret !== null && Date.parse(previous_secret.valid_until) > now;
}

/** `soon` within two weeks; `undefined` for a key that is revoked, or of which nothing has to be said. */
export function expiryState(
  { expires_at, revoked_at }: Pick<KeyRow, 'expires_at' | 'revoked_at'>,
  now: number,
): 'soon' | 'over' | undefined {
  if (expires_at === null || revoked_at !== null) return undefined;
  const leftMs = Date.parse(expires_at) - now;
  if (leftMs <= 0) return 'over';
  return leftMs <= WARNING_DAYS * DAY_MS ? 'soon' : undefined;
}
