import { describe, expect, it } from 'vitest';
import { createTimes } from '../ui/times.ts';
import { axisNames } from './assessments-axis.ts';

const TIMES = createTimes('en-US', 'UTC');

describe('the names on the axis of the histogram', () => {
  const starts = (count: number, barMs: number) =>
    Array.from({ length: count }, (_, bar) =>
      new Date(Date.UTC(2026, 10, 18, 20) + bar * barMs).toISOString(),
    );

  it('are days where bars are long, each at its first bar', () => {
    const { names, choices } = axisNames(starts(9, 4 * 3_600_000), 4 * 3_600_000, TIMES);
    expect(choices[0]?.map((place) => names[place])).toEqual(['Nov 18', 'Nov 19', 'Nov 20']);
    expect(choices[0]).toEqual([0, 1, 7]);
  });

  it('are hours where they are short', () => {
    const { names, choices } = axisNames(starts(20, 900_000), 900_000, TIMES);
    expect(choices[0]?.map((place) => names[place])).toEqual(['20:00', '21:00', '22:00', '23:00', 'Nov 19']);
  });
});
