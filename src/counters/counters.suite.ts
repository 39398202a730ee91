/** Decides what every implementation of the counters must do. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { countIn } from './count-in.suite.ts';
import type { Counters, LocalCounters } from './counters.ts';
import { describeCheckAndCount } from './counters-check-and-count.suite.ts';
import { describeClockSteps } from './counters-clock.suite.ts';
import { CountersModel } from './counters-model.suite.ts';
import { pasts, play, recall, scripts } from './counters-script.suite.ts';

export interface CountersUnderTest {
  readonly counters: Counters & Pick<LocalCounters, 'restore'>;
  close(): Promise<void>;
}
type Make = () => Promise<CountersUnderTest>;
/** The counters of the test that runs. */
type Current = () => CountersUnderTest['counters'];

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Ahead of any real clock, so that nothing a test counts has expired in a server's eyes. */
const START = Date.UTC(2040, 0, 1);

let signups = 0;
const signup: VelocityEvent = {
  get id() {
    signups += 1;
    return `req_${signups}`;
  },
  account: 'acc_a',
  at: START,
  network: '203.0.113.7',
  domain: 'example.com',
  addressHash: 'ada',
  mailbox: 'ada',
};

export function describeCounters(name: string, make: Make): void {
  describe(`${name} counters`, () => {
    let made: CountersUnderTest;
    beforeEach(async () => {
      made = await make();
    });
    afterEach(() => made.close());
    const current = () => made.counters;

    describe('rate windows', () => describeRateWindows(current));
    describe('attempts', () => describeAttempts(current));
    describe('distinct addresses', () => describeDistinctness(current));
    describe('undo', () => describeUndo(current));
    describe('arrivals', () => describeCheckAndCount(current, signup));
    describe('restore', () => describeRestore(current));
    describe('the clock', () => describeClockSteps(current, signup));
    describe('beside a brute-force model', () => describeBesideModel(make));
  });
}

function describeRateWindows(current: Current): void {
  const window = { windowMs: 5000, admits: 2 };
  const admit = (ms: number, admits = 2) => current().admit('key', { ...window, admits }, START + ms);

  it('admits as many as the window holds, and says when the next one may come', async () => {
    expect(await admit(0)).toEqual({ admitted: true, remaining: 1, retryAt: START });
    expect(await admit(10)).toEqual({ admitted: true, remaining: 0, retryAt: START + 5000 });
    expect(await admit(20)).toEqual({ admitted: false, remaining: 0, retryAt: START + 5000 });
  });

  it.each([
    [4999, false],
    [5000, true],
    [5001, true],
  ])('after %i ms of a full window of 5000 it admits: %s', async (ms, admitted) => {
    await admit(0);
    await admit(0);
    expect((await admit(ms)).admitted).toBe(admitted);
  });

  it('does not count a refused request', async () => {
    await admit(0);
    await admit(0);
    await admit(4999);
    expect(await admit(5000)).toMatchObject({ admitted: true, remaining: 1 });
  });

  it('peeks without counting', async () => {
    expect(await current().peek('key', window, START)).toEqual({
      admitted: true,
      remaining: 2,
      retryAt: START,
    });
    await admit(0);
    expect(await current().peek('key', window, START)).toEqual({
      admitted: true,
      remaining: 1,
      retryAt: START,
    });
    await admit(1);
    const full = { admitted: false, remaining: 0, retryAt: START + 5000 };
    expect(await current().peek('key', window, START + 2)).toEqual(full);
  });

  it('follows a change of plan in the middle of a window', async () => {
    for (const ms of [0, 1, 2, 3]) await admit(ms, 4);
    expect(await admit(4, 2)).toEqual({ admitted: false, remaining: 0, retryAt: START + 5002 });
    expect(await admit(4, 6)).toEqual({ admitted: true, remaining: 1, retryAt: START + 4 });
  });

  it('stays exact while more and more is admitted', async () => {
    for (let ms = 0; ms < 8; ms += 1) await admit(ms, 8);
    for (let ms = 5000; ms < 5008; ms += 1) expect((await admit(ms, 8)).admitted).toBe(true);
    expect(await admit(5008, 20)).toMatchObject({ admitted: true, remaining: 11 });
    expect(await admit(10_003, 20)).toMatchObject({ admitted: true, remaining: 14 });
    expect(await admit(10_003, 6)).toEqual({ admitted: false, remaining: 0, retryAt: START + 10_004 });
  });

  it('keeps buckets apart', async () => {
    await admit(0, 1);
    expect((await current().admit('other', { windowMs: 5000, admits: 1 }, START)).admitted).toBe(true);
  });

  it('admits exactly the burst out of many at once', async () => {
    const states = await Promise.all(Array.from({ length: 100 }, () => admit(0, 30)));
    expect(states.filter(({ admitted }) => admitted)).toHaveLength(30);
    expect(new Set(states.filter(({ admitted }) => admitted).map(({ remaining }) => remaining)).size).toBe(
      30,
    );
  });
}

