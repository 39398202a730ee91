import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { createRebuild } from './rebuild.ts';
import type { RebuildPart } from './redis-counters.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Its lock ends like that of a server. */
function makeCounters() {
  let [holder, until] = ['', 0];
  const parts: { readonly part: RebuildPart; readonly count: number }[] = [];
  return {
    parts,
    async lock(_account: string, token: string, lockMs: number) {
      if (Date.now() < until) return false;
      [holder, until] = [token, Date.now() + lockMs];
      return true;
    },
    async recall(_account: string, attempts: readonly VelocityEvent[], part?: RebuildPart) {
      if (part === undefined || part.token !== holder || Date.now() >= until) return false;
      parts.push({ part, count: attempts.length });
      until = Date.now() + part.lockMs;
      return true;
    },
    isComplete: async () => parts.some(({ part }) => part.last),
  };
}

const ATTEMPT = { id: 'a', account: 'acc_a', at: 0, network: null, domain: '', addressHash: '', mailbox: '' };

it('keeps its lock while the store is read for long and has few attempts of the account', async () => {
  const counters = makeCounters();
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
  expect(await rebuild('acc_a', '2026-05')).toBe(true);
  const { parts } = counters;
  expect(parts.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(1);
  expect(parts.map(({ part }) => [part.first, part.last])).toEqual(
    parts.map((_, place) => [place === 0, place === parts.length - 1]),
  );
  // One for every 2.5 seconds.
  expect(parts.length).toBeLessThan(30);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(vi.getTimerCount(), 'nothing goes on').toBe(0);
});
