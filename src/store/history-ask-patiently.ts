/** Asks again for a part of a long answer that has begun, where the log is too busy at this moment: the whole need not fail for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../contract/problem.ts';

const PAUSES_MS = [500, 1_000, 2_000, 4_000];

export async function askWithRetries<Answer>(
  ask: () => Promise<Answer>,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<Answer> {
  for (const pause of pausesMs) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'unavailable')) throw error;
      await sleep(pause);
    }
  }
  return ask();
}
