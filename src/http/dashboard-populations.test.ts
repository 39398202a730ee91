import { describe, expect, it, vi } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { recorded } from '../../test/support/recorded.ts';
import { DEFAULT_POLICY } from '../signup/policy.ts';
import type { ReplayableAssessment, ReplaySearch } from '../store/history-store.ts';
import { NobodyWaits } from './core/problems.ts';
import { createPopulations } from './dashboard-populations.ts';
import { createWorkPlaces } from './dashboard-work-places.ts';

const stored = {
  ...anAssessment(),
  ...recorded(ordinaryEvidence({ email: { consumer: true }, ip: { tor: true } })),
};
const row = { mode: 'live', score: 50, verdict: 'challenge', feedback: null } as ReplayableAssessment['row'];

/** A history that always has more than requested, in chunks as large as the store's. */
function createHistoryStore() {
  let reads = 0;
  return {
    reads: () => reads,
    async *replayableAssessments(_account: string, _search: ReplaySearch, limit: number) {
      reads += 1;
      for (let sent = 0; sent < limit; sent += 500) {
        yield Array.from({ length: Math.min(500, limit - sent) }, () => ({ row, stored }));
      }
    },
  };
}

const places = (perAccount = 9) =>
  createWorkPlaces({ what: 'simulations', perAccount, inAll: 9, retryAfterSeconds: 5 });

const question = (since = 0) => ({
  gone: new AbortController().signal,
  accountId: 'acc_1',
  search: { mode: 'live' as const, since },
  weights: { current: DEFAULT_POLICY.weights, draft: DEFAULT_POLICY.weights },
});

describe('the assessments of a simulation', () => {
  it('are read once for several thresholds, and again after a while or for other weights', async () => {
    const history = createHistoryStore();
    let now = 1_000;
    const ask = createPopulations({
      store: history,
      clock: () => now,
      stopwatch: () => 0,
      maxSignups: 100,
      places: places(),
    });
    const [first, second] = await Promise.all([ask(question()), ask(question())]);
    expect(first).toBe(second);
    expect(first.results).toHaveLength(100);
    expect(first.sampled).toBe(true);
    expect(first.results[0]?.newScore.all).toBe(49);
    expect(history.reads()).toBe(1);
    const draft = { ...DEFAULT_POLICY.weights, tor_exit: 1 };
    await ask({ ...question(), weights: { current: DEFAULT_POLICY.weights, draft } });
    await ask(question());
    expect(history.reads()).toBe(3);
    now += 60_000;
    await ask(question());
    expect(history.reads()).toBe(4);
  });

  it('stay in memory if an earlier read for another account failed', async () => {
    const history = createHistoryStore();
    let fail = () => {};
    const broken = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('gone'));
    });
    const store = {
      replayableAssessments: (account: string, search: ReplaySearch, limit: number) =>
        account === 'acc_broken' ? unreadable() : history.replayableAssessments(account, search, limit),
    };
    async function* unreadable(): AsyncGenerator<never> {
      yield await broken;
    }
    const ask = createPopulations({
      store,
      clock: () => 0,
      stopwatch: () => 0,
      maxSignups: 100,
      places: places(),
    });
    const first = ask({ ...question(), accountId: 'acc_broken' });
    const second = ask(question());
    fail();
    await expect(first).rejects.toThrow('gone');
    expect(await ask(question())).toBe(await second);
    expect(history.reads()).toBe(1);
  });

  it('are judged in slices, with other work in between', async () => {
    // This stopwatch says at each read that a slice has used its time.
    let time = 0;
    const stopwatch = () => {
      time += 1_000;
      return time;
    };
    const ask = createPopulations({
      store: createHistoryStore(),
      clock: () => 0,
      stopwatch,
      maxSignups: 2_000,
      places: places(),
    });
    let turns = 0;
    let going = true;
    const turn = () => {
      turns += 1;
      if (going) setImmediate(turn);
    };
    setImmediate(turn);
    const { results } = await ask(question());
    going = false;
    expect(results).toHaveLength(2_000);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(2_000 / 32));
  });

  it('are judged without a pause if that takes no time', async () => {
    const ask = createPopulations({
      store: createHistoryStore(),
      clock: () => 0,
      stopwatch: () => 0,
      maxSignups: 2_000,
      places: places(),
    });
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    await ask(question());
    expect(turned).toBe(false);
  });

  it('are judged for a limited number of callers at once; a caller with the same question needs no place', async () => {
    const history = createHistoryStore();
    const ask = createPopulations({
      store: history,
      clock: () => 0,
      stopwatch: () => 0,
      maxSignups: 100,
      places: places(1),
    });
    const [first, same, other] = await Promise.allSettled([
      ask(question()),
      ask(question()),
      ask({ ...question(), search: { mode: 'test', since: 0 } }),
    ]);
    expect([first.status, same.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(other).toMatchObject({ reason: { code: 'rate_limit', retryAfterSeconds: 5 } });
    await ask({ ...question(), search: { mode: 'test', since: 0 } });
    expect(history.reads()).toBe(2);
  });

  it('are not judged to the end if all callers have gone', async () => {
    let chunks = 0;
    async function* replayableAssessments() {
      for (;;) {
        chunks += 1;
        yield [{ row, stored }];
        await new Promise(setImmediate);
      }
    }
    const all = { clock: () => 0, stopwatch: () => 0, maxSignups: Number.POSITIVE_INFINITY };
    const ask = createPopulations({ store: { replayableAssessments }, ...all, places: places(1) });
    const [first, second] = [new AbortController(), new AbortController()];
    const asking = [first, second].map(({ signal }) => ask({ ...question(), gone: signal }));
    const ended = Promise.allSettled(asking);
    first.abort();
    const before = chunks;
    await vi.waitUntil(() => chunks > before, { interval: 1 });
    second.abort();
    for (const end of await ended) expect(end).toMatchObject({ reason: expect.any(NobodyWaits) });
    const atEnd = chunks;
    await expect(ask({ ...question(), gone: second.signal })).rejects.toThrow();
    expect(chunks).toBe(atEnd);
  });
});
