import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writePrivateFile } from './private-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-private-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

it('is readable by its owner alone, also where others could read the file before', () => {
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, 'old', { mode: 0o644 });
  writePrivateFile(file, 'new');
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', 0o600]);
  expect(readdirSync(folder)).toEqual(['policy.yaml']);
});

it('replaces a link, and leaves what it led to', () => {
  const [file, other] = [join(folder, 'policy.yaml'), join(folder, 'other')];
  writeFileSync(other, 'of others');
  symlinkSync(other, file);
  writePrivateFile(file, 'new');
  expect([readFileSync(file, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['new', 'of others']);
});

it('leaves no draft where it cannot write', () => {
  expect(() => writePrivateFile(join(folder, 'missing', 'policy.yaml'), 'new')).toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual([]);
});
