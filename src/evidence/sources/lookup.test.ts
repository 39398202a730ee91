import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atOnce } from '../../../test/support/at-once.ts';
import { Lookup, type LookupAnswer, type LookupOptions, type Substitute } from './lookup.ts';

type Answer = LookupAnswer<string> | Substitute<string>;

const DEADLINE_MS = 100;
const FAILED: Answer = { outcome: 'failed', value: 'unknown' };

let now: number;
let outcomes: string[];
let subjects: string[];
/** Ends the question about a subject. */
let reply: Map<string, (answer: Answer) => void>;
let lookup: Lookup<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  [now, outcomes, subjects, reply] = [1_000, [], [], new Map()];
  lookup = create();
});
afterEach(() => vi.useRealTimers());

function create(options: Partial<LookupOptions<string, string>> = {}): Lookup<string, string> {
  return new Lookup<string, string>({
    keyOf: (subject) => subject.toLowerCase(),
    ask(subject) {
      subjects.push(subject);
      const answer = new Promise<Answer>((resolve) => reply.set(subject, resolve));
      return { answer, instead: undefined, missed: () => ({ outcome: 'late', value: 'not yet' }) };
    },
    deadlineMs: DEADLINE_MS,
    missingTtlMs: 5_000,
    unknown: 'unknown',
    capacity: 100,
    clock: () => now,
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
}

const found = (value: string, ttlMs = 10_000): Answer => ({ value, ttlMs });

/** Looks up, and lets the source reply before the deadline. */
async function answered(subject: string, answer: Answer): Promise<string> {
  const waiting = lookup.lookup(subject);
  reply.get(subject)?.(answer);
  return waiting;
}

it('asks once for equal subjects, and uses the answer for its lifetime', async () => {
  const both = [lookup.lookup('a'), lookup.lookup('A')];
  reply.get('a')?.(found('yes'));
  expect(await Promise.all(both)).toEqual(['yes', 'yes']);
  now += 9_999;
  expect(await atOnce(lookup.lookup('a'))).toBe('yes');
  now += 1;
  expect(await atOnce(lookup.lookup('a'))).toBe('waits');
  expect([outcomes, subjects]).toEqual([
    ['shared', 'answered', 'cache'],
    ['a', 'a'],
  ]);
});

it('answers from memory in the same turn', async () => {
  await answered('a', found('yes'));
  expect(lookup.lookup('a')).toBe('yes');
  expect(lookup.lookup('b')).toBeInstanceOf(Promise);
});

it('gives an answer without a lifetime only to the callers that wait for it', async () => {
  expect(await answered('a', found('yes', 0))).toBe('yes');
  expect(await atOnce(lookup.lookup('a'))).toBe('waits');
});

it('does not ask again for a while after no answer', async () => {
  expect(await answered('a', FAILED)).toBe('unknown');
  now += 4_999;
  expect(await atOnce(lookup.lookup('a'))).toBe('unknown');
  now += 1;
  expect(await atOnce(lookup.lookup('a'))).toBe('waits');
  expect(outcomes).toEqual(['failed', 'cache']);
});

it('waits no longer than the deadline, and uses the late answer afterwards', async () => {
  const waiting = lookup.lookup('a');
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  expect(await waiting).toBe('not yet');
  expect(await atOnce(lookup.lookup('a'))).toBe('not yet');
  reply.get('a')?.(found('yes'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await atOnce(lookup.lookup('a'))).toBe('yes');
  expect([outcomes, subjects]).toEqual([['late', 'cache', 'arrived', 'cache'], ['a']]);
});

it('asks again at once after missing answers are forgotten, and ignores the reply of a dropped question', async () => {
  await answered('a', FAILED);
  void lookup.lookup('b');
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  const dropped = reply.get('b');
  lookup.forgetMissing();
  expect(await atOnce(lookup.lookup('a'))).toBe('waits');
  const again = lookup.lookup('b');
  dropped?.(FAILED);
  await vi.advanceTimersByTimeAsync(0);
  reply.get('b')?.(found('yes'));
  expect(await again).toBe('yes');
});

it('gives the fallback at once if a wait is not worth it, and learns from the answer', async () => {
  let settle = (_: Answer): void => {};
  lookup = create({
    ask: () => ({
      answer: new Promise<Answer>((resolve) => {
        settle = resolve;
      }),
      instead: { outcome: 'slow', value: 'unknown' },
      missed: () => ({ outcome: 'late', value: 'never' }),
    }),
  });
  expect([await atOnce(lookup.lookup('a')), await atOnce(lookup.lookup('a'))]).toEqual([
    'unknown',
    'unknown',
  ]);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  settle(found('yes'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await atOnce(lookup.lookup('a'))).toBe('yes');
  expect(outcomes).toEqual(['slow', 'cache', 'arrived', 'cache']);
});

it('is busy if there is no place for a question, or lets the caller decide', async () => {
  lookup = create({ ask: () => undefined });
  expect([await atOnce(lookup.lookup('a')), lookup.tryLookup('a'), outcomes]).toEqual([
    'unknown',
    undefined,
    ['busy'],
  ]);
});

it('does not use an answer that became unusable', async () => {
  let distrustedUntil = 0;
  lookup = create({ isUsable: ({ learnedAt }) => learnedAt >= distrustedUntil });
  await answered('a', found('yes'));
  distrustedUntil = now + 1;
  expect(await atOnce(lookup.lookup('a'))).toBe('waits');
});

it('loads answers from before the restart first, and does not ask for those that it finds', async () => {
  const kept = new Map<string, { value: string; learnedAt: number; until: number }>();
  let loaded = () => {};
  lookup = create({
    memory: {
      get: (key) => kept.get(key),
      set: (key, remembered) => kept.set(key, remembered),
      load: () =>
        new Promise((resolve) => {
          loaded = resolve;
        }),
    },
  });
  const waiting = lookup.lookup('a');
  kept.set('a', { value: 'kept', learnedAt: 0, until: 2_000 });
  loaded();
  expect([await waiting, subjects, outcomes]).toEqual(['kept', [], ['cache']]);
});
