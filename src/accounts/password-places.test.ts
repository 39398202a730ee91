/** Places to wait for a password's hash: how many, whose, and that each is left once. */
import { describe, expect, it } from 'vitest';
import { createPasswordPlaces } from './password-places.ts';

describe('places for hashes', () => {
  it('are 32 at most, the last 8 for people who are known', () => {
    const places = createPasswordPlaces({ maxPlaces: 32, forKnown: 8 });
    const strangers = Array.from({ length: 40 }, () => places.take(false));
    expect(strangers.filter(Boolean)).toHaveLength(24);
    const known = Array.from({ length: 40 }, () => places.take(true));
    expect(known.filter(Boolean)).toHaveLength(8);
    strangers[0]?.();
    strangers[0]?.();
    expect(places.take(true)).toBeDefined();
    expect(places.take(true)).toBeUndefined();
  });
});
