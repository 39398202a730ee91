/** The thread that counts the stored attempts of an embedded database, once, and hands over the counts. */
import { parentPort, workerData } from 'node:worker_threads';
import { withoutFuture } from './app-stored-attempts.ts';
import type { RecountedVelocity, RecountOrder } from './app-velocity-recount.ts';
import { createMemoryCounters } from './counters/memory.ts';
import { openAttemptsSnapshot } from './store/sqlite/attempts-snapshot.ts';

const DAY_MS = 86_400_000;

const counted = await count(workerData as RecountOrder);
if (counted !== undefined)
  parentPort?.postMessage(
    counted,
    counted.image.words.map(({ buffer }) => buffer as ArrayBuffer),
  );

async function count({ file, maxVelocityBytes }: RecountOrder): Promise<RecountedVelocity | undefined> {
  const snapshot = openAttemptsSnapshot(file);
  if (snapshot === undefined) return undefined;
  try {
    const memory = createMemoryCounters({ maxVelocityBytes });
    const now = Date.now();
    await memory.restore(withoutFuture(snapshot.attemptsToCount(now - DAY_MS), now));
    const [image, attempts] = [memory.saveVelocity(), snapshot.mark];
    if (image === undefined || attempts === undefined) return undefined;
    return { image, attempts, forgotten: memory.size().forgotten };
  } finally {
    snapshot.close();
  }
}
