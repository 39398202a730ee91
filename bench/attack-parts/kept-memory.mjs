// The memory that a service uses after garbage collection.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PRELOADED = fileURLToPath(new URL('./kept-memory.cjs', import.meta.url));

/** Options for the start of a target, so that `keptMemory` can measure it. */
export const ANSWERING = { nodeOptions: ['--expose-gc', '--require', PRELOADED] };

/** Resolves to `keptMb`, heap and buffers of its main thread, `externalMb`, what it holds outside the heap, and `residentMb`, of all. */
export async function keptMemory({ pid, directory }) {
  const file = join(directory, 'kept-memory');
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await sleep(50);
  return JSON.parse(readFileSync(file, 'utf8'));
}
