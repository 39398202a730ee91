import { expect, it } from 'vitest';
import { KeyCounts } from './key-counts.ts';

it('counts both windows without a limit, and down to zero again', () => {
  const all = new KeyCounts();
  const keys = [0, 0];
  const change = (key: number, hour: number, day: number) => {
    keys[key] = all.changed(keys[key] as number, hour, day);
  };
  for (let attempt = 1; attempt <= 70_000; attempt += 1) {
    change(0, 1, 1);
    if (attempt > 30_000) change(1, 0, 1);
    if (attempt % 9_999 !== 0) continue;
    expect([all.hour(keys[0] as number), all.day(keys[0] as number)]).toEqual([attempt, attempt]);
    expect([all.hour(keys[1] as number), all.day(keys[1] as number)]).toEqual([
      0,
      Math.max(0, attempt - 30_000),
    ]);
  }
  for (let remaining = 70_000; remaining > 0; remaining -= 1) change(0, -1, 0);
  expect([all.hour(keys[0] as number), all.day(keys[0] as number)]).toEqual([0, 70_000]);
  for (let remaining = 70_000; remaining > 0; remaining -= 1) change(0, 0, -1);
  expect(keys[0]).toBe(0);
  expect(all.day(keys[1] as number)).toBe(40_000);
  for (let attempt = 1; attempt <= 40_000; attempt += 1) change(0, 1, 1);
  expect([all.hour(keys[0] as number), all.day(keys[1] as number)]).toEqual([40_000, 40_000]);
});
