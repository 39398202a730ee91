/** Makes backups while the service runs: when one is due, in a process of its own, and keeps the newest ones. */
import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { BackupState } from '../../model/backup-state.ts';
import { megabytes } from '../../platform/megabytes.ts';
import {
  backupNameAt,
  type GoodBackup,
  goodBackups,
  removeOldBackups,
  removeUnfinished,
} from './backup-folder.ts';

export interface ScheduledBackupsOptions {
  readonly config: Pick<Config, 'dataDir' | 'backupHours' | 'backupKeep'> & { readonly backupDir: string };
  /** Program and first arguments of `gatehouse`. */
  readonly program: readonly [string, ...string[]];
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** `pollMs`: pause between two looks whether one is due. */
  readonly forTests?: { readonly pollMs: number };
}

export interface ScheduledBackups {
  readonly state: () => BackupState;
  start(): void;
  /** Ends a backup that is being made: it leaves no file that could be taken for one. */
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const POLL_MS = 60_000;
/** Free space that a scheduled backup leaves, in MB: below this `gatehouse doctor` fails. */
const LEFT_FREE_MEGABYTES = 100;
const LOW_PRIORITY = 10;
const MAX_OUTPUT_BYTES = 2 ** 20;

export function createScheduledBackups(options: ScheduledBackupsOptions): ScheduledBackups {
  const { config, clock, log } = options;
  const { backupDir: folder, backupKeep: keep } = config;
  const hoursMs = config.backupHours * HOUR_MS;
  const startedAt = clock();
  const ending = new AbortController();
  let good: readonly GoodBackup[] = [];
  let failures = 0;
  let retryAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();

  async function poll(): Promise<void> {
    const now = clock();
    if (now < retryAt && retryAt - now <= HOUR_MS) return;
    try {
      good = await goodBackups(folder, now);
      if (!isDue(good[0], now, hoursMs)) return;
      await removeUnfinished(folder, config.dataDir);
      await makeBackup(options, join(folder, backupNameAt(now)), ending.signal);
      const removed = await removeOldBackups(folder, keep, now);
      good = await goodBackups(folder, now);
      const [newest] = good;
      log.info(
        { file: newest?.name, size: megabytes(newest?.bytes ?? 0), removed: removed.length },
        'backed up',
      );
    } catch (error) {
      if (ending.signal.aborted) return;
      failures += 1;
      retryAt = clock() + Math.min(HOUR_MS, hoursMs / 4);
      const { message } = error as Error;
      log.error({ folder }, `the scheduled backup failed, and is tried again within the hour: ${message}`);
    }
  }

  function plan(): void {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      work = poll().then(plan);
    }, options.forTests?.pollMs ?? POLL_MS).unref();
  }

  return {
    state: () => ({
      lastAt: good[0]?.at ?? null,
      lastBytes: good[0]?.bytes ?? 0,
      kept: good.length,
      missingFrom: missingFrom(good[0]?.at ?? null, startedAt, failures, config.backupHours),
      failures,
    }),
    start() {
      work = poll().then(plan);
    },
    async close() {
      ending.abort();
      clearTimeout(timer);
      await work;
    },
  };
}

/**
 * Time from which the lack of a newer backup is unusual: a quarter of the interval after one was due, for retries and a long
 * copy. Where there was none at all and the first attempt failed, at once.
 */
export function missingFrom(
  lastAt: number | null,
  startedAt: number,
  failures: number,
  hours: number,
): number {
  if (lastAt === null && failures > 0) return startedAt;
  return (lastAt ?? startedAt) + hours * HOUR_MS + Math.max(HOUR_MS, (hours * HOUR_MS) / 4);
}

function isDue(newest: GoodBackup | undefined, now: number, hoursMs: number): boolean {
  return newest === undefined || now - newest.at >= hoursMs;
}

/** Runs `gatehouse backup`: a process can be ended at any time, and reading gigabytes delays no signup. @throws its one line */
function makeBackup(
  { program: [command, ...args] }: Pick<ScheduledBackupsOptions, 'program'>,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const all = [...args, 'backup', file, '--json', '--leave-free', String(LEFT_FREE_MEGABYTES)];
    const limits = { signal, maxBuffer: MAX_OUTPUT_BYTES } as const;
    const child = execFile(command, all, limits, (error, _, stderr) => {
      if (error === null) return resolve();
      const line = stderr.trimEnd().split('\n').at(-1) ?? '';
      const ended =
        error.signal === undefined || error.signal === null
          ? error.message
          : `it was ended by ${error.signal}`;
      reject(new Error(line.startsWith('gatehouse: ') ? line.slice('gatehouse: '.length) : ended));
    });
    if (child.pid !== undefined) lowerPriorityOf(child.pid);
  });
}

function lowerPriorityOf(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // Then it competes like any other process.
  }
}
