import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyTable } from './key-table.ts';

it('is a map from the keys it holds to slots of their own, the released ones first', () => {
  const steps = fc.array(fc.record({ key: fc.nat(200), release: fc.boolean() }), {
    maxLength: 1000,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, (script) => {
      const table = new KeyTable();
      const model = new Map<string, number>();
      let most = 0;
      for (const { key: number, release } of script) {
        const key = `key ${number}`;
        const slot = model.get(key);
        if (slot !== undefined && release) {
          table.release(slot);
          model.delete(key);
        } else {
          model.set(key, table.slotOf(key));
          if (slot !== undefined) expect(model.get(key)).toBe(slot);
        }
        most = Math.max(most, model.size);
      }
      for (const [key, slot] of model) {
        expect(table.slotOf(key)).toBe(slot);
        expect(table.keyOf(slot)).toBe(key);
      }
      expect(new Set(model.values()).size).toBe(model.size);
      for (const slot of model.values()) expect(slot).toBeLessThan(most);
    }),
  );
});

it('tells keys apart whose hashes are equal, as some of 300 000 are', () => {
  const table = new KeyTable();
  for (let number = 0; number < 300_000; number += 1) {
    if (table.slotOf(`key ${number}`) !== number) expect.fail(`key ${number} took the slot of another`);
  }
});