function describeAttempts(current: Current): void {
  const count = async (change: Partial<VelocityEvent>) =>
    (await countIn(current(), { ...signup, ...change })).counts;

  it('includes the attempt itself', async () => {
    const one = { network1h: 1, network24h: 1, domain1h: 1, domain24h: 1, mailbox24h: 1, partial: false };
    expect(await count({})).toEqual(one);
  });

  it.each([
    [HOUR_MS - 1, 2],
    [HOUR_MS, 1],
    [HOUR_MS + 1, 1],
  ])('after %i ms an hour holds %i', async (ms, held) => {
    await count({});
    const later = await count({ at: START + ms, addressHash: 'bob', mailbox: 'bob' });
    expect(later).toMatchObject({ network1h: held, domain1h: held, network24h: 2, domain24h: 2 });
  });

  it.each([
    [DAY_MS - 1, 2],
    [DAY_MS, 1],
    [DAY_MS + 1, 1],
  ])('after %i ms a day holds %i', async (ms, held) => {
    await count({});
    const later = await count({ at: START + ms, addressHash: 'a.da' });
    expect(later).toMatchObject({ network24h: held, domain24h: held, mailbox24h: held });
  });

  it('counts no network where there is none', async () => {
    await count({ network: null });
    expect(await count({ network: null })).toMatchObject({ network1h: 0, network24h: 0, domain1h: 1 });
  });

  it('keeps accounts apart', async () => {
    await count({});
    expect(await count({ account: 'acc_b', addressHash: 'bob' })).toMatchObject({
      network24h: 1,
      domain24h: 1,
    });
  });

  it('keeps the counts of a quiet account while another one floods with what never repeats', async () => {
    const quiet = { account: 'acc_quiet', domain: 'quiet.example', network: '198.51.100.9' };
    for (let round = 0; round < 5; round += 1) {
      const flood = Array.from({ length: 100 }, (_, number) => {
        const own = `${round}-${number}`;
        return { network: own, domain: `${own}.example`, addressHash: own, mailbox: own };
      });
      await Promise.all(flood.map((change) => count({ ...change, at: START + round })));
      const own = { addressHash: `quiet-${round}`, mailbox: 'quiet', at: START + round };
      expect(await count({ ...quiet, ...own })).toEqual({
        ...{ network1h: round + 1, network24h: round + 1, domain1h: round + 1, domain24h: round + 1 },
        ...{ mailbox24h: round + 1, partial: false },
      });
    }
  });

  it('gives each of many at once a count of its own', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => count({})));
    expect(new Set(all.map(({ network1h }) => network1h)).size).toBe(50);
  });
}

function describeDistinctness(current: Current): void {
  const count = async (change: Partial<VelocityEvent>) =>
    (await countIn(current(), { ...signup, ...change })).counts;

  it('counts an address once, however often it comes', async () => {
    for (let at = START; at < START + 5; at += 1) await count({ at });
    const counts = await count({ at: START + 5 });
    expect(counts).toMatchObject({ network1h: 6, domain1h: 1, domain24h: 1, mailbox24h: 1 });
  });

  it('keeps an address until its last attempt has left', async () => {
    await count({});
    await count({ at: START + HOUR_MS - 1 });
    const bob = { addressHash: 'bob', mailbox: 'bob' };
    expect((await count({ ...bob, at: START + HOUR_MS + 1 })).domain1h).toBe(2);
    expect((await count({ ...bob, at: START + 2 * HOUR_MS - 1 })).domain1h).toBe(1);
  });

  it('counts the addresses of one mailbox over its domains', async () => {
    await count({ addressHash: 'a.da@gmail', domain: 'gmail.com' });
    const counts = await count({ addressHash: 'ada@googlemail', domain: 'googlemail.com' });
    expect(counts).toMatchObject({ domain24h: 1, mailbox24h: 2 });
  });

  it('counts a mailbox no lower than under a hash from before a rotation, within the day', async () => {
    for (const addressHash of ['a', 'b', 'c']) await count({ addressHash, mailbox: 'old' });
    const rotated = { addressHash: 'new a', mailbox: 'new', olderMailboxes: ['oldest', 'old'] };
    expect((await count({ ...rotated, at: START + 1 })).mailbox24h).toBe(3);
    expect((await count({ ...rotated, olderMailboxes: [], at: START + 2 })).mailbox24h).toBe(1);
    expect((await count({ ...rotated, account: 'acc_b', at: START + 3 })).mailbox24h).toBe(1);
    for (const addressHash of ['new b', 'new c', 'new d'])
      await count({ ...rotated, addressHash, at: START + 4 });
    expect((await count({ ...rotated, at: START + 5 })).mailbox24h).toBe(4);
    expect((await count({ ...rotated, at: START + DAY_MS })).mailbox24h).toBe(4);
    expect((await count({ mailbox: 'other', olderMailboxes: ['old'], at: START + DAY_MS })).mailbox24h).toBe(
      1,
    );
  });
}

