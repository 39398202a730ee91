import { expect, it } from 'vitest';
import { arrivalOf } from './count-in.suite.ts';
import { describeCounters } from './counters.suite.ts';
import type { Arrival, Attempt, CountedAttempt } from './counters.ts';
import { createMemoryCounters, type MemoryCounters } from './memory.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 4, 10);

/** An attempt `ms` after the start, from one network, with an address of its own. */
const attempt = (ms: number, change: Partial<Attempt> = {}): Attempt => ({
  id: `req_${ms}`,
  account: 'acc_a',
  at: START + ms,
  network: '203.0.113.7',
  domain: 'example.com',
  address: `address-${ms}`,
  mailbox: `mailbox-${ms}`,
  ...change,
});

const count = (counters: MemoryCounters, one: Attempt) =>
  counters.arrive(arrivalOf(one)).counted as CountedAttempt;

describeCounters('memory', async () => ({ counters: createMemoryCounters(), close: async () => {} }));

// The same again, with a sweep before every attempt: sweeping must never show in a count.
describeCounters('swept memory', async () => {
  const counters = createMemoryCounters();
  const arrive = (arrival: Arrival) => {
    counters.sweep(arrival.attempt.at);
    return counters.arrive(arrival);
  };
  return { counters: { ...counters, arrive }, close: async () => {} };
});

it('forgets the oldest of an account that holds too many, and says so for as long as it shows', () => {
  const counters = createMemoryCounters({ maxAttemptsPerAccount: 3 });
  for (const ms of [0, 10, 20]) expect(count(counters, attempt(ms)).counts.partial).toBe(false);
  expect(count(counters, attempt(30)).counts).toEqual({
    network1h: 3,
    network24h: 3,
    domain1h: 3,
    domain24h: 3,
    mailbox24h: 1,
    partial: true,
  });
  expect(counters.size().attempts).toBe(3);
  expect(count(counters, attempt(DAY_MS - 1)).counts.partial).toBe(true);
  expect(count(counters, attempt(DAY_MS + 9)).counts.partial).toBe(true);
  expect(count(counters, attempt(DAY_MS + 30)).counts).toMatchObject({ network24h: 3, partial: false });
});

it('lets no account forget for another when all hold too many together', () => {
  const counters = createMemoryCounters({ maxAttempts: 4 });
  for (const ms of [0, 1, 2]) count(counters, attempt(ms));
  count(counters, attempt(3, { account: 'acc_b' }));
  const crowded = count(counters, attempt(4, { account: 'acc_b' })).counts;
  expect(crowded).toMatchObject({ network24h: 1, partial: true });
  expect(count(counters, attempt(5, { account: 'acc_c' })).counts).toMatchObject({
    network24h: 1,
    partial: false,
  });
  expect(count(counters, attempt(6)).counts).toMatchObject({ network24h: 2, partial: true });
  expect(counters.size().attempts).toBe(4);
});

it('does not mind an undo of what it forgot early', () => {
  const counters = createMemoryCounters({ maxAttemptsPerAccount: 2 });
  const first = count(counters, attempt(0));
  count(counters, attempt(1));
  count(counters, attempt(2));
  first.undo();
  expect(count(counters, attempt(3)).counts).toMatchObject({ network24h: 2, domain24h: 2 });
});

it('stays marked partial when what made it forget is taken back and the account stands empty', () => {
  const counters = createMemoryCounters({ maxAttemptsPerAccount: 1 });
  count(counters, attempt(0));
  count(counters, attempt(1)).undo();
  sweepAll(counters, START + 2);
  expect(count(counters, attempt(2)).counts).toMatchObject({ network24h: 1, partial: true });
});

it('frees accounts and buckets once their windows are empty', () => {
  const counters = createMemoryCounters();
  counters.admit('key', { windowMs: 5000, admits: 10 }, START);
  count(counters, attempt(0));
  sweepAll(counters, START + 4999);
  expect(counters.size()).toEqual({ buckets: 1, accounts: 1, attempts: 1 });
  sweepAll(counters, START + 5000);
  expect(counters.size().buckets).toBe(0);
  sweepAll(counters, START + DAY_MS - 1);
  expect(counters.size()).toEqual({ buckets: 0, accounts: 1, attempts: 1 });
  sweepAll(counters, START + DAY_MS);
  expect(counters.size()).toEqual({ buckets: 0, accounts: 0, attempts: 0 });
});

it('takes nothing from an account that was freed and came again', () => {
  const counters = createMemoryCounters();
  const first = count(counters, attempt(0));
  sweepAll(counters, START + DAY_MS);
  count(counters, attempt(DAY_MS, { address: 'address-0' }));
  first.undo();
  first.undo();
  expect(counters.size()).toMatchObject({ accounts: 1, attempts: 1 });
  expect(count(counters, attempt(DAY_MS + 1)).counts).toMatchObject({ network24h: 2, domain24h: 2 });
});

