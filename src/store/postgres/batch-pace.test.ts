/** When the next batch starts: at once if none is running; else when a batch has ended, takes long, or would be full. */
import { expect, it } from 'vitest';
import { createBatchPace } from './batch-pace.ts';

function startedAt(...starts: readonly number[]) {
  const pace = createBatchPace();
  for (const start of starts) pace.started(start, 2);
  return pace;
}

it('starts the first batch at once', () => {
  expect(createBatchPace().pauseMs(1, [], 1_000)).toBe(0);
});

it('starts a batch two milliseconds after the start of the last one, even if that has ended', () => {
  const pace = startedAt(1_000);
  expect(pace.pauseMs(1, [], 1_000.4)).toBe(2);
  expect(pace.pauseMs(1, [], 1_001.2)).toBe(1);
  expect(pace.pauseMs(1, [], 1_001.6)).toBe(0);
});

it('does not wait after a batch with one record', () => {
  const pace = startedAt(1_000);
  pace.started(1_005, 1);
  expect(pace.pauseMs(1, [], 1_005.1)).toBe(0);
  expect(pace.pauseMs(1, [1_005], 1_006)).toBe(9);
});

it('starts a second batch if the first takes longer than ten milliseconds', () => {
  const pace = startedAt(1_000);
  expect(pace.pauseMs(1, [1_000], 1_003)).toBe(7);
  expect(pace.pauseMs(1, [1_000], 1_010)).toBe(0);
});

it('starts batches beside a stuck one as often as without it', () => {
  const pace = startedAt(1_000, 1_020);
  expect(pace.pauseMs(1, [1_000], 1_021)).toBe(1);
  expect(pace.pauseMs(1, [1_000], 1_022)).toBe(0);
});

it('waits for the newest of several batches', () => {
  expect(startedAt(1_000, 1_011).pauseMs(1, [1_000, 1_011], 1_012)).toBe(9);
});

it('starts a batch of 16 at once', () => {
  const pace = startedAt(1_000);
  expect(pace.pauseMs(15, [1_000], 1_000)).toBe(10);
  expect(pace.pauseMs(16, [1_000], 1_000)).toBe(0);
  expect([pace.isMany(15), pace.isMany(16)]).toEqual([false, true]);
});
