import { expect, it } from 'vitest';
import { KeyCounts } from './key-counts.ts';

it('gives the slot of a key that left the day to the next new key', () => {
  const counts = new KeyCounts();
  const first = counts.slotOf('first');
  counts.enterDay(first);
  counts.enterDay(first);
  counts.leaveDay(first);
  expect(counts.slotOf('first')).toBe(first);
  counts.leaveDay(first);
  expect(counts.slotOf('second')).toBe(first);
  expect(counts.day(first)).toBe(0);
});
