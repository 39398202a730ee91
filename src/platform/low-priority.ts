/** Decides how a thread that works in the background shares a busy processor with those that answer. */
import { setPriority } from 'node:os';

/** A third of what other threads get of a busy processor: enough to make progress, too little to slow them down. */
const LOW_PRIORITY = 5;

/** Lowers the priority of the calling thread on Linux; elsewhere it would be the whole process's. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Then it competes like any other thread.
  }
}
