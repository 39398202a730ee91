/** Attempts of one turn that share a bucket and its limits are counted in one call, eight at once; each gets its own part of the reply. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { CountRequest, CreditClaim } from '../counters.ts';
import { createCountCalls } from './count-calls.ts';
import { createKeys } from './key-names.ts';

const WINDOW = { windowMs: 5_000, admits: 100 };
const CREDIT = { month: '2026-05', cap: 100, used: 7, exact: false };

let made = 0;
function request(change: Partial<CountRequest> = {}, account = 'acc_a'): CountRequest {
  made += 1;
  const names = { domain: 'example.com', addressHash: `address-${made}`, mailbox: `address-${made}` };
  return {
    bucket: `${account}:live`,
    window: WINDOW,
    credit: CREDIT,
    event: { id: `req_${made}`, account, at: made, network: null, ...names },
    ...change,
  };
}

/** The ids in each call, and how calls are answered: each attempt by its own number. */
function callsThatNote({ fails = false } = {}) {
  const calls: string[][] = [];
  const count = createCountCalls({
    blockSize: 16,
    keys: createKeys('test:', (text) => text.padEnd(16)),
    callCount: async (keys, args) => {
      const ids = args.filter((arg): arg is string => typeof arg === 'string' && arg.startsWith('req_'));
      expect(keys).toHaveLength(3 + 3 * ids.length);
      calls.push(ids);
      await nextTurn();
      if (fails) throw new Error(`no call of ${ids[0]}`);
      return ids.map((id) => [Number(id.slice(4))]);
    },
  });
  return { calls, count: (each: CountRequest, force: 0 | 1 = 0) => count(each, force, 0) };
}

const idsOf = (...requests: CountRequest[]) => requests.map(({ event }) => event.id);
const numbersOf = (...requests: CountRequest[]) => requests.map(({ event }) => [Number(event.id.slice(4))]);

it('counts the attempts of a turn in one call, and those of the next turn in another', async () => {
  const { calls, count } = callsThatNote();
  const [a, b, c] = [request(), request(), request()];
  const first = [count(a), Promise.resolve().then(() => count(b))];
  await nextTurn();
  const all = await Promise.all([...first, count(c)]);
  expect(all).toEqual(numbersOf(a, b, c));
  expect(calls).toEqual([idsOf(a, b), idsOf(c)]);
});

it('sends eight at once', () => {
  const { calls, count } = callsThatNote();
  const requests = Array.from({ length: 10 }, () => request());
  for (const each of requests) void count(each);
  expect(calls).toEqual([idsOf(...requests.slice(0, 8))]);
});

it('has a call for each bucket, and answers each attempt with its own part', async () => {
  const { calls, count } = callsThatNote();
  const [a, b, c] = [request(), request({}, 'acc_b'), request()];
  expect(await Promise.all([a, b, c].map((each) => count(each)))).toEqual(numbersOf(a, b, c));
  expect(calls).toEqual([idsOf(a, c), idsOf(b)]);
});

it.each<[string, Partial<CountRequest>, 0 | 1]>([
  ['another window', { window: { ...WINDOW, admits: 99 } }, 0],
  ['a window of another length', { window: { ...WINDOW, windowMs: 1_000 } }, 0],
  ['no window', { window: null }, 0],
  ['another cap', { credit: { ...CREDIT, cap: 99 } }, 0],
  ['another month', { credit: { ...CREDIT, month: '2026-06' } }, 0],
  ['no credit', { credit: null }, 0],
  ['force', {}, 1],
])('has a call of its own, in order, for %s', async (_name, change, force) => {
  const { calls, count } = callsThatNote();
  const [a, b, c] = [request(), request(change), request()];
  await Promise.all([count(a), count(b, force), count(c)]);
  expect(calls).toEqual([idsOf(a), idsOf(b), idsOf(c)]);
});

it.each<[string, Partial<CreditClaim>]>([
  ['another number of credits known to be used', { used: 8 }],
  ['a number just read', { exact: true }],
])('has no call of its own for %s', async (_name, change) => {
  const { calls, count } = callsThatNote();
  const [a, b] = [request(), request({ credit: { ...CREDIT, ...change } })];
  await Promise.all([count(a), count(b)]);
  expect(calls).toEqual([idsOf(a, b)]);
});

it('fails for each attempt of a call that fails, and for no other', async () => {
  const { count } = callsThatNote({ fails: true });
  const [a, b, c] = [request(), request(), request({}, 'acc_b')];
  const results = await Promise.allSettled([a, b, c].map((each) => count(each)));
  expect(results.map((result) => (result as PromiseRejectedResult).reason.message)).toEqual([
    `no call of ${a.event.id}`,
    `no call of ${a.event.id}`,
    `no call of ${c.event.id}`,
  ]);
});
