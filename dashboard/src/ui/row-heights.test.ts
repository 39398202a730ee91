import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRowHeights } from './row-heights.ts';

describe('the heights of rows', () => {
  it('are the usual one until a row was measured, then the mean', () => {
    const heights = createRowHeights(40);
    expect(heights.offsetOf(10_000)).toBe(400_000);
    expect(heights.indexAt(399)).toBe(9);
    heights.measure(3, 60);
    heights.measure(4, 40);
    expect(heights.offsetOf(3)).toBe(150);
    expect(heights.offsetOf(4)).toBe(210);
    expect(heights.offsetOf(5)).toBe(250);
    expect(heights.offsetOf(7)).toBe(350);
  });

  it('are none of a row that the page does not show', () => {
    const heights = createRowHeights(40);
    expect(heights.measure(2, 0)).toBe(false);
    expect(heights.offsetOf(3)).toBe(120);
    expect(heights.measure(2, 60)).toBe(true);
    expect(heights.measure(2, 60)).toBe(false);
  });

  it('find the row at each place, whatever was measured', () => {
    const sizes = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 20, max: 90 })), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, fc.nat(20_000), (measured, offset) => {
        const heights = createRowHeights(40);
        for (const [index, height] of measured) heights.measure(index, height);
        const at = heights.indexAt(offset);
        expect(heights.offsetOf(at)).toBeLessThanOrEqual(offset);
        expect(heights.offsetOf(at + 1)).toBeGreaterThan(offset);
      }),
    );
  });
});
