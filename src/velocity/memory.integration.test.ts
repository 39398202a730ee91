import { expect, it } from 'vitest';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { countRequestOf } from './count-in.suite.ts';
import { type CountersUnderTest, describeCounters } from './counters.suite.ts';
import type { CountRequest, LocalCounters, Reservation } from './counters.ts';
import { CountersModel } from './counters-model.suite.ts';
import { seen } from './counters-script.suite.ts';
import { createMemoryCounters, type MemoryCounters } from './memory/memory.ts';
import { bytesFor } from './memory/record-pool.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 4, 10);

/** An attempt `ms` after the start, from one network, with its own address. */
const attempt = (ms: number, change: Partial<VelocityEvent> = {}): VelocityEvent => ({
  id: `req_${ms}`,
  account: 'acc_a',
  at: START + ms,
  network: '203.0.113.7',
  domain: 'example.com',
  addressHash: `address-${ms}`,
  mailbox: `mailbox-${ms}`,
  ...change,
});

const count = (counters: MemoryCounters, event: VelocityEvent) =>
  counters.checkAndCount(countRequestOf(event)).counted as Reservation;

/** Through the port, whose answers come later. */
const toPort = ({ admit, peek, checkAndCount, restore }: LocalCounters): CountersUnderTest['counters'] => ({
  admit: async (...args) => admit(...args),
  peek: async (...args) => peek(...args),
  checkAndCount: async (request) => checkAndCount(request),
  restore,
});

describeCounters('memory', async () => ({
  counters: toPort(createMemoryCounters()),
  close: async () => {},
}));

// The same with a sweep before every attempt: sweeping must never change a count.
describeCounters('swept memory', async () => {
  const counters = createMemoryCounters();
  const arrive = (arrival: CountRequest) => {
    counters.sweep(arrival.event.at);
    return counters.checkAndCount(arrival);
  };
  return { counters: toPort({ ...counters, checkAndCount: arrive }), close: async () => {} };
});

/** Counters with room for three attempts. */
const crowded = () => createMemoryCounters({ maxVelocityBytes: bytesFor(3) });

it('forgets the oldest attempts of an account when memory is full, and marks counts as partial while they are', () => {
  const counters = crowded();
  for (const ms of [0, 10, 20]) expect(count(counters, attempt(ms)).counts.partial).toBe(false);
  expect(count(counters, attempt(30)).counts).toEqual({
    network1h: 3,
    network24h: 3,
    domain1h: 3,
    domain24h: 3,
    mailbox24h: 1,
    partial: true,
  });
  expect(counters.size()).toMatchObject({ attempts: 3, forgotten: 1 });
  expect(count(counters, attempt(DAY_MS - 1)).counts.partial).toBe(true);
  expect(count(counters, attempt(DAY_MS + 9)).counts.partial).toBe(true);
  expect(count(counters, attempt(DAY_MS + 30)).counts).toMatchObject({ network24h: 3, partial: false });
});

it('keeps a quiet account exact while another floods: the account with the most attempts loses some', () => {
  const counters = createMemoryCounters({ maxVelocityBytes: bytesFor(2_000) });
  const model = new CountersModel();
  for (let ms = 0; ms < 20_000; ms += 1) {
    if (ms % 500 === 0) {
      const quiet = attempt(ms, { account: 'acc_quiet' });
      expect(count(counters, quiet).counts).toEqual(model.count(quiet));
    }
    const flood = { network: `network-${ms}`, domain: `${ms}.example` };
    const { counts } = count(counters, attempt(ms, { account: 'acc_flood', ...flood }));
    expect(counts.partial).toBe(counters.size().forgotten > 0);
  }
  expect(counters.size()).toMatchObject({ accounts: 2, forgotten: 20_040 - counters.size().attempts });
});

it('divides memory evenly between accounts that all want more than their share', () => {
  const counters = createMemoryCounters({ maxVelocityBytes: bytesFor(1_000) });
  const countOf = (account: string, ms: number) =>
    count(counters, attempt(ms, { account })).counts.network24h;
  for (let ms = 0; ms < 2_000; ms += 1) countOf('acc_first', ms);
  for (let ms = 2_000; ms < 4_000; ms += 1)
    for (const account of ['acc_second', 'acc_third']) countOf(account, ms);
  const shares = ['acc_first', 'acc_second', 'acc_third'].map((account) => countOf(account, 4_000));
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(3);
});

it('ignores an undo of an attempt that it forgot early', () => {
  const counters = crowded();
  const first = count(counters, attempt(0));
  for (const ms of [1, 2, 3]) count(counters, attempt(ms));
  first.undo();
  expect(count(counters, attempt(4)).counts).toMatchObject({ network24h: 3, domain24h: 3 });
});

