/** The file of the month: what is written is read again, in whole seconds. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMonth, writeMonth } from './month-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-month-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is read as it was written', () => {
  const group = { knownFrom: 15, floor: 0.9, mayBeChallenged: false };
  const month = {
    groups: [
      { ...group, kind: 'wave' as const, name: 'two words, and a “name”' },
      { ...group, kind: 'crowd' as const, name: 'x', floor: null },
    ],
    signups: [
      { email: 'a@b.com', ip: '1.2.3.4', at: 1_000_500, group: 1 },
      { email: 'c+d@e.com', ip: '2001:db8::1', at: 1_000_900, group: 0 },
      { email: 'f@g.com', ip: '1.2.3.5', at: 99_999_000, group: 1 },
    ],
  };
  const file = join(folder, 'month.br');
  writeFileSync(file, writeMonth(month));
  const whole = month.signups.map((signup) => ({ ...signup, at: Math.floor(signup.at / 1000) * 1000 }));
  expect(readMonth(file)).toEqual({ groups: month.groups, signups: whole });
  writeFileSync(file, brotliCompressSync('something else'));
  expect(() => readMonth(file)).toThrow('another form');
});
