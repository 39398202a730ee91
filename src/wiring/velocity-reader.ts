/** The thread that reads the stored attempts of an embedded database, once, and sends them to the thread that counts them. */
import { workerData } from 'node:worker_threads';
import { openAttemptsSnapshot } from '../store/sqlite/attempts-snapshot.ts';
import { sendAttempts } from '../velocity/start/attempt-stream.ts';
import type { ReadOrder } from '../velocity/start/velocity-recount.ts';
import { withoutFuture } from '../velocity/without-future.ts';

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
