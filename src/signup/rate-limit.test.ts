import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { createMemoryCounters } from '../velocity/memory/memory.ts';
import { createSteadyCounters } from '../velocity/steady-counters.ts';
import { createQuota } from './quota.ts';
import { createRateLimiter, LimitReached, limitedRequestOf } from './rate-limit.ts';
import type { SignupCaller } from './signup-caller.ts';

const NOW = Date.UTC(2026, 0, 15);
const CALLER: SignupCaller = {
  account: { id: 'acc_a' },
  key: { id: 'key_a', mode: 'live', enforcedShare: 100 },
  limits: { requestsPerSecond: 1, monthlyAssessments: 100, cap: 100, overagePer1k: 0 },
  thresholds: DEFAULT_THRESHOLDS,
  policy: null,
};

it('never announces a longer wait than the window, even if the clock of earlier requests was ahead', async () => {
  let now = NOW;
  const rateLimiter = createRateLimiter({
    counters: createSteadyCounters(createMemoryCounters(), () => now),
    quota: createQuota({ creditsUsed: async () => 0 }),
    onCounted: () => {},
  });
  /** Seconds to wait; `undefined` for an admitted request. */
  const ask = async (at: number) => {
    now = at;
    const refusal = await rateLimiter.admit(limitedRequestOf(CALLER, at)).catch((error: unknown) => error);
    return refusal instanceof LimitReached ? refusal.retryAfterSeconds : undefined;
  };
  const ahead = await Promise.all(Array.from({ length: 16 }, () => ask(NOW + 900)));
  expect(ahead.filter((wait) => wait !== undefined)).toEqual([5]);
  expect(await ask(NOW)).toBe(5);
  expect(await ask(NOW + 5_500)).toBe(1);
});
