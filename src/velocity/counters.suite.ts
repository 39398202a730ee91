/** Duties of every implementation of the counters. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { countIn } from './count-in.suite.ts';
import type { Counters, LocalCounters } from './counters.ts';
import { describeCheckAndCount } from './counters-check-and-count.suite.ts';
import { describeClockSteps } from './counters-clock.suite.ts';
import { CountersModel } from './counters-model.suite.ts';
import { describeRateWindows } from './counters-rate-windows.suite.ts';
import { pasts, play, recall, scripts, seen } from './counters-script.suite.ts';
import { describeAttempts, describeDistinctness, describeVoices } from './counters-velocity.suite.ts';

export interface CountersUnderTest {
  readonly counters: Counters & Pick<LocalCounters, 'restore'>;
  close(): Promise<void>;
}
type Make = () => Promise<CountersUnderTest>;
/** The counters of the current test. */
type Current = () => CountersUnderTest['counters'];

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Later than any real clock, so that a server does not expire what a test counts. */
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

/** @param runs number of cases for each property */
export function describeCounters(name: string, make: Make, runs = PROPERTY_RUNS): void {
  describe(`${name} counters`, () => {
    let made: CountersUnderTest;
    beforeEach(async () => {
      made = await make();
    });
    afterEach(() => made.close());
    const current = () => made.counters;

    describe('rate windows', () => describeRateWindows(current, signup.at));
    describe('attempts', () => describeAttempts(current, signup));
    describe('distinct addresses', () => describeDistinctness(current, signup));
    describe('voices', () => describeVoices(current, signup));
    describe('undo', () => describeUndo(current));
    describe('check and count', () => describeCheckAndCount(current, signup));
    describe('restore', () => describeRestore(current));
    describe('the clock', () => describeClockSteps(current, signup));
    describe('compared with a brute-force model', () => describeBesideModel(make, runs));
  });
}

function describeUndo(current: Current): void {
  const at = (ms: number) => ({ ...signup, at: START + ms });
  const count = (attempt: VelocityEvent) => countIn(current(), attempt);

  it('undoes an attempt completely, and only once', async () => {
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

  it.each([HOUR_MS, DAY_MS])('leaves correct counts when the attempt is %i ms old', async (ms) => {
    const first = await count(at(0));
    await count(at(ms));
    await first.undo();
    expect((await count(at(ms))).counts).toMatchObject({ network1h: 2, network24h: 2 });
  });

  it('leaves no counts when every attempt is undone, newest first', async () => {
    const old = await count(at(0));
    const young = await count(at(HOUR_MS));
    await young.undo();
    await old.undo();
    await count(at(HOUR_MS));
    expect((await count(at(2 * HOUR_MS))).counts).toMatchObject({ network1h: 1, network24h: 2 });
  });

  it('takes back the voices of an attempt, and no others', async () => {
    const at = (ms: number, network: string | null, name: string) =>
      count({ ...signup, at: START + ms, network, addressHash: name, mailbox: name });
    for (let ms = 0; ms < 8; ms += 1) await at(ms, '192.0.2.1', `p${ms}`);
    const [again, other, nowhere] = [
      await at(8, '192.0.2.1', 'p0'),
      await at(9, '192.0.2.2', 'p1'),
      await at(10, null, 'p2'),
    ];
    const last = () => at(11, '192.0.2.1', 'p3').then(seen);
    expect(await last()).toMatchObject({ networkMailboxes1h: { all: 8 }, domainVoices1h: { all: 3 } });
    await again.undo();
    expect(await last()).toMatchObject({ networkMailboxes1h: { all: 8 }, domainVoices1h: { all: 3 } });
    await other.undo();
    expect(await last()).toMatchObject({ networkMailboxes1h: { all: 8 }, domainVoices1h: { all: 2 } });
    await nowhere.undo();
    expect(await last()).toMatchObject({ networkMailboxes1h: { all: 8 }, domainVoices1h: { all: 1 } });
  });

  it('does not lower the counts of later attempts if the undone attempt has expired', async () => {
    const first = await count(at(0));
    await count(at(3 * DAY_MS));
    await first.undo();
    expect((await count(at(3 * DAY_MS))).counts).toMatchObject({ network1h: 2, network24h: 2 });
  });
}

function describeRestore(current: Current): void {
  it('restores the attempts that a store streams', async () => {
    async function* stored() {
      yield [{ ...signup }, { ...signup, at: START + 1, addressHash: 'bob', mailbox: 'bob' }];
      yield [];
      yield [{ ...signup, at: START + 2, addressHash: 'eve', mailbox: 'eve' }];
    }
    await current().restore(stored());
    const { counts } = await countIn(current(), { ...signup, at: START + 3 });
    expect(counts).toMatchObject({ network1h: 4, domain1h: 3, mailbox24h: 1 });
  });

  it('restores which attempts were blocked, and which have names', async () => {
    const stored = Array.from({ length: 12 }, (_, number): VelocityEvent => {
      const name = `p${number}`;
      const network = number < 10 ? `192.0.2.${number}` : null;
      return {
        ...signup,
        network,
        addressHash: name,
        mailbox: name,
        blocked: number % 3 === 0,
        named: number % 2 === 0,
      };
    });
    await current().restore([stored]);
    const office = { ...signup, at: START + 1, network: '198.51.100.4' };
    expect(seen(await countIn(current(), office)).domainVoices1h).toEqual({
      all: 13,
      blocked: 4,
      ofDomain: 9,
      named: 4,
    });
  });

  it('restores attempts whose order differs by some milliseconds', async () => {
    const times = [START, START + 30, START + 10, START + 20];
    await current().restore([times.map((at) => ({ ...signup, at }))]);
    expect((await countIn(current(), { ...signup, at: START + HOUR_MS - 1 })).counts.network1h).toBe(5);
    expect((await countIn(current(), { ...signup, at: START + HOUR_MS + 30 })).counts.network1h).toBe(2);
  });
}

function describeBesideModel(make: Make, runs: number): void {
  it('gives the same answers to every sequence of calls', { timeout: 240_000 }, async () => {
    const property = fc.asyncProperty(scripts, async (script) => {
      const { counters, close } = await make();
      await play(script, { counters, model: new CountersModel(), start: START }).finally(close);
    });
    await fc.assert(property, { numRuns: runs });
  });

  it('gives the same answers after a restore', { timeout: 240_000 }, async () => {
    const property = fc.asyncProperty(pasts, scripts, async (past, script) => {
      const { counters, close } = await make();
      const model = new CountersModel();
      const { attempts, end } = recall(past, START);
      for (const attempt of attempts) model.count(attempt);
      await counters.restore([attempts.slice(0, 3), attempts.slice(3)]);
      await play(script, { counters, model, start: end }).finally(close);
    });
    await fc.assert(property, { numRuns: runs });
  });
}
