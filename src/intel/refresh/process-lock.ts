/** Decides which process may change the feeds: one at a time, and none is shut out by one that died. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

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
const BEAT_MS = 5_000;
/** A holder that gave no sign for so long is gone, also where its number now belongs to another process. */
const SILENT_MS = 60_000;

export function createProcessLock({ file, patienceMs = 120_000 }: ProcessLockOptions): ProcessLock {
  async function acquire(token: string): Promise<void> {
    // Where a command comes before the first start, this makes the data folder too: its owner's only.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const deadline = Date.now() + patienceMs;
    while (!(await take(token))) {
      await evictDead();
      if (Date.now() > deadline) throw new Error(`another process holds ${file}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async function take(token: string): Promise<boolean> {
    try {
      await writeFile(file, token, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  async function evictDead(): Promise<void> {
    const holder = await readFile(file, 'utf8').catch(() => undefined);
    const beat = (await stat(file).catch(() => undefined))?.mtimeMs;
    if (holder === undefined || beat === undefined) return;
    if (isAlive(Number.parseInt(holder, 10)) && Date.now() - beat < SILENT_MS) return;
    const aside = `${file}.${randomUUID()}`;
    await rename(file, aside).catch(() => {});
    // Somebody else may have evicted the dead one first: then this is a living lock, and goes back.
    const moved = await readFile(aside, 'utf8').catch(() => undefined);
    if (moved !== undefined && moved !== holder) await link(aside, file).catch(() => {});
    await rm(aside, { force: true });
  }

  return {
    async hold(work) {
      const token = `${process.pid} ${randomUUID()}`;
      await acquire(token);
      const beating = setInterval(() => {
        const now = new Date();
        utimes(file, now, now).catch(() => {});
      }, BEAT_MS).unref();
      try {
        return await work();
      } finally {
        clearInterval(beating);
        const mine = (await readFile(file, 'utf8').catch(() => '')) === token;
        if (mine) await rm(file, { force: true });
      }
    },
  };
}

/** A lock whose writer died between making and filling it names nobody; only its silence tells. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
