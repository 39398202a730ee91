/** Decides when a start lets a thread count the stored attempts, while the service is loaded and opened: after `kill -9`, if there are many. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hasImage } from './app-velocity-image.ts';
import type { Config } from './config.ts';
import type { VelocityImage } from './counters/memory/velocity-image.ts';

/** What the thread gets. */
export interface RecountOrder {
  /** The database. */
  readonly file: string;
  readonly maxVelocityBytes: number;
}

export interface RecountedVelocity {
  readonly image: VelocityImage;
  /** Of the attempts that it counts: see `AssessmentStore.attemptsMark`. */
  readonly attempts: string;
  /** Attempts that did not fit into the memory. */
  readonly forgotten: number;
}

export interface VelocityRecount {
  /** `undefined`: the thread could not count, and the attempts are still to be counted. @throws when the thread failed */
  result(): Promise<RecountedVelocity | undefined>;
  /** Call when nobody waits for the result any more. */
  end(): Promise<void>;
}

export interface RecountOptions {
  /** A smaller database has so few attempts that starting a thread takes longer than counting them; the usual by default. */
  readonly minBytes?: number;
  /** The built one by default. */
  readonly thread?: URL;
}

/** Of some 20,000 assessments and more. */
const MIN_BYTES = 8 * 2 ** 20;
const THREAD = new URL('./app-velocity-thread.js', import.meta.url);

/**
 * Begins at once: the folder need not be locked, nor the store be opened. The thread only reads, and what has changed when
 * the service takes over its counts shows in their mark.
 */
export function beginRecount(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'redisServers' | 'velocityMegabytes'>,
  { minBytes = MIN_BYTES, thread = THREAD }: RecountOptions = {},
): VelocityRecount | undefined {
  const { dataDir, databaseUrl, redisServers, velocityMegabytes } = config;
  if (databaseUrl !== null || redisServers !== null || hasImage(dataDir)) return undefined;
  const file = join(dataDir, 'gatehouse.db');
  if (!existsSync(file) || bytesOf(file) + bytesOf(`${file}-wal`) < minBytes) return undefined;
  const order: RecountOrder = { file, maxVelocityBytes: velocityMegabytes * 1024 * 1024 };
  const worker = new Worker(thread, { workerData: order });
  const counted = new Promise<RecountedVelocity | undefined>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => resolve(undefined));
  });
  // A caller of `result` gets the failure. A start that fails before it asks must not end by it.
  counted.catch(() => {});
  return {
    result: () => counted,
    async end() {
      await worker.terminate();
    },
  };
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
