/** Lets calls begin at most so often, evenly: no burst meets a provider that counts within a second. */

/** Waits for the next place. Resolves at once when it is aborted. */
export type WaitForPlace = (signal: AbortSignal) => Promise<void>;

/** @param clock milliseconds of a clock that no one sets */
export function createPace(perSecond: number, clock: () => number): WaitForPlace {
  const gapMs = 1_000 / perSecond;
  let nextAt = 0;
  return async (signal) => {
    const now = clock();
    const at = Math.max(now, nextAt);
    nextAt = at + gapMs;
    if (at > now && !signal.aborted) await pause(at - now, signal);
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
