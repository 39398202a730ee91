/** Memory that this process retains: its heap and buffers after garbage collection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const ROUNDS = 4;

export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    collect();
    // Gives finalizers and timers time to release memory.
    await sleep(20);
  }
}

/** Bytes. */
export async function retainedBytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
