import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileLock } from './file-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The driver from the build, for a thread. */
const DRIVER = new URL('../../dist/platform/sqlite-driver.js', import.meta.url).href;
/** Takes the lock as `openFileLock` does, and keeps it. */
const HOLDER = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.driver).then(({ openSqlite }) => {
    globalThis.connection = openSqlite(workerData.file);
    connection.exec('BEGIN IMMEDIATE');
    parentPort.postMessage('held');
  });
  setInterval(() => {}, 1000);
`;

describe('the lock on a file', () => {
  it('is taken by one owner at a time, also within a process, and leaves the file empty', () => {
    const file = join(folder, 'lock');
    const [first, other] = [openFileLock(file), openFileLock(file)];
    expect([first.tryTake(), other.tryTake(), other.tryTake()]).toEqual([true, false, false]);
    first.close();
    expect(other.tryTake()).toBe(true);
    other.close();
    expect(statSync(file)).toMatchObject({ size: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('ends with its thread', async () => {
    const file = join(folder, 'lock');
    const lock = openFileLock(file);
    const thread = new Worker(HOLDER, { eval: true, workerData: { file, driver: DRIVER } });
    await new Promise((resolve) => thread.once('message', resolve));
    expect(lock.tryTake()).toBe(false);
    await thread.terminate();
    expect(lock.tryTake()).toBe(true);
    lock.close();
  });

  it('is refused in one line if the file cannot be locked', () => {
    const file = join(folder, 'lock');
    writeFileSync(file, 'the notes of somebody else, who took this name first');
    const lock = openFileLock(file);
    expect(() => lock.tryTake()).toThrow(/^cannot lock \/\S+lock: .+$/);
    lock.close();
  });

  it.runIf(process.getuid?.() === 0)('names a full disk', ({ skip }) => {
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
    skip(!isMounted, 'only root of the machine may mount a small disk');
    try {
      expect(() => writeFileSync(join(folder, 'ballast'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC');
      const lock = openFileLock(join(folder, 'lock'));
      expect(() => lock.tryTake()).toThrow(/^cannot lock \/\S+lock: the disk is full: free space on it$/);
      lock.close();
    } finally {
      execFileSync('umount', ['-l', folder]);
    }
  });

  it.runIf(process.getuid?.() === 0)('made by root belongs to the owner of the folder', () => {
    chownSync(folder, 1000, 1001);
    openFileLock(join(folder, 'lock')).close();
    expect(statSync(join(folder, 'lock'))).toMatchObject({ uid: 1000, gid: 1001 });
  });
});