it('marks counts as partial even after all attempts of the account are undone', () => {
  const counters = crowded();
  const handles = [0, 1, 2, 3].map((ms) => count(counters, attempt(ms)));
  for (const handle of handles) handle.undo();
  sweepAll(counters, START + 4);
  expect(counters.size().attempts).toBe(0);
  expect(count(counters, attempt(4)).counts).toMatchObject({ network24h: 1, partial: true });
});

it('moves only a small part of a table at once, however many keys it contains', () => {
  const counters = createMemoryCounters();
  let maxMoves = 0;
  const watch = (work: () => void) => {
    const before = counters.size().moves;
    work();
    maxMoves = Math.max(maxMoves, counters.size().moves - before);
  };
  for (let ms = 0; ms < 50_000; ms += 1)
    watch(() => count(counters, attempt(ms, { network: `network-${ms}`, domain: `${ms}.example` })));
  expect(counters.size().moves).toBeGreaterThan(100_000);
  // An attempt may make a shard grow in each of four tables; a shard has a thousandth of the keys.
  expect(maxMoves).toBeLessThan(400);
});

it('removes the attempts of a past day step by step, and frees its memory at the end', () => {
  const counters = createMemoryCounters();
  const { velocityBytes } = counters.size();
  for (let ms = 0; ms < 20_000; ms += 1) count(counters, attempt(ms));
  const full = counters.size().velocityBytes;
  const before = counters.size().moves;
  expect(count(counters, attempt(2 * DAY_MS)).counts).toMatchObject({ network24h: 1, domain24h: 1 });
  expect(counters.size().attempts).toBe(1);
  expect(counters.size().velocityBytes).toBeGreaterThanOrEqual(full);
  // An attempt may move a shard of some 25 keys in each of four tables. The random key of the hashes chooses the shards.
  expect(counters.size().moves - before).toBeLessThan(4 * 30);
  sweepAll(counters, START + 3 * DAY_MS);
  expect(counters.size().velocityBytes).toBeLessThan(velocityBytes + 1_000_000);
});

it('frees accounts and buckets when their windows are empty', () => {
  const counters = createMemoryCounters();
  counters.admit('key', { windowMs: 5000, admits: 10 }, START);
  count(counters, attempt(0));
  sweepAll(counters, START + 4999);
  expect(counters.size()).toMatchObject({ buckets: 1, accounts: 1, attempts: 1 });
  sweepAll(counters, START + 5000);
  expect(counters.size().buckets).toBe(0);
  sweepAll(counters, START + DAY_MS - 1);
  expect(counters.size()).toMatchObject({ buckets: 0, accounts: 1, attempts: 1 });
  sweepAll(counters, START + DAY_MS);
  expect(counters.size()).toMatchObject({ buckets: 0, accounts: 0, attempts: 0 });
});

it('an undo changes nothing for an account that was freed and counted again', () => {
  const counters = createMemoryCounters();
  const first = count(counters, attempt(0));
  sweepAll(counters, START + DAY_MS);
  count(counters, attempt(DAY_MS, { addressHash: 'address-0' }));
  first.undo();
  first.undo();
  expect(counters.size()).toMatchObject({ accounts: 1, attempts: 1 });
  expect(count(counters, attempt(DAY_MS + 1)).counts).toMatchObject({ network24h: 2, domain24h: 2 });
});

it('keeps nothing of an attempt that was undone, in any order', () => {
  const counters = createMemoryCounters();
  const handles = [0, 1, 2].map((ms) => count(counters, attempt(ms)));
  for (const handle of [handles[1], handles[0], handles[2]]) handle?.undo();
  expect(counters.size().attempts).toBe(0);
});

