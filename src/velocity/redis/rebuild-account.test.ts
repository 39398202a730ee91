import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { createRebuild } from './rebuild-account.ts';
import type { RebuildPart } from './redis-counters.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Its lock ends like that of a server. @param failures calls of `recall` that fail, from the first one on */
function makeCounters(failures = 0) {
  let [holder, until, calls] = ['', 0, 0];
  const parts: { readonly part: RebuildPart; readonly count: number }[] = [];
  return {
    parts,
    async lock(_account: string, token: string, lockMs: number) {
      if (Date.now() < until) return false;
      [holder, until] = [token, Date.now() + lockMs];
      return true;
    },
    async recall(_account: string, attempts: readonly VelocityEvent[], part?: RebuildPart) {
      calls += 1;
      if (calls <= failures) throw new Error('no connection');
      if (part === undefined || part.token !== holder || Date.now() >= until) return false;
      parts.push({ part, count: attempts.length });
      until = Date.now() + part.lockMs;
      return true;
    },
    isComplete: async () => parts.some(({ part }) => part.last),
  };
}

const ATTEMPT = { id: 'a', account: 'acc_a', at: 0, network: null, domain: '', addressHash: '', mailbox: '' };

/** Rebuilds an account with one attempt, found in the 41st of 60 seconds. */
async function rebuildSlowly(counters: ReturnType<typeof makeCounters>): Promise<boolean> {
  const rebuild = createRebuild({
    counters,
    async *liveAttempts() {
      for (let second = 0; second < 60; second += 1) {
        await vi.advanceTimersByTimeAsync(1_000);
        if (second === 40) yield [ATTEMPT];
      }
    },
    creditsUsed: async () => 7,
    clock: () => Date.now(),
    patienceMs: 120_000,
    onFault: (error) => expect.unreachable(error.message),
  });
  return rebuild('acc_a', '2026-05');
}

it('keeps its lock while the store is read for long and has few attempts of the account', async () => {
  const counters = makeCounters();
  expect(await rebuildSlowly(counters)).toBe(true);
  const { parts } = counters;
  // One for every 2.5 seconds, one with the attempt, and the last.
  expect(parts.length).toBeLessThan(30);
  expect(parts.filter(({ count, part }) => count > 0 || part.first || part.last)).toMatchObject([
    { count: 1, part: { first: true, last: false } },
    { count: 0, part: { first: false, last: true } },
  ]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(vi.getTimerCount(), 'nothing goes on').toBe(0);
});

it('begins with the first attempts also after the lock could not be extended once', async () => {
  const counters = makeCounters(1);
  expect(await rebuildSlowly(counters)).toBe(true);
  expect(counters.parts.find(({ part }) => part.first)).toMatchObject({ count: 1 });
});
