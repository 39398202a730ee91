import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { pollLoop } from './live-poll-loop.ts';

const LONG_MS = 600_000;

/** The number of signals that depend on a signal, and of its listeners. */
function keptBy(signal: AbortSignal): number {
  const name = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const dependants = name === undefined ? undefined : (Reflect.get(signal, name) as Set<unknown> | undefined);
  return (dependants?.size ?? 0) + getEventListeners(signal, 'abort').length;
}

/** Polls `max` times, each time woken at once for the next, then stops as `end` says. */
async function poll(max: number, end: (stop: () => void) => void) {
  const stopping = new AbortController();
  const faults: unknown[] = [];
  let polls = 0;
  let kept = 0;
  const loop = pollLoop({
    async poll() {
      polls += 1;
      if (polls < max) setImmediate(() => loop.wake());
      else {
        kept = keptBy(stopping.signal);
        end(() => stopping.abort());
      }
      return LONG_MS;
    },
    restAfterFault: LONG_MS,
    signal: stopping.signal,
    onFault: (error) => faults.push(error),
  });
  await loop.done;
  return { polls, faults, kept };
}

describe('polling', () => {
  it('starts as soon as it is woken, and leaves nothing behind after each poll', async () => {
    expect(await poll(300, (stop) => setImmediate(stop))).toEqual({ polls: 300, faults: [], kept: 1 });
  });

  it('ends after the current poll when it is closed', async () => {
    expect(await poll(2, (stop) => stop())).toMatchObject({ polls: 2, faults: [] });
  });

  it('continues after a fault, and reports a continuing one once', async () => {
    const stopping = new AbortController();
    const faults: string[] = [];
    const outcomes = ['away', 'away', 'fine', 'away', 'another'];
    const loop = pollLoop({
      async poll() {
        const outcome = outcomes.shift();
        if (outcome === undefined) stopping.abort();
        else if (outcome !== 'fine') throw new Error(outcome);
        return 0;
      },
      restAfterFault: 0,
      signal: stopping.signal,
      onFault: (error) => faults.push((error as Error).message),
    });
    await loop.done;
    expect(faults).toEqual(['away', 'away', 'another']);
  });
});
