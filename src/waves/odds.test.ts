import { describe, expect, it } from 'vitest';
import { nameShapeOf } from '../address/name-shape.ts';
import { decadesAbove, likelihoodOf } from './odds.ts';

describe('decadesAbove', () => {
  it('is 0 where no more came than expected', () => {
    expect(decadesAbove(3, 100, 0.03)).toBe(0);
    expect(decadesAbove(0, 0, 0.5)).toBe(0);
  });

  it('is exact where all of the trials are hits', () => {
    expect(decadesAbove(9, 9, 0.1)).toBeCloseTo(9, 10);
  });

  it('never says more than the exact tail of a binomial count', () => {
    for (const [count, trials, share] of [
      [5, 50, 0.01],
      [20, 60, 0.1],
      [8, 2_000, 0.001],
    ] as const)
      expect(decadesAbove(count, trials, share)).toBeLessThanOrEqual(-Math.log10(tail(count, trials, share)));
  });

  it('takes a count that its trials have decayed below as all of them', () => {
    expect(decadesAbove(9.2, 9, 0.1)).toBeCloseTo(9.2, 10);
  });
});

describe('likelihoodOf', () => {
  const of = (local: string) => likelihoodOf({ ...nameShapeOf(local), stem: 0, stemLetters: 0 });

  it('speaks for people who have names', () => {
    for (const local of ['emma.smith', 'jan.kowalski', 'maria1987']) expect(of(local)).toBeLessThan(-3);
  });

  it('speaks for a program where letters are random', () => {
    for (const local of ['x7f9q2k1zp', 'qzkvwtrp', 'b8h2k9d4w1']) expect(of(local)).toBeGreaterThan(2);
  });

  it('says nothing of numbers, initials and the years of pupils', () => {
    for (const local of ['1234567', 'ab12', '26smithj']) expect(of(local)).toBe(0);
  });
});

/** Probability of at least so many. */
function tail(count: number, trials: number, share: number): number {
  let [term, sum] = [(1 - share) ** trials, 0];
  for (let hits = 0; hits <= trials; hits += 1) {
    if (hits >= count) sum += term;
    term *= ((trials - hits) / (hits + 1)) * (share / (1 - share));
  }
  return sum;
}
