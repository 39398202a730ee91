import { afterEach, beforeEach, expect, it } from 'vitest';
import { atOnce } from '../../../test/support/at-once.ts';
import { type Canary, type CanaryIntervals, type CanaryRound, createCanary, majorityOf } from './canary.ts';

const INTERVALS: CanaryIntervals = { everyMs: 60_000, freshMs: 10_000, burstMs: 1_000, retryMs: 5_000 };
const RIGHT: CanaryRound = { outcome: 'right', wrong: [], right: 5 };
const WRONG: CanaryRound = { outcome: 'wrong', wrong: ['gmail.com'], right: 0 };

let now: number;
let rounds: number;
let next: CanaryRound | Error;
let changes: boolean[];
let canary: Canary;

beforeEach(() => {
  [now, rounds, next, changes] = [1_000_000, 0, RIGHT, []];
  open();
});
afterEach(() => canary.close());

function open(intervals: Partial<CanaryIntervals> = {}): void {
  canary = createCanary({
    source: 'dns',
    async ask() {
      rounds += 1;
      if (next instanceof Error) throw next;
      return next;
    },
    intervals: { ...INTERVALS, ...intervals },
    clock: () => now,
    onChange: ({ distrusted }) => changes.push(distrusted),
  });
}

it('checks the controls before the first accusation counts, and uses a fresh result for the next ones', async () => {
  const accusations = [canary.believes(true), canary.believes(true)];
  expect(await Promise.all(accusations)).toEqual([true, true]);
  now += 9_999;
  expect(await atOnce(canary.believes(true))).toBe(true);
  expect(rounds).toBe(1);
  now += 1;
  expect(await canary.believes(true)).toBe(true);
  expect(rounds).toBe(2);
});

it('asks nothing while answers accuse nobody', async () => {
  for (let at = 0; at < 100; at += 1) expect(await atOnce(canary.believes(false))).toBe(true);
  expect(rounds).toBe(0);
});

it('checks earlier when most of the last answers accuse', async () => {
  await canary.start();
  now += 2_000;
  for (let at = 0; at < 7; at += 1) expect(await atOnce(canary.believes(true))).toBe(true);
  expect(rounds).toBe(1);
  next = WRONG;
  expect(await canary.believes(true)).toBe(false);
  expect([rounds, canary.distrusted]).toEqual([2, true]);
});

it('does not check earlier for a few accusations among many answers', async () => {
  await canary.start();
  now += 2_000;
  for (let at = 0; at < 60; at += 1) expect(await atOnce(canary.believes(at % 3 === 0))).toBe(true);
  expect(rounds).toBe(1);
});

it('believes nothing while the controls are wrong, and no accusation that was learned before', async () => {
  next = WRONG;
  const learned = now;
  expect(await canary.believes(true)).toBe(false);
  expect([await canary.believes(true), await canary.believes(false), canary.stillBelieves(learned)]).toEqual([
    false,
    false,
    false,
  ]);
  expect(canary).toMatchObject({ wrong: ['gmail.com'], since: now });
  now += 5_000;
  next = RIGHT;
  // An answer from before the first right round is still not believed.
  expect(await atOnce(canary.believes(true))).toBe(false);
  await canary.start();
  expect([
    await atOnce(canary.believes(true)),
    canary.stillBelieves(learned),
    canary.stillBelieves(now),
  ]).toEqual([true, false, true]);
  expect(canary.wrong).toEqual([]);
  expect(changes).toEqual([true, false]);
});

it.each<[string, CanaryRound | Error]>([
  ['that is undecided', { outcome: 'undecided', wrong: ['gmail.com'], right: 1 }],
  ['that fails', new Error('no reply')],
])('does not change after a round %s', async (_title, round) => {
  await canary.start();
  next = round;
  await canary.start();
  expect(await canary.believes(true)).toBe(true);
  next = WRONG;
  await canary.start();
  next = round;
  await canary.start();
  expect(canary.distrusted).toBe(true);
  expect(changes).toEqual([true]);
});

it('believes no accusation until more controls were right than wrong', async () => {
  next = { outcome: 'undecided', wrong: [], right: 0 };
  expect([await canary.believes(true), await canary.believes(false)]).toEqual([false, true]);
  expect(canary.distrusted).toBe(false);
  now += 5_000;
  next = { outcome: 'undecided', wrong: [], right: 1 };
  expect(await canary.believes(true)).toBe(true);
});

it('checks again at the next accusation after a round without a result', async () => {
  next = { outcome: 'undecided', wrong: [], right: 0 };
  await canary.believes(true);
  now += 5_000;
  next = WRONG;
  expect(await canary.believes(true)).toBe(false);
});

it('recovers by itself, without a request', async () => {
  open({ everyMs: null, retryMs: 20 });
  next = WRONG;
  await canary.believes(true);
  next = RIGHT;
  await expect.poll(() => canary.distrusted).toBe(false);
});

it('checks regularly after its start', async () => {
  open({ everyMs: 10 });
  expect(await canary.start()).toBe('right');
  await expect.poll(() => rounds).toBeGreaterThan(2);
});

it.each([
  [5, [], 5, 'right'],
  [5, ['a'], 4, 'right'],
  [5, ['a', 'b'], 0, 'undecided'],
  [5, ['a', 'b'], 3, 'right'],
  [5, ['a', 'b', 'c'], 0, 'wrong'],
  [5, ['a', 'b', 'c'], 2, 'wrong'],
  [5, [], 2, 'undecided'],
  [4, ['a', 'b'], 2, 'undecided'],
])('of %i controls, %j wrong and %i right are %s', (controls, wrong, right, outcome) => {
  expect(majorityOf(wrong, right, controls).outcome).toBe(outcome);
});
