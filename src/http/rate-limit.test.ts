import { describe, expect, it } from 'vitest';
import { createQuota } from '../accounts/quota.ts';
import { createMemoryCounters } from '../counters/memory.ts';
import { createSteadyCounters } from '../counters/steady-counters.ts';
import { createRateLimiter, type RateLimitContext } from './rate-limit.ts';

const NOW = Date.UTC(2026, 0, 15);
/** The limits of the free plan. */
const LIMITS = { requestsPerSecond: 1, monthlyAssessments: 100, cap: 100 };
const CALLER = { account: { id: 'acc_a' }, limits: LIMITS, key: { id: 'key_a', mode: 'live' } };

describe('the rate limiter', () => {
  it('never announces a longer wait than the window, even if the clock of earlier requests was ahead', async () => {
    let now = NOW;
    const rateLimiter = createRateLimiter({
      counters: createSteadyCounters(createMemoryCounters(), () => now),
      quota: createQuota({ creditsUsed: async () => 0 }),
    });
    const ask = async (at: number) => {
      now = at;
      const headers = new Map<string, string | number>();
      const header = (name: string, value: string | number) => void headers.set(name, value);
      const exchange = { at, caller: CALLER, header } as unknown as RateLimitContext;
      const refused = await rateLimiter.admit(exchange).then(
        () => false,
        () => true,
      );
      return { refused, wait: headers.get('Retry-After') };
    };
    const ahead = await Promise.all(Array.from({ length: 16 }, () => ask(NOW + 900).catch(() => null)));
    expect(ahead.filter((each) => each?.refused)).toEqual([{ refused: true, wait: 5 }]);
    expect(await ask(NOW)).toEqual({ refused: true, wait: 5 });
    expect(await ask(NOW + 5_500)).toEqual({ refused: true, wait: 1 });
  });
});
