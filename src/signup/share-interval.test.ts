import { describe, expect, it } from 'vitest';
import { shareInterval } from './share-interval.ts';

describe('the interval of a share', () => {
  // Computed by hand from Wilson's formula, to three places.
  it.each([
    [0, 1, 0, 0.793],
    [1, 1, 0.207, 1],
    [4, 4, 0.51, 1],
    [3, 4, 0.301, 0.954],
    [45, 50, 0.786, 0.957],
    [50, 100, 0.404, 0.596],
  ])('%i of %i is %f to %f', (hits, cases, low, high) => {
    const found = shareInterval(hits, cases);
    expect(found?.low).toBeCloseTo(low, 2);
    expect(found?.high).toBeCloseTo(high, 2);
  });

  it('says nothing without cases', () => {
    expect(shareInterval(0, 0)).toBeNull();
  });
});