function describeUndo(current: Current): void {
  const at = (ms: number) => ({ ...signup, at: START + ms });
  const count = (attempt: VelocityEvent) => countIn(current(), attempt);

  it('takes an attempt back as if it had never been, once', async () => {
    const first = await count(at(0));
    await count(at(1));
    await first.undo();
    await first.undo();
    expect((await count(at(2))).counts).toMatchObject({
      network1h: 2,
      network24h: 2,
      domain24h: 1,
    });
  });

  it.each([HOUR_MS, DAY_MS])('leaves the counts right when the attempt is %i ms old', async (ms) => {
    const first = await count(at(0));
    await count(at(ms));
    await first.undo();
    expect((await count(at(ms))).counts).toMatchObject({ network1h: 2, network24h: 2 });
  });

  it('leaves nothing behind when everything is taken back, the newest first', async () => {
    const old = await count(at(0));
    const young = await count(at(HOUR_MS));
    await young.undo();
    await old.undo();
    await count(at(HOUR_MS));
    expect((await count(at(2 * HOUR_MS))).counts).toMatchObject({ network1h: 1, network24h: 2 });
  });

  it('takes nothing from those who came after the attempt was forgotten', async () => {
    const first = await count(at(0));
    await count(at(3 * DAY_MS));
    await first.undo();
    expect((await count(at(3 * DAY_MS))).counts).toMatchObject({ network1h: 2, network24h: 2 });
  });
}

function describeRestore(current: Current): void {
  it('takes what a store streams', async () => {
    async function* stored() {
      yield [{ ...signup }, { ...signup, at: START + 1, addressHash: 'bob', mailbox: 'bob' }];
      yield [];
      yield [{ ...signup, at: START + 2, addressHash: 'eve', mailbox: 'eve' }];
    }
    await current().restore(stored());
    const { counts } = await countIn(current(), { ...signup, at: START + 3 });
    expect(counts).toMatchObject({ network1h: 4, domain1h: 3, mailbox24h: 1 });
  });

  it('takes attempts that overtook each other by some milliseconds', async () => {
    const times = [START, START + 30, START + 10, START + 20];
    await current().restore([times.map((at) => ({ ...signup, at }))]);
    expect((await countIn(current(), { ...signup, at: START + HOUR_MS - 1 })).counts.network1h).toBe(5);
    expect((await countIn(current(), { ...signup, at: START + HOUR_MS + 30 })).counts.network1h).toBe(2);
  });
}

function describeBesideModel(make: Make): void {
  it('answers every sequence of calls alike', { timeout: 60_000 }, async () => {
    const property = fc.asyncProperty(scripts, async (script) => {
      const { counters, close } = await make();
      await play(script, { counters, model: new CountersModel(), start: START }).finally(close);
    });
    await fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it('answers alike after a restore', { timeout: 60_000 }, async () => {
    const property = fc.asyncProperty(pasts, scripts, async (past, script) => {
      const { counters, close } = await make();
      const model = new CountersModel();
      const { attempts, end } = recall(past, START);
      for (const attempt of attempts) model.count(attempt);
      await counters.restore([attempts.slice(0, 3), attempts.slice(3)]);
      await play(script, { counters, model, start: end }).finally(close);
    });
    await fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
}
