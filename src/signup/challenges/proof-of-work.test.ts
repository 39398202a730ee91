import { describe, expect, it } from 'vitest';
import { attemptsOf } from './proof-of-work.ts';

describe('the work', () => {
  it.each([
    [0, 100],
    [30, 100],
    [40, 200],
    [59, 746],
    [80, 3_200],
    [100, 3_200],
  ])('of score %i has at most %i attempts', (score, attempts) => {
    expect(attemptsOf(score, 1)).toBe(attempts);
  });

  it('never falls with the score', () => {
    const all = Array.from({ length: 101 }, (_, score) => attemptsOf(score, 1));
    expect(all.toSorted((a, b) => a - b)).toEqual(all);
  });

  it('is as many times as much as the operator says, and never nothing', () => {
    expect(attemptsOf(30, 10)).toBe(1_000);
    expect(attemptsOf(30, 0.1)).toBe(10);
    expect(attemptsOf(0, 0.001)).toBe(1);
  });
});
