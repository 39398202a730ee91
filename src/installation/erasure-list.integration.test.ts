/** The list of erasures: all complete lines are read, an incomplete line is skipped, an account can be removed, and no other file is accepted. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { erasuresFile, forgetErasures, noteErasure, readErasures, readOwnErasures } from './erasure-list.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-erasures-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
const person = (until: number) => ({ account: 'acc_1', hashes: ['aaaaaaaaaaaaaaaaaaaaaa'], until });

it('is empty at first, then contains each person, and only its owner can read the file', () => {
  expect(readOwnErasures({ dataDir })).toEqual([]);
  noteErasure({ dataDir }, person(1));
  noteErasure({ dataDir }, person(2));
  expect(readOwnErasures({ dataDir })).toEqual([person(1), person(2)]);
  expect(statSync(erasuresFile({ dataDir })).mode & 0o777).toBe(0o600);
});

it('skips an incomplete line of a killed process, and continues after the last complete line', () => {
  const file = erasuresFile({ dataDir });
  appendFileSync(file, '{"account":"acc_1","has');
  expect(readErasures(file)).toEqual([person(1), person(2)]);
  noteErasure({ dataDir }, person(3));
  expect(readErasures(file)).toEqual([person(1), person(2), person(3)]);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
});

it.each([
  ['a text', 'jo@example.com\n'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 10, 0, 1])],
  ['a line without an end', '{"account":"acc_1","hashes":["a"],"until":1}'],
  ['other JSON', '{"account":"acc_1"}\n'],
  ['hashes that are no texts', '{"account":"acc_1","hashes":[1],"until":1}\n'],
  ['null', 'null\n'],
])('refuses %s in one line that says what to do', (_, content) => {
  const file = join(dataDir, 'other');
  writeFileSync(file, content);
  expect(() => readErasures(file)).toThrow(
    /^[^\n]*other is not a list of erasures [^\n]*: name erasures\.jsonl of /,
  );
});

it('refuses a missing file, and accepts an empty one', () => {
  expect(() => readErasures(join(dataDir, 'none'))).toThrow(/none is not a list of erasures \(ENOENT/);
  writeFileSync(join(dataDir, 'empty'), '');
  expect(readErasures(join(dataDir, 'empty'))).toEqual([]);
});

it('removes the lines of one account, and does not change those of others', () => {
  const config = { dataDir: join(dataDir, 'forget') };
  mkdirSync(config.dataDir);
  const file = join(config.dataDir, 'erasures.jsonl');
  const line = (account: string) => `${JSON.stringify({ account, hashes: ['h'], until: 1 })}\n`;
  forgetErasures(config, 'acc_a');
  writeFileSync(file, line('acc_a') + line('acc_b') + line('acc_a'));
  forgetErasures(config, 'acc_none');
  forgetErasures(config, 'acc_a');
  expect(readFileSync(file, 'utf8')).toBe(line('acc_b'));
  forgetErasures(config, 'acc_b');
  expect(existsSync(file)).toBe(false);
});
