import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessLock } from './process-lock.ts';

let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'gatehouse-lock-')), 'intel', 'lock');
});
afterEach(() => rm(join(file, '../..'), { recursive: true }));

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
    await expect(readFile(file)).rejects.toThrow('ENOENT');
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

  it('is taken from a process that died, at once, by one of many', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.on('exit', resolve));
    const lock = createProcessLock({ file });
    await lock.hold(async () => {});
    await writeFile(file, `${child.pid} token`);
    let inside = 0;
    const takers = Array.from({ length: 5 }, () =>
      createProcessLock({ file }).hold(async () => {
        inside += 1;
        expect(inside).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 10));
        inside -= 1;
      }),
    );
    await Promise.all(takers);
  });

  it('is taken from a number that belongs to another by now, once it is silent', async () => {
    const lock = createProcessLock({ file, patienceMs: 200 });
    await lock.hold(async () => {});
    await writeFile(file, `${process.pid} before a restart`);
    await expect(lock.hold(async () => {})).rejects.toThrow('another process');
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(file, longAgo, longAgo);
    expect(await lock.hold(async () => 'taken')).toBe('taken');
  });
});
