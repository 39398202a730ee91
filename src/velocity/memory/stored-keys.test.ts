/** Collecting keys from stored attempts gives the same as a map of their keys: the latest record of each, with all counts. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countsOf, DOMAIN, highOf, lowOf } from './attempt-record.ts';
import { KeyCounts } from './key-counts.ts';
import { RecordPool } from './record-pool.ts';
import { roomFor, StoredKeys } from './stored-keys.ts';

const SHARDS = 4;

interface StoredAttempt {
  readonly low: number;
  readonly high: number;
  readonly hour: number;
  readonly day: number;
}

function gatherAll(attempts: readonly StoredAttempt[]) {
  const pool = new RecordPool();
  const counts = new KeyCounts();
  const records = Int32Array.from(attempts, ({ low, high, hour, day }) => {
    const record = pool.take();
    pool.set(record, lowOf(DOMAIN), low);
    pool.set(record, highOf(DOMAIN), high);
    pool.set(record, countsOf(DOMAIN), counts.contribution(hour, day));
    return record;
  });
  const repeated: [number, number][] = [];
  const stored = new StoredKeys({
    pool,
    counts,
    records,
    kind: DOMAIN,
    room: new Int32Array(roomFor(records.length)),
    onRepeated: (before, record) => repeated.push([before, record]),
  });
  stored.divide(SHARDS);
  const keys = new Map<string, { record: number; hour: number; day: number }>();
  /** In a shard that is not theirs, or for the second time. */
  const misplaced: string[] = [];
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const number = stored.gather(shard);
    for (let key = 0; key < number; key += 1) {
      const record = stored.record(key);
      const held = pool.get(record, countsOf(DOMAIN));
      const name = `${stored.low(key)} ${pool.get(record, highOf(DOMAIN))}`;
      if ((stored.low(key) & (SHARDS - 1)) !== shard || keys.has(name)) misplaced.push(name);
      keys.set(name, { record, hour: counts.hour(held), day: counts.day(held) });
    }
  }
  expect(misplaced).toEqual([]);
  return { keys, repeated: repeated.toSorted(([, a], [, b]) => a - b) };
}

function modelOf(attempts: readonly StoredAttempt[]) {
  const keys = new Map<string, { record: number; hour: number; day: number }>();
  const repeated: [number, number][] = [];
  for (const [record, { low, high, hour, day }] of attempts.entries()) {
    const name = `${low} ${high}`;
    const before = keys.get(name);
    if (before !== undefined) repeated.push([before.record, record]);
    keys.set(name, { record, hour: (before?.hour ?? 0) + hour, day: (before?.day ?? 0) + day });
  }
  return { keys, repeated };
}

it('collects each key once, with its latest record and the counts of all its records', () => {
  // Few values, so that keys are often equal, or equal in one half only.
  const attempt = fc.record({
    low: fc.constantFrom(0, 1, 2, 4, 5, -3, 2 ** 31 - 1),
    high: fc.constantFrom(0, 1, -1, 65_536),
    hour: fc.nat(1),
    day: fc.constant(1),
  });
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 200 }), (attempts) => {
      expect(gatherAll(attempts)).toEqual(modelOf(attempts));
    }),
  );
});

it('collects more records of a key than 15 bits can count, and many keys in one shard', () => {
  const attempts = Array.from({ length: 40_000 }, (_, index) => ({
    low: 0,
    high: index % 10 === 0 ? index : 7,
    hour: index % 3 === 0 ? 1 : 0,
    day: 1,
  }));
  const texts = [gatherAll(attempts), modelOf(attempts)].map(({ keys, repeated }) =>
    JSON.stringify([[...keys].toSorted(), repeated]),
  );
  // Compared as texts: it takes a second to compare so many objects.
  expect(texts[0] === texts[1]).toBe(true);
});
