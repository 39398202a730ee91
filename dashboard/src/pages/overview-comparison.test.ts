import { describe, expect, it } from 'vitest';
import { changeOf } from './overview-comparison.ts';

describe('a comparison with the period before', () => {
  it.each([
    [17_707, null, 'not enough data before these 30 days'],
    [17_707, 0, 'none in the 30 days before'],
    [17_707, 3, '3 in the 30 days before'],
    [17_707, 493, '493 in the 30 days before'],
    [1_200, 1_000, '20% more than in the 30 days before'],
    [800, 1_000, '20% fewer than in the 30 days before'],
    [1_009, 1_000, 'as in the 30 days before'],
    [0, 1_000, '100% fewer than in the 30 days before'],
  ])('of %s with %s says "%s"', (count, before, text) => {
    expect(changeOf(count, before, '30 days')).toBe(text);
  });
});
