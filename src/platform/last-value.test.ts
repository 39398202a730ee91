import { expect, it } from 'vitest';
import { lastValue } from './last-value.ts';

it('makes a value once for as long as its key is the same', () => {
  const made: number[] = [];
  const double = lastValue((key) => {
    made.push(key);
    return 2 * key;
  });
  expect([1, 1, 2, 1].map(double)).toEqual([2, 2, 4, 2]);
  expect(made).toEqual([1, 2, 1]);
});

it('keeps nothing of a key that has no value', () => {
  const textOf = lastValue((key) => new Date(key).toISOString());
  expect(textOf(0)).toBe('1970-01-01T00:00:00.000Z');
  for (const _ of [1, 2]) expect(() => textOf(Number.NaN)).toThrow(RangeError);
  expect(textOf(0)).toBe('1970-01-01T00:00:00.000Z');
});
