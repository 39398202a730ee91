/** Decides how much memory a thread takes for its young objects. */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/**
 * Limits of a new thread. The option of the command line that enlarges the young generation of the main thread holds for every
 * thread, and goes before a limit of its own: so it is taken back, which leaves the main thread's as it is.
 */
export function youngLimits(megabytes: number): ResourceLimits {
  setFlagsFromString('--max-semi-space-size=0');
  if (postponesYoungCollections()) setFlagsFromString('--no-separate-gc-phases');
  return { maxYoungGenerationSizeMb: megabytes };
}

/**
 * Whether this V8 postpones young collections until a full one has ended, with up to 32 MB of young objects, unless it is
 * forbidden: that of Node.js 24. Earlier versions do not, and later ones have no option against it.
 */
function postponesYoungCollections(): boolean {
  return process.versions.v8.startsWith('13.');
}
