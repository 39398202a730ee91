import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessLock } from './process-lock.ts';

let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'gatehouse-lock-')), 'intel', 'feeds.lock');
});
afterEach(() => rm(join(file, '../..'), { recursive: true }));

/** Another process that takes the lock as `openFileLock` does, says so, and keeps it. */
const HOLDER = `
  const connection = new (require(process.argv[1]))(process.argv[2]);
  connection.exec('BEGIN IMMEDIATE');
  process.stdout.write('held');
  setInterval(() => {}, 1000);
`;

describe('the lock', () => {
  it('lets one work at a time', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => createProcessLock({ file }).hold(work)));
    expect({ most, inside }).toEqual({ most: 1, inside: 0 });
  });

  it('is let go of when the work fails', async () => {
    const lock = createProcessLock({ file });
    const failing = lock.hold(() => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await lock.hold(async () => 'free')).toBe('free');
  });

  it('gives up on a holder that lives', async () => {
    const patient = createProcessLock({ file });
    const hasty = createProcessLock({ file, patienceMs: 100 });
    await patient.hold(async () => {
      await expect(hasty.hold(async () => {})).rejects.toThrow('another process holds');
    });
  });

  it('is refused while another process has it, and free once that was killed', async () => {
    const lock = createProcessLock({ file, patienceMs: 100 });
    await lock.hold(async () => {});
    const libsql = createRequire(import.meta.url).resolve('libsql');
    const child = spawn(process.execPath, ['-e', HOLDER, libsql, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await expect(lock.hold(async () => {})).rejects.toThrow('another process holds');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await lock.hold(async () => 'taken')).toBe('taken');
  });
});
