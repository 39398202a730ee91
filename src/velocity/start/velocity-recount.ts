/** Decides when a start lets threads count the stored attempts, while the service is loaded and opened: after `kill -9`, if there are many. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { within } from '../../platform/deadline.ts';
import type { VelocityImage } from '../memory/velocity-image.ts';
import { hasImage } from './velocity-image.ts';

/** The input of the thread that reads. */
export interface ReadOrder {
  /** The database. */
  readonly file: string;
  /** Port that it sends them to: see `sendAttempts`. */
  readonly attempts: MessagePort;
}

/** The input of the thread that counts. */
export interface CountOrder {
  /** Port that they come from: see `receiveAttempts`. */
  readonly attempts: MessagePort;
  readonly maxVelocityBytes: number;
}

export interface RecountedVelocity {
  readonly image: VelocityImage;
  /** Mark of the attempts that it counts: see `AssessmentStore.attemptsMark`. */
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

/** Settings that a recount needs. */
interface RecountSettings {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly redisServers: unknown;
  readonly velocityMegabytes: number;
}

export interface RecountOptions {
  /** A smaller database has so few attempts that starting threads takes longer than counting them; the usual by default. */
  readonly minBytes?: number;
  /** Modules of the threads. */
  readonly threads: RecountThreads;
}

interface RecountThreads {
  readonly reads: URL;
  readonly counts: URL;
}

/** Size of a database of some 20,000 assessments: a smaller one is not recounted by threads. */
const MIN_BYTES = 8 * 2 ** 20;
/** It takes some chunks, unless the disk does not answer. */
const READER_ENDS_MS = 5_000;
/** Module of the thread that counts. */
export const COUNTS = new URL('./velocity-thread.js', import.meta.url);

/**
 * Begins at once: the folder need not be locked, nor the store be opened. One thread reads, another counts meanwhile. Neither
 * writes, and what has changed when the service takes over the counts shows in their mark.
 */
export function beginRecount(
  config: RecountSettings,
  { minBytes = MIN_BYTES, threads }: RecountOptions,
): VelocityRecount | undefined {
  const { dataDir, databaseUrl, redisServers, velocityMegabytes } = config;
  if (databaseUrl !== null || redisServers !== null || hasImage(dataDir)) return undefined;
  const file = join(dataDir, 'gatehouse.db');
  if (!existsSync(file) || bytesOf(file) + bytesOf(`${file}-wal`) < minBytes) return undefined;
  const { port1: sent, port2: received } = new MessageChannel();
  const read: ReadOrder = { file, attempts: sent };
  const count: CountOrder = { attempts: received, maxVelocityBytes: velocityMegabytes * 1024 * 1024 };
  const reader = new Worker(threads.reads, { workerData: read, transferList: [sent] });
  const counter = new Worker(threads.counts, { workerData: count, transferList: [received] });
  const counted = new Promise<RecountedVelocity | undefined>((resolve, reject) => {
    counter.once('message', resolve);
    let running = 2;
    for (const worker of [reader, counter]) {
      worker.once('error', reject);
      worker.once('exit', () => {
        running -= 1;
        if (running === 0) resolve(undefined);
      });
    }
  });
  const readerEnded = new Promise<void>((resolve) => {
    reader.once('exit', () => resolve());
  });
  // A caller of `result` gets the failure. A start that fails before it asks must not end by it.
  counted.catch(() => {});
  return {
    result: () => counted,
    /** The reader ends by itself when nobody takes its chunks: libsql ends the process if its thread is terminated while it opens a file. */
    async end() {
      await counter.terminate();
      await within(READER_ENDS_MS, readerEnded, () => reader.terminate());
    },
  };
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
