import { describe, expect, it } from 'vitest';
import { barAt, barByKey, everyNth, namedBars } from './chart-bar-layout.ts';

describe('the bars of a chart', () => {
  it('are named every so many, from the first on or from the last back', () => {
    expect(everyNth(10, 3, 'first')).toEqual([0, 3, 6, 9]);
    expect(everyNth(10, 4, 'last')).toEqual([1, 5, 9]);
    expect(everyNth(30, 30, 'last')).toEqual([29]);
  });

  it('are named as densely as the width allows, and alike at the same width', () => {
    const choices = [1, 2, 5, 10].map((step) => everyNth(30, step, 'last'));
    expect(namedBars(choices, 30, 1_500)).toHaveLength(30);
    expect(namedBars(choices, 30, 900)).toHaveLength(15);
    expect(namedBars(choices, 30, 300)).toHaveLength(6);
    expect(namedBars(choices, 30, 40)).toEqual([9, 19, 29]);
    expect(namedBars([], 30, 300)).toEqual([]);
    expect(namedBars([[4]], 30, 10)).toEqual([4]);
  });

  it('are found under a pointer, also at its edges', () => {
    expect([-5, 0, 99, 100, 2_999, 3_000, 9_999].map((x) => barAt(x, 3_000, 30))).toEqual([
      0, 0, 0, 1, 29, 29, 29,
    ]);
    expect(barAt(3, 0, 5)).toBe(4);
  });

  it('are walked by keys, not beyond their ends', () => {
    expect(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'a'].map((key) => barByKey(key, 3, 8))).toEqual([
      2,
      4,
      0,
      7,
      undefined,
    ]);
    expect([barByKey('ArrowLeft', 0, 8), barByKey('ArrowRight', 7, 8)]).toEqual([0, 7]);
  });
});
