/** Weights from users are refused above what their detector can count, not only above 100. */
import { describe, expect, it } from 'vitest';
import { readWeights } from './dashboard-policy-values.ts';

describe('weights from users', () => {
  it('are read with one decimal', () => {
    expect(readWeights({ vpn: 22.04, disposable_mx: 59 })).toEqual({ vpn: 22, disposable_mx: 59 });
  });

  it.each([
    [{ disposable_mx: 60 }, 'The weight of disposable_mx can be at most 59.'],
    [{ disposable_mx: 59.01 }, 'The weight of disposable_mx can be at most 59.'],
    [{ vpn: 101 }, 'The weight of vpn can be at most 100.'],
    [{ vpn: -1 }, 'The weight of vpn cannot be used.'],
    [{ nonsense: 4 }, 'There is no detector nonsense.'],
  ])('are refused: %j', (weights, message) => {
    expect(() => readWeights(weights)).toThrow(message);
  });
});
