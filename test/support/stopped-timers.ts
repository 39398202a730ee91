/** Timers that only the test moves, so that a busy machine misses no deadline. Sockets, disks and the clock are real. */
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

/** Until `vi.useRealTimers`. */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
}

/** Fires the timers of the next `ms` milliseconds. */
export async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

/** Waits in real time, without firing stopped timers. */
export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}
