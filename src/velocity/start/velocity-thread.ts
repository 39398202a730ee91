/** The thread that counts the attempts that another one reads, once, and hands over the counts. */
import { parentPort, workerData } from 'node:worker_threads';
import { createMemoryCounters } from '../memory/memory.ts';
import { receiveAttempts } from './attempt-stream.ts';
import type { CountOrder, RecountedVelocity } from './velocity-recount.ts';

const counted = await count(workerData as CountOrder);
if (counted !== undefined)
  parentPort?.postMessage(
    counted,
    counted.image.words.map(({ buffer }) => buffer as ArrayBuffer),
  );

async function count({ attempts, maxVelocityBytes }: CountOrder): Promise<RecountedVelocity | undefined> {
  const memory = createMemoryCounters({ maxVelocityBytes });
  const received = receiveAttempts(attempts);
  await memory.restore(received.chunks());
  const [image, mark] = [memory.saveVelocity(), received.mark()];
  if (image === undefined || mark === undefined) return undefined;
  return { image, attempts: mark, forgotten: memory.size().forgotten };
}
