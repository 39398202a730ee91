import { describe, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import { limitsOf } from '../accounts/plans.ts';
import { monthOf } from '../platform/month.ts';
import type { Account } from '../store/store.ts';
import { createQuota, monthBounds, type QuotaRequest } from './quota.ts';

const MAY = Date.UTC(2026, 4, 31, 23, 59, 59, 999);
const JUNE = MAY + 1;

function caller(changes: Partial<Account> = {}): QuotaRequest['caller'] {
  const account = anAccount({ id: 'acc_1', name: 'a shop', plan: 'free', ...changes });
  return { account, limits: limitsOf(account) };
}

function request(at: number, changes: Partial<Account> = {}): QuotaRequest {
  return { caller: caller(changes), at, month: monthOf(at) };
}

describe('limitsOf', () => {
  it.each([
    ['free', 1, 1_000, 0],
    ['starter', 10, 10_000, 0.5],
    ['pro', 50, 100_000, 0.4],
    ['business', 200, 1_000_000, 0.3],
  ] as const)('plan %s', (plan, requestsPerSecond, monthlyAssessments, overagePer1k) => {
    expect(caller({ plan }).limits).toEqual({
      requestsPerSecond,
      monthlyAssessments,
      overagePer1k,
      cap: monthlyAssessments,
    });
  });

  it('uses the limits of the account before those of its plan, and has no cap with overage', () => {
    expect(caller({ plan: 'pro', monthlyQuota: 5, requestsPerSecond: 7 }).limits).toMatchObject({
      cap: 5,
      requestsPerSecond: 7,
    });
    expect(caller({ plan: 'pro', overage: true }).limits).toMatchObject({
      cap: null,
      monthlyAssessments: 100_000,
    });
  });

  it('keeps the cap of the free plan, also with overage', () => {
    expect(caller({ plan: 'free', overage: true }).limits.cap).toBe(1_000);
  });
});

describe('createQuota', () => {
  it('reads a month once, then counts by what commits return', async () => {
    const reads: string[] = [];
    const quota = createQuota({
      creditsUsed: async (_account, month) => {
        reads.push(month);
        return 3;
      },
    });
    expect(await quota.used(request(MAY))).toBe(3);
    quota.learn(request(MAY), 5);
    quota.learn(request(MAY), 4);
    expect(await quota.used(request(MAY))).toBe(5);
    expect(reads).toEqual(['2026-05']);
  });

  it('starts at zero in each UTC month', async () => {
    const quota = createQuota({ creditsUsed: async () => 0 });
    quota.learn(request(MAY), 999);
    expect(await quota.used(request(MAY))).toBe(999);
    expect(await quota.used(request(JUNE))).toBe(0);
  });

  it('is full at the cap, and never full without a cap', () => {
    const quota = createQuota({ creditsUsed: async () => 0 });
    expect(quota.isFull(caller(), 999)).toBe(false);
    expect(quota.isFull(caller(), 1_000)).toBe(true);
    expect(quota.isFull(caller({ plan: 'pro', overage: true }), 1e9)).toBe(false);
  });

  it('reads the store again at the cap, once a second, because credits may have been returned', async () => {
    let stored = 1_000;
    let reads = 0;
    const quota = createQuota({
      creditsUsed: async () => {
        reads += 1;
        return stored;
      },
    });
    const used = (ms: number) => quota.used(request(JUNE + ms));
    expect([await used(0), await used(1), await used(2)]).toEqual([1_000, 1_000, 1_000]);
    expect(reads).toBe(2);
    stored = 998;
    expect([await used(900), await used(1_001), await used(1_002)]).toEqual([1_000, 998, 998]);
    expect(reads).toBe(3);
  });

  it('reads once for all callers that wait, and keeps what a commit reported meanwhile', async () => {
    const quota = createQuota({ creditsUsed: async () => 3 });
    const waiting = [1, 2, 3].map(() => quota.used(request(MAY)));
    quota.learn(request(MAY), 4);
    expect(await Promise.all(waiting)).toEqual([4, 4, 4]);
    expect(quota.verify(request(MAY))).toMatchObject({ first: true });
    expect(quota.verify(request(MAY))).toMatchObject({ first: false });
    await quota.verify(request(MAY))?.used;
    expect(quota.verify(request(MAY))).toBeUndefined();
  });

  it('does not wait for a slow store if the commit checks the quota, and fails if the store fails', async () => {
    let answer = (_used: number) => {};
    const slow = createQuota({
      creditsUsed: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    expect(await slow.usedSoon(request(MAY))).toBe(0);
    answer(7);
    expect(await slow.used(request(MAY))).toBe(7);
    expect(await slow.usedSoon(request(MAY))).toBe(7);
    expect(await slow.usedSoon(request(MAY, { monthlyQuota: 7 }))).toBe(7);

    const gone = createQuota({ creditsUsed: () => Promise.reject(new Error('gone')) });
    await expect(gone.usedSoon(request(MAY))).rejects.toThrow('gone');
    expect(await createQuota({ creditsUsed: async () => 3 }).usedSoon(request(MAY))).toBe(3);
  });

  it('says how long the month still lasts', () => {
    const quota = createQuota({ creditsUsed: async () => 0 });
    expect(quota.secondsToReset(MAY)).toBe(1);
    expect(quota.secondsToReset(JUNE)).toBe(30 * 86_400);
  });
});

describe('monthBounds', () => {
  it.each([
    [MAY, '2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
    [JUNE, '2026-06-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z'],
    [Date.UTC(2026, 11, 31), '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    [Date.UTC(2028, 1, 29), '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ])('of %i', (now, start, end) => {
    expect(monthBounds(now)).toEqual({ start: Date.parse(start), end: Date.parse(end) });
  });
});