it('holds nothing of an attempt taken back, whichever way round', () => {
  const counters = createMemoryCounters();
  const handles = [0, 1, 2].map((ms) => count(counters, attempt(ms)));
  for (const handle of [handles[1], handles[0], handles[2]]) handle?.undo();
  expect(counters.size().attempts).toBe(0);
});

it('stands still when the clock goes back', () => {
  const counters = createMemoryCounters();
  const window = { windowMs: 5000, admits: 1 };
  counters.admit('key', window, START + 1000);
  const refused = { admitted: false, remaining: 0, retryAt: START + 6000 };
  expect(counters.admit('key', window, START)).toEqual(refused);
  count(counters, attempt(1000));
  expect(count(counters, attempt(0)).counts.network1h).toBe(2);
  expect(count(counters, attempt(HOUR_MS + 999)).counts.network1h).toBe(3);
  expect(count(counters, attempt(HOUR_MS + 1000)).counts.network1h).toBe(2);
  expect(count(counters, attempt(DAY_MS + 999)).counts.network24h).toBe(5);
  expect(count(counters, attempt(DAY_MS + 1000)).counts.network24h).toBe(4);
});

it('does not empty a day whose newest attempt came with an older time', () => {
  const counters = createMemoryCounters();
  count(counters, attempt(1000));
  count(counters, attempt(0));
  expect(count(counters, attempt(DAY_MS + 500)).counts.network24h).toBe(3);
});

it('stays exact through a burst of thousands, its slow end, and the shrinking after it', () => {
  const counters = createMemoryCounters();
  const at = (ms: number, which: number) =>
    count(counters, attempt(ms, { address: `address-${which}`, mailbox: `mailbox-${which}` }));
  const burst = Array.from({ length: 40_000 }, (_, ms) => count(counters, attempt(ms)));
  expect(at(40_000, 0).counts).toMatchObject({ network24h: 40_001, domain24h: 40_000, mailbox24h: 1 });
  burst[39_850]?.undo();
  sweepAll(counters, START + HOUR_MS + 39_000);
  expect(counters.size().attempts).toBe(40_001);
  sweepAll(counters, START + DAY_MS + 39_799);
  expect(counters.size().attempts).toBe(201);

  for (const which of [39_900, 39_999, 17]) burst[which]?.undo();
  // Held: 39 800 … 39 999 without the three taken back, and 0 again.
  expect(at(DAY_MS + 39_799, 39_998).counts).toMatchObject({ network1h: 1, domain1h: 1, domain24h: 198 });
  expect(at(DAY_MS + 39_799, 39_900).counts).toMatchObject({
    network24h: 200,
    domain24h: 199,
    mailbox24h: 1,
  });
  expect(at(DAY_MS + 39_949, 1).counts).toMatchObject({ network24h: 53, domain24h: 52, domain1h: 3 });
});

it('keeps an hour exact while the burst before it shrinks away', () => {
  const counters = createMemoryCounters();
  for (let ms = 0; ms < 5000; ms += 1) count(counters, attempt(ms));
  for (const ms of [5000, 5001]) count(counters, attempt(DAY_MS - HOUR_MS + ms));
  sweepAll(counters, START + DAY_MS + 5000);
  expect(count(counters, attempt(DAY_MS + 5000)).counts).toMatchObject({
    network1h: 2,
    network24h: 3,
    domain1h: 2,
  });
});

it('frees the very account at which a sweep ends, and not the one that comes after it by that name', () => {
  const counters = createMemoryCounters();
  // Looking at an account is one step and emptying it is another: one sweep of 1024 ends with the last of them.
  for (let id = 0; id < 512; id += 1) count(counters, attempt(0, { account: `acc_${id}` }));
  counters.sweep(START + DAY_MS);
  expect(counters.size().accounts).toBe(0);
  count(counters, attempt(DAY_MS, { account: 'acc_511' }));
  sweepAll(counters, START + DAY_MS);
  expect(counters.size()).toMatchObject({ accounts: 1, attempts: 1 });
});

it('does not sweep away what is still being restored', async () => {
  const counters = createMemoryCounters();
  async function* stored() {
    for (const ms of [0, 1, 2]) {
      counters.sweep(START + DAY_MS - 1);
      yield attempt(ms);
    }
  }
  await counters.restore(stored());
  expect(count(counters, attempt(DAY_MS + 1)).counts.domain24h).toBe(2);
});

function sweepAll(counters: MemoryCounters, now: number): void {
  for (let round = 0; round < 200; round += 1) counters.sweep(now);
}
