/** The feed thread is started for a snapshot of another node and for work that is due, and for nothing else. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFeedWatch, type FeedWatch, watchFeeds } from './feed-watch.ts';

const HALF_A_MINUTE = 30_000;

let published: string | undefined;
let isDue: boolean;
let inForce: string;
let isRunning: boolean;
let launches: number;
let statuses: number;
let faults: string[];
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  [published, isDue, inForce, isRunning, launches, statuses, faults] = [
    undefined,
    false,
    'a',
    false,
    0,
    0,
    [],
  ];
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

function watch(values: Partial<FeedWatch> = {}): void {
  end = watchFeeds(
    { published: async () => published, status: async () => [], isWorkDue: async () => isDue, ...values },
    {
      inForce: () => inForce,
      isRunning: () => isRunning,
      launch() {
        launches += 1;
        isRunning = true;
      },
      onStatus() {
        statuses += 1;
      },
      onFault: ({ message }) => faults.push(message),
    },
  );
}

const after = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

it('starts no thread while there is nothing to do, and reads the status at once and regularly', async () => {
  published = inForce;
  watch();
  await after(0);
  expect(statuses).toBe(1);
  await after(2 * HALF_A_MINUTE);
  expect([statuses, launches]).toEqual([3, 0]);
});

it('starts a thread within half a second after another node published a snapshot', async () => {
  watch();
  await after(10_000);
  published = 'b';
  await after(500);
  expect(launches).toBe(1);
});

it('starts the next thread for the same snapshot only at the next full poll', async () => {
  watch();
  published = 'damaged';
  await after(500);
  isRunning = false;
  await after(HALF_A_MINUTE - 1_000);
  expect(launches).toBe(1);
  await after(1_000);
  expect(launches).toBe(2);
});

it('polls nothing while a thread runs', async () => {
  isDue = true;
  watch();
  await after(HALF_A_MINUTE * 2);
  expect([launches, statuses]).toEqual([1, 1]);
});

it('reports a continuing fault once, and goes on', async () => {
  let fault: string | undefined = 'EIO';
  watch({
    async published() {
      if (fault !== undefined) throw new Error(fault);
      return 'b';
    },
  });
  await after(5_000);
  expect(faults).toEqual(['EIO']);
  fault = undefined;
  await after(500);
  expect(launches).toBe(1);
});

it('starts no thread after its end', async () => {
  watch();
  published = 'b';
  end();
  await after(HALF_A_MINUTE);
  expect(launches).toBe(0);
});

it('counts feeds that are due as work only if feeds are fetched', async () => {
  const baselineFile = new URL('data:,');
  const manager = {
    status: async () => [],
    due: async () => ({ feeds: [{} as never], nextAt: 0 }),
    isPublishDue: async () => false,
  };
  const current = async () => undefined;
  const isWorkDue = (fetching: boolean) =>
    createFeedWatch({ manager, snapshots: { current }, baselineFile, fetching }).isWorkDue();
  expect([await isWorkDue(true), await isWorkDue(false)]).toEqual([true, false]);
});
