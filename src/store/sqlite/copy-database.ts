/** Copies a database into a file as of one moment, while a service writes to it, and checks the copy. */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { openSqlite } from '../../platform/sqlite-driver.ts';

/** The content of a copy. */
export interface CopiedDatabase {
  readonly schema: number;
  readonly assessments: number;
  /** Text of `checkOf`; `undefined` if no secret was used yet. */
  readonly secretCheck: Uint8Array | undefined;
}

export type CopyMessage =
  | { readonly kind: 'copied' }
  | { readonly kind: 'checked'; readonly copied: CopiedDatabase };

export interface CopyDatabase {
  readonly source: string;
  /** An empty file. */
  readonly target: string;
  /** Called a few times a second with bytes; while the copy is checked, `done` stays 0. */
  readonly onProgress: (work: 'copied' | 'checked', done: number, total: number) => void;
}

const POLL_MS = 200;
const THREAD = new URL('./copy-thread.js', import.meta.url);

/** Estimates the length of a copy: what is free in the file is left out. @throws when it cannot be read */
export function estimateCopyBytes(source: string): number {
  const connection = openSqlite(source, { readOnly: true });
  try {
    const number = (name: string) =>
      Object.values((connection.pragma(name) as Record<string, number>[])[0] ?? {})[0] ?? 0;
    return (number('page_count') - number('freelist_count')) * number('page_size');
  } finally {
    connection.close();
  }
}

/** Copies in a thread, because SQLite does it in one call. @throws with a few words when it fails */
export async function copyDatabase({ source, target, onProgress }: CopyDatabase): Promise<CopiedDatabase> {
  const total = estimateCopyBytes(source);
  const worker = new Worker(THREAD, { workerData: { source, target } });
  let work: 'copied' | 'checked' = 'copied';
  const poll = setInterval(() => {
    onProgress(work, work === 'copied' ? Math.min(statSync(target).size, total) : 0, total);
  }, POLL_MS);
  try {
    return await new Promise<CopiedDatabase>((resolve, reject) => {
      worker.on('message', (message: CopyMessage) => {
        if (message.kind === 'copied') work = 'checked';
        else resolve(message.copied);
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread that copies ended')));
    });
  } finally {
    clearInterval(poll);
    await worker.terminate();
  }
}
