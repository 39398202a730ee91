import { expect, it } from 'vitest';
import { byNumber } from './by-number.ts';

it('writes small whole numbers once, all others each time', () => {
  const written: number[] = [];
  const write = byNumber((value) => {
    written.push(value);
    return `<${value}>`;
  });
  expect([3, 0, 2, 3].map(write)).toEqual(['<3>', '<0>', '<2>', '<3>']);
  expect(written).toEqual([0, 1, 2, 3]);
  const others = [-1, 0.5, 256, 257, 1e9, Number.NaN];
  for (let time = 0; time < 2; time += 1)
    expect(others.map(write)).toEqual(others.map((value) => `<${value}>`));
  expect(written.slice(4)).toEqual([...others, ...others]);
});
