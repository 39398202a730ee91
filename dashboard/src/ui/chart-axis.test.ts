import { describe, expect, it } from 'vitest';
import { endLabels, niceCeiling } from './chart-axis.ts';

describe('the axis', () => {
  it.each([
    [0, 4],
    [4, 4],
    [5, 8],
    [9, 20],
    [390, 400],
    [401, 800],
    [1_000_000, 1_000_000],
  ])('ends for %i at %i', (highest, ceiling) => {
    const axis = niceCeiling(highest);
    expect(axis.ceiling).toBe(ceiling);
    expect(axis.ticks.every(Number.isInteger)).toBe(true);
    expect(axis.ticks[0]).toBe(0);
  });

  it('puts each label in the middle of its area, inside the chart and without overlap', () => {
    const frame = { ceiling: 100, top: 0, bottom: 100, gap: 18 };
    expect(endLabels([40, 40, 20], frame)).toEqual([80, 40, 10]);
    const crowded = endLabels([100, 0, 0], frame);
    expect(crowded.map((place, at) => (crowded[at - 1] ?? 200) - place >= 18)).toEqual([true, true, true]);
    expect(crowded.at(-1)).toBeGreaterThanOrEqual(9);
  });
});
