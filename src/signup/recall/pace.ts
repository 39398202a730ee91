/** Decides how judging past signups leaves room for those that come in: it works in short slices and rests between them. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Max. time to hold the event loop, and how many times as long it rests then. */
const SLICE_MS = 5;
const REST = 4;

/** Waits after each slice for some times as long as it took. */
export function createPace(signal: AbortSignal): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    const took = performance.now() - began;
    if (took < SLICE_MS) return undefined;
    return sleep(took * REST, undefined, { signal, ref: false }).then(
      () => {
        began = performance.now();
      },
      () => {},
    );
  };
}
