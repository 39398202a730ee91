import fc from 'fast-check';
import { expect, it } from 'vitest';
import { highOf, lowOf, MAILBOX } from './attempt-record.ts';
import { KeyIndex } from './key-index.ts';
import { NONE, RecordPool } from './record-pool.ts';

const MAX_RECORDS = 4_000_000;

/** An index, and records with the fingerprints of numbers. With `low`, few bits differ, so that many keys share a shard. */
function newIndex(shift = 20) {
  const pool = new RecordPool();
  const index = new KeyIndex(pool, MAILBOX, MAX_RECORDS);
  const printOf = (key: number) => [Math.imul(key, 0x9e3779b1) << shift, key % 7] as const;
  return {
    pool,
    index,
    find: (key: number) => index.find(...printOf(key)),
    recordOf(key: number) {
      const record = pool.take();
      const [low, high] = printOf(key);
      pool.set(record, lowOf(MAILBOX), low);
      pool.set(record, highOf(MAILBOX), high);
      return record;
    },
  };
}

it('works like a map from fingerprints to records', () => {
  const steps = fc.array(fc.record({ key: fc.nat(300), leaves: fc.boolean() }), {
    maxLength: 1_000,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, fc.constantFrom(0, 12, 20), (script, shift) => {
      const { pool, index, find, recordOf } = newIndex(shift);
      // Keys with equal fingerprints are one key.
      const nameOf = (key: number) => `${Math.imul(key, 0x9e3779b1) << shift} ${key % 7}`;
      const model = new Map<string, number>();
      for (const { key, leaves } of script) {
        const expected = model.get(nameOf(key));
        if (find(key) !== (expected ?? NONE)) throw new Error(`key ${key} is not found where it is`);
        if (leaves && expected === undefined) continue;
        if (leaves) {
          index.remove();
          model.delete(nameOf(key));
          pool.give(expected as number);
        } else {
          const record = recordOf(key);
          if (expected === undefined) index.add(record);
          else index.moveTo(record);
          if (expected !== undefined) pool.give(expected);
          model.set(nameOf(key), record);
        }
        if (index.keys !== model.size) throw new Error(`${index.keys} keys instead of ${model.size}`);
      }
      const lost = script.filter(({ key }) => find(key) !== (model.get(nameOf(key)) ?? NONE));
      expect(lost).toEqual([]);
    }),
  );
});

it('moves the keys of one shard per call, up to 100,000 keys and down again, and frees its memory', () => {
  const { index, find, recordOf } = newIndex(0);
  let [maxMoves, wrong] = [0, 0];
  const watch = (work: () => void) => {
    const before = index.moves;
    work();
    maxMoves = Math.max(maxMoves, index.moves - before);
  };
  for (let key = 0; key < 100_000; key += 1)
    watch(() => {
      if (find(key) !== NONE) wrong += 1;
      index.add(recordOf(key));
    });
  expect(wrong).toBe(0);
  expect(index.keys).toBe(100_000);
  expect(index.bytes).toBeLessThan(100_000 * 4 * 3);
  // A thousandth of the keys.
  expect(maxMoves).toBeLessThan(200);
  for (let key = 0; key < 100_000; key += 1)
    watch(() => {
      if (find(key) === NONE) wrong += 1;
      index.remove();
    });
  expect(wrong).toBe(0);
  expect(maxMoves).toBeLessThan(200);
  expect(index.keys).toBe(0);
  expect(index.bytes).toBe(0);
});
