/** Shapes of local parts as people and programs write them, and of whatever else may come. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GENERATED_ODDS, MAX_ODDS, MAX_STRANGENESS } from './name-model.ts';
import { nameShapeOf } from './name-shape.ts';

describe('the shape of a local part', () => {
  it.each([
    ['emma1987', 'l4d4', 'emma', 1987],
    ['emma.jones-22', 'l4.l5-d2', 'emma.jones', 22],
    ['26smithj', 'd2l6', '', -1],
    ['anna_maria.lopez', 'l4_l5.l5', '', -1],
    ['x7f9q2k1zp', 'x10', '', -1],
    ['x7f9q2k1', 'x8', 'x7f9q2k', 1],
    ['123456789', 'd9', '', 123456789],
    ['12345678901234567890', 'd20', '', -1],
    ['o\u2019brien7', 'l1?l5d1', 'o\u2019brien', 7],
    ['Иван.Петров', 'l4.l6', '', -1],
    ['王伟88', 'u2d2', '王伟', 88],
    ['emma+news22', 'l4', '', -1],
    ['+7', '?d1', '', 7],
    ['', '', '', -1],
  ])('of %s is %s', (local, mask, stem, number) => {
    expect(nameShapeOf(local)).toMatchObject({ mask, stem, number });
  });

  it.each([
    ['emma.jones', 'name'],
    ['jsmith', 'name'],
    ['smithj', 'name'],
    ['annak', 'name'],
    ['zbynekc', 'name'],
    ['annamaria77', 'name'],
    ['brightotter', 'words'],
    ['silver.falcon22', 'words'],
    ['frailreceptor18', 'pair'],
    ['stern_bench', 'pair'],
    ['bench.stern', 'words'],
    ['rosewoodbench', 'words'],
    ['otter4', 'word'],
    ['zorvanek', ''],
    ['12345', ''],
  ])('says of %s whether it is known: %s', (local, known) => {
    expect(nameShapeOf(local).known).toBe(known);
  });

  it.each(['123456789', '13800138000', '', '-', 'jd', 'jd1234', 'abc12', 'bob', '王伟', '19870412', 'a1'])(
    'says nothing of %j',
    (local) => {
      expect(nameShapeOf(local)).toMatchObject({ odds: 0, strangeness: 0 });
    },
  );

  it('is that of a person for digits in place of letters, also with a number behind them', () => {
    for (const local of ['sp1d3r', 'sp1d3r64', 'wh0pp1ng62', 'w3rew0lve1997', 'd1st0rt3d155'])
      expect(nameShapeOf(local).odds, local).toBeLessThan(0);
  });

  it('is that of a program for random letters and digits, and of a person for names', () => {
    for (const local of ['x7f9q2k1zp', 'k3v9x0q2m4', 'qxzvkwpt', 'zq8wv3kx1t', 'hgbvqzkw2291'])
      expect(nameShapeOf(local).odds, local).toBeGreaterThan(GENERATED_ODDS);
    for (const local of [
      'emma1987',
      '26smithj',
      'krzysztof.szczepanski',
      'nguyenthithuylinh',
      'wangxiaoming',
    ])
      expect(nameShapeOf(local).odds, local).toBeLessThan(0);
  });
});

describe('any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'abxyz019._-+ éßПя王\ud800'), maxLength: 90 }),
  );

  it('has a shape within its limits, always the same', () => {
    fc.assert(
      fc.property(text, (local) => {
        const shape = nameShapeOf(local);
        expect(nameShapeOf('zorvanek77').mask).toBe('l8d2');
        expect(nameShapeOf(local)).toEqual(shape);
        expect(Math.abs(shape.odds)).toBeLessThanOrEqual(MAX_ODDS);
        expect(Math.abs(shape.strangeness)).toBeLessThanOrEqual(MAX_STRANGENESS);
        expect(shape.odds * 10).toBeCloseTo(Math.round(shape.odds * 10), 6);
        expect(Number.isSafeInteger(shape.number)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the same shape in upper case and with accents', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789._-'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(letters, (local) => {
        const shape = nameShapeOf(local);
        expect(nameShapeOf(local.toUpperCase())).toEqual(shape);
        expect(nameShapeOf(local.replaceAll('e', 'é').replaceAll('o', 'Ö').replaceAll('s', 'š'))).toEqual(
          shape,
        );
      }),
    );
  });
});
