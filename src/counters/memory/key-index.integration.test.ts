import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyIndex } from './key-index.ts';
import { KeyedHash } from './keyed-hash.ts';
import { RecordPool } from './record-pool.ts';

const newIndex = () => {
  const pool = new RecordPool();
  return { pool, index: new KeyIndex(pool, new KeyedHash(Buffer.from('12345678'))) };
};

it('is a map from keys to counts for as long as they are above zero', () => {
  const steps = fc.array(fc.record({ key: fc.nat(300), leaves: fc.boolean() }), {
    maxLength: 1_000,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, (script) => {
      const { pool, index } = newIndex();
      const model = new Map<number, number>();
      for (const { key, leaves } of script) {
        const count = model.get(key) ?? 0;
        if (leaves && count === 0) continue;
        const record = index.recordOf(key % 3, key % 4, `key ${key}`);
        expect(index.day(record)).toBe(count);
        expect(leaves ? index.leaveDay(record) : index.enterDay(record)).toBe(count + (leaves ? -1 : 1));
        if (leaves && count === 1) model.delete(key);
        else model.set(key, count + (leaves ? -1 : 1));
        expect(index.keys).toBe(model.size);
        expect(pool.used).toBe(model.size);
      }
      for (const [key, count] of model)
        expect(index.day(index.recordOf(key % 3, key % 4, `key ${key}`))).toBe(count);
    }),
  );
});

it('moves the keys of one bucket a call, up to 100,000 keys and back, and gives its memory back', () => {
  const { pool, index } = newIndex();
  const empty = index.bytes;
  const records: number[] = [];
  let most = 0;
  const watch = (work: () => void) => {
    const before = index.moves;
    work();
    most = Math.max(most, index.moves - before);
  };
  for (let key = 0; key < 100_000; key += 1)
    watch(() => {
      const record = index.recordOf(1, 0, `key ${key}`);
      index.enterDay(record);
      records.push(record);
    });
  expect(new Set(records).size).toBe(100_000);
  expect(most).toBeLessThan(16);
  const full = pool.bytes;
  for (const record of records) watch(() => index.leaveDay(record));
  expect(most).toBeLessThan(16);
  expect(index.keys).toBe(0);
  expect(index.bytes).toBe(empty);
  expect(pool.bytes).toBeLessThan(full / 5);
});
