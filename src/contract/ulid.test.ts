import { describe, expect, it } from 'vitest';
import { createUlid } from './ulid.ts';

const FULL = 0xffff_ffff;

describe('a ULID', () => {
  it.each([
    [1, '0000000001'],
    [1_023, '00000000zz'],
    [1_024, '0000000100'],
    [0xffff_ffff, '0003zzzzzz'],
    [0x1_0000_0000, '0004000000'],
    [1_795_000_000_123, '01m7q5cqkv'],
    [2 ** 48 - 1, '7zzzzzzzzz'],
  ])('begins with the time %i as %s', (now, time) => {
    expect(createUlid(() => 0)(now)).toBe(`${time}0000000000000000`);
  });

  it('has 79 random bits, counts up from them, and carries', () => {
    const next = createUlid(() => FULL);
    expect([next(1), next(1)]).toEqual(['0000000001fzzzzzzzzzzzzzzz', '0000000001g000000000000000']);
  });

  it('sorts in the order of creation, even if the clock stops or is set back', () => {
    let state = 1;
    const next = createUlid(() => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state;
    });
    const ids = Array.from({ length: 3_000 }, (_, at) => next(5_000 + Math.floor(at / 1_200) - (at % 7)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });
});
