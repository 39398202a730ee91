/** The thread that reads the stored attempts of an embedded database, once, and sends them to the thread that counts them. */
import { workerData } from 'node:worker_threads';
import { sendAttempts } from './app-attempt-stream.ts';
import { withoutFuture } from './app-stored-attempts.ts';
import type { ReadOrder } from './app-velocity-recount.ts';
import { openAttemptsSnapshot } from './store/sqlite/attempts-snapshot.ts';

const DAY_MS = 86_400_000;

const { file, attempts } = workerData as ReadOrder;
const snapshot = openAttemptsSnapshot(file);
try {
  const now = Date.now();
  if (snapshot !== undefined)
    await sendAttempts(attempts, withoutFuture(snapshot.attemptsToCount(now - DAY_MS), now), snapshot.mark);
} finally {
  snapshot?.close();
  attempts.close();
}
