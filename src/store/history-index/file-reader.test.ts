import { mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileReader, type FileReader } from './file-reader.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pathOf = (name: number) => join(folder, String(name));
const read = (file: FileReader) => {
  const into = Buffer.alloc(3);
  return file.fill(into, 2) ? into.toString() : undefined;
};
/** How many files in the folder this process has open. */
const openHere = () =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;

it.runIf(process.platform === 'linux')('reads files in any order and keeps none open', () => {
  const all = Array.from({ length: 10 }, (_, name) => {
    writeFileSync(pathOf(name), `--${name}00`);
    return createFileReader(pathOf(name));
  });
  for (const name of [0, 9, 0, 5, 4, 0, 3]) expect(read(all[name] as FileReader)).toBe(`${name}00`);
  expect(all[7]?.bytes).toBe(5);
  rmSync(pathOf(7));
  expect(() => read(all[7] as FileReader)).toThrow('ENOENT');
  expect(openHere()).toBe(0);
});

it('reports a file that is too short, and never reads another file with its name', () => {
  writeFileSync(pathOf(1), '--on');
  const first = createFileReader(pathOf(1));
  expect(read(first)).toBeUndefined();
  writeFileSync(pathOf(2), '--two');
  const second = createFileReader(pathOf(2));
  writeFileSync(pathOf(3), '--one');
  renameSync(pathOf(3), pathOf(1));
  expect(() => read(first)).toThrow('replaced');
  expect(read(second)).toBe('two');
  if (process.platform === 'linux') expect(openHere()).toBe(0);
});
