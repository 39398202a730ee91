import { expect, it } from 'vitest';
import { expiryState, isRotating } from './keys-states.ts';

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 10, 29);
const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString();

it.each([
  [null, undefined],
  [inDays(14.1), undefined],
  [inDays(14), 'soon'],
  [inDays(0.001), 'soon'],
  [inDays(0), 'over'],
  [inDays(-30), 'over'],
])('a key that expires at %s is %s', (expires_at, state) => {
  expect(expiryState({ expires_at, revoked_at: null }, now)).toBe(state);
  expect(expiryState({ expires_at, revoked_at: inDays(-1) }, now)).toBeUndefined();
});

it('a key is rotating while its old secret is valid', () => {
  const key = (valid_until: string, revoked_at: string | null = null) =>
    ({ previous_secret: { prefix: 'sk', last_used_at: null, valid_until }, revoked_at }) as Parameters<
      typeof isRotating
    >[0];
  expect([inDays(1), inDays(0), inDays(-1)].map((until) => isRotating(key(until), now))).toEqual([
    true,
    false,
    false,
  ]);
  expect(isRotating(key(inDays(1), inDays(-1)), now)).toBe(false);
});
