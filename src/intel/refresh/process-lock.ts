/** Decides which process may change the feeds: one at a time, and none is shut out by one that died. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLock, openFileLock } from '../../file-lock.ts';

export interface ProcessLock {
  /** Runs `work` while nobody else does. @throws when another holds on for longer than the patience */
  hold<T>(work: () => Promise<T>): Promise<T>;
}

export interface ProcessLockOptions {
  readonly file: string;
  /** How long to wait for another holder. Default two minutes. */
  readonly patienceMs?: number;
}

const POLL_MS = 40;

export function createProcessLock({ file, patienceMs = 120_000 }: ProcessLockOptions): ProcessLock {
  async function take(lock: FileLock): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!lock.tryTake()) {
      if (performance.now() > deadline) throw new Error(`another process holds ${file}`);
      await sleep(POLL_MS);
    }
  }

  return {
    async hold(work) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const lock = openFileLock(file);
      try {
        await take(lock);
        return await work();
      } finally {
        lock.close();
      }
    },
  };
}
