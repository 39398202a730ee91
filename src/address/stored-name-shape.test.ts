/** Names as they are stored: short, and without a readable part. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NameShape } from './name-model.ts';
import { readNameShape, writeNameShape } from './stored-name-shape.ts';

const KEY = Buffer.alloc(32, 7);
const EMMA: NameShape = {
  odds: -4.6,
  strangeness: -0.3,
  known: 'name',
  mask: 'l4d4',
  stem: 'emma',
  number: 1987,
};

it('comes back as it was, its stem as a keyed hash', () => {
  const text = writeNameShape(EMMA, KEY);
  const { stem, ...rest } = readNameShape(text) ?? { stem: 0 };
  expect(rest).toEqual({
    odds: -4.6,
    strangeness: -0.3,
    known: 'name',
    mask: 'l4d4',
    stemLetters: 4,
    number: 1987,
  });
  expect(stem).toBeGreaterThan(0);
  expect(text).not.toContain('emma');
  expect(text.length).toBeLessThanOrEqual(24);
  expect(writeNameShape(EMMA, Buffer.alloc(32, 8))).not.toBe(text);
  expect(readNameShape(writeNameShape({ ...EMMA, number: 4 }, KEY))?.stem).toBe(stem);
});

it('has no phone number, and no number without a stem', () => {
  expect(readNameShape(writeNameShape({ ...EMMA, number: 13_800_138_000 }, KEY))?.number).toBe(-1);
  const digits = { ...EMMA, odds: 0, known: '', mask: 'd11', stem: '', number: 13_800_138_000 } as const;
  expect(readNameShape(writeNameShape(digits, KEY))).toMatchObject({ mask: 'd11', stem: 0, number: -1 });
});

it('is short and comes back for any shape', () => {
  const shapes = fc.record({
    odds: fc.integer({ min: -200, max: 200 }).map((tenths) => tenths / 10),
    strangeness: fc.integer({ min: -90, max: 90 }).map((tenths) => tenths / 10),
    known: fc.constantFrom('', 'name', 'word', 'words'),
    mask: fc.string({ unit: fc.constantFrom(...'ldux0123456789._-?'), maxLength: 40 }),
    stem: fc.string({ maxLength: 60 }),
    number: fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: 1e15 })),
  }) as fc.Arbitrary<NameShape>;
  fc.assert(
    fc.property(shapes, (shape) => {
      const text = writeNameShape(shape, KEY);
      expect(text.length).toBeLessThanOrEqual(29);
      const { odds, strangeness, known, mask } = shape;
      const isShort = mask.length <= 12;
      expect(readNameShape(text)).toMatchObject({ odds, strangeness, known, ...(isShort ? { mask } : {}) });
    }),
  );
});

it.each(['', 'l8d4', 'zzzz:l8', '0000', 'ABCD:l4', '00000000000:l4'])('is not read from %j', (text) => {
  expect(readNameShape(text)).toBeUndefined();
});