it('gives the same results when the clock goes back', () => {
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

it('keeps a day whose newest attempt came with an older time', () => {
  const counters = createMemoryCounters();
  count(counters, attempt(1000));
  count(counters, attempt(0));
  expect(count(counters, attempt(DAY_MS + 500)).counts.network24h).toBe(3);
});

it('stays exact during a burst of thousands, its slow end, and the later shrinking', () => {
  const counters = createMemoryCounters();
  const at = (ms: number, which: number) =>
    count(counters, attempt(ms, { addressHash: `address-${which}`, mailbox: `mailbox-${which}` }));
  const burst = Array.from({ length: 40_000 }, (_, ms) => count(counters, attempt(ms)));
  expect(at(40_000, 0).counts).toMatchObject({ network24h: 40_001, domain24h: 40_000, mailbox24h: 1 });
  burst[39_850]?.undo();
  sweepAll(counters, START + HOUR_MS + 39_000);
  expect(counters.size().attempts).toBe(40_000);
  sweepAll(counters, START + DAY_MS + 39_799);
  expect(counters.size().attempts).toBe(200);

  for (const which of [39_900, 39_999, 17]) burst[which]?.undo();
  // Remaining: 39 800 … 39 999 without the three that were undone, and 0 again.
  expect(at(DAY_MS + 39_799, 39_998).counts).toMatchObject({ network1h: 1, domain1h: 1, domain24h: 198 });
  expect(at(DAY_MS + 39_799, 39_900).counts).toMatchObject({
    network24h: 200,
    domain24h: 199,
    mailbox24h: 1,
  });
  expect(at(DAY_MS + 39_949, 1).counts).toMatchObject({ network24h: 53, domain24h: 52, domain1h: 3 });
});

it('keeps an hour exact while an earlier burst is removed', () => {
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

it('frees the account at which a sweep ends, but not a later account with the same name', () => {
  const counters = createMemoryCounters();
  // One step checks an account and another empties it, so one sweep of 1024 steps ends with the last account.
  for (let id = 0; id < 512; id += 1) count(counters, attempt(0, { account: `acc_${id}` }));
  counters.sweep(START + DAY_MS);
  expect(counters.size().accounts).toBe(0);
  count(counters, attempt(DAY_MS, { account: 'acc_511' }));
  sweepAll(counters, START + DAY_MS);
  expect(counters.size()).toMatchObject({ accounts: 1, attempts: 1 });
});

it('counts the same after a restore as after counting each attempt, until the last one is removed', async () => {
  // Few keys, so that attempts share most of them; more than one segment of the pool, and a pause of an hour.
  const past = Array.from({ length: 20_000 }, (_, index) => {
    const ms = index * 3_500 + (index > 5_000 ? HOUR_MS : 0);
    const address = `a${(index * 7_919) % 101}`;
    const network = index % 10 === 0 ? null : `n${(index * 31) % 977}`;
    const keys = { network, domain: `d${address.length}${address.slice(0, 2)}`, addressHash: address };
    return attempt(ms, { ...keys, mailbox: `m${address.slice(0, 3)}`, account: `acc_${index % 3}` });
  });
  const [restored, counted] = [createMemoryCounters(), createMemoryCounters()];
  await restored.restore([past.slice(0, 4_000), past.slice(4_000)]);
  for (const event of past) count(counted, event);
  expect(restored.size().attempts).toBe(counted.size().attempts);
  const end = (past.at(-1) as VelocityEvent).at - START;
  for (let later = 0; later < 3_000; later += 1) {
    const next = { ...(past[(later * 13) % past.length] as VelocityEvent), at: START + end + later * 30_000 };
    const [ofRestored, ofCounted] = [count(restored, next), count(counted, next)];
    expect(ofRestored.counts).toEqual(ofCounted.counts);
    expect(seen(ofRestored)).toEqual(seen(ofCounted));
  }
  for (const counters of [restored, counted]) sweepAll(counters, START + 4 * DAY_MS);
  expect(restored.size()).toMatchObject({ accounts: 0, attempts: 0 });
});

it('counts an attempt during a restore together with the attempts restored before it', async () => {
  const counters = createMemoryCounters();
  async function* stored() {
    yield [attempt(0), attempt(1)];
    expect(count(counters, attempt(2)).counts.network1h).toBe(3);
    yield [attempt(3)];
  }
  await counters.restore(stored());
  expect(count(counters, attempt(4)).counts.network1h).toBe(5);
});

it('restores as many attempts as there is room for, and forgets the oldest', async () => {
  const counters = crowded();
  await counters.restore([[0, 10, 20, 30, 40].map((ms) => attempt(ms))]);
  expect(counters.size()).toMatchObject({ attempts: 3, forgotten: 2 });
  expect(count(counters, attempt(50)).counts).toMatchObject({ network1h: 3, partial: true });
});

it('does not remove attempts while they are being restored', async () => {
  const counters = createMemoryCounters();
  async function* stored() {
    for (const ms of [0, 1, 2]) {
      counters.sweep(START + DAY_MS - 1);
      yield [attempt(ms)];
    }
  }
  await counters.restore(stored());
  expect(count(counters, attempt(DAY_MS + 1)).counts.domain24h).toBe(2);
});

function sweepAll(counters: MemoryCounters, now: number): void {
  for (let round = 0; round < 200; round += 1) counters.sweep(now);
}
