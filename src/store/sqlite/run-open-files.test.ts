import { mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOpenFiles, type ReadableFile } from './run-open-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pathOf = (name: number) => join(folder, String(name));
const read = (file: ReadableFile) => {
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

it.runIf(process.platform === 'linux')('reads many files with few of them open, in any order', () => {
  const files = createOpenFiles(3);
  const all = Array.from({ length: 10 }, (_, name) => {
    writeFileSync(pathOf(name), `--${name}00`);
    return files.open(pathOf(name));
  });
  expect(openHere()).toBe(3);
  for (const name of [0, 9, 0, 5, 4, 0, 3]) expect(read(all[name] as ReadableFile)).toBe(`${name}00`);
  expect(all[7]?.bytes).toBe(5);
  expect(openHere()).toBe(3);
  for (const file of all) file.close();
  expect(openHere()).toBe(0);
});

it('reports a file that is too short, and never reads another file with its name', () => {
  const files = createOpenFiles(1);
  writeFileSync(pathOf(1), '--on');
  const first = files.open(pathOf(1));
  expect(read(first)).toBeUndefined();
  writeFileSync(pathOf(2), '--two');
  const second = files.open(pathOf(2));
  writeFileSync(pathOf(3), '--one');
  renameSync(pathOf(3), pathOf(1));
  expect(() => read(first)).toThrow('replaced');
  expect(read(second)).toBe('two');
});
