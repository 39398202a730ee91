/** Decides how much memory a thread takes for its young objects. */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/**
 * Limits of a new thread. The option of the command line that enlarges the young generation of the main thread holds for every
 * thread, and goes before a limit of its own: so it is taken back, which leaves the main thread's as it is.
 */
export function youngLimits(megabytes: number): ResourceLimits {
  setFlagsFromString('--max-semi-space-size=0');
  return { maxYoungGenerationSizeMb: megabytes };
}
