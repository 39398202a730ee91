/** Decides which of the stored attempts count at a start. */
import type { AttemptChunk } from '../model/velocity-event.ts';
import { wasSetBack } from './clock-step.ts';

/** Attempts without those stored while the clock was ahead of now: their real time is not known. */
export async function* withoutFuture(
  chunks: AsyncIterable<AttemptChunk>,
  now: number,
): AsyncGenerator<AttemptChunk> {
  for await (const attempts of chunks) {
    if (!('bytes' in attempts)) {
      yield attempts.filter(({ at }) => !wasSetBack(now, at));
      continue;
    }
    let { length } = attempts;
    while (length > 0 && wasSetBack(now, attempts.at[length - 1] as number)) length -= 1;
    yield { ...attempts, length };
  }
}
