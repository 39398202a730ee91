import type { Awaitable } from '../../src/model/awaitable.ts';

/** Returns what a look-up answers without waiting for anything outside the process, or that it waits. */
export async function atOnce<T>(answer: Awaitable<T> | undefined): Promise<T | 'waits'> {
  let result: T | 'waits' = 'waits';
  if (answer !== undefined)
    void Promise.resolve(answer).then((value) => {
      result = value;
    });
  // Timers, sockets and disks come after these turns.
  for (let turn = 0; turn < MAX_TURNS; turn += 1) await null;
  return result;
}

const MAX_TURNS = 20;
