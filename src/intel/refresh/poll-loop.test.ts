import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { SharedFeeds } from '../sharing/shared-feeds.ts';
import { pollLoop } from './poll-loop.ts';

/** What a signal keeps of others that depend on it, and of who listens. */
function keptBy(signal: AbortSignal): number {
  const name = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const dependants = name === undefined ? undefined : (Reflect.get(signal, name) as Set<unknown> | undefined);
  return (dependants?.size ?? 0) + getEventListeners(signal, 'abort').length;
}

/** Polls `max` times, each time hinted at the next at once, then stops in whatever `end` does. */
async function poll(max: number, end: (stop: () => void) => void) {
  const stopping = new AbortController();
  let hint = () => {};
  let polls = 0;
  let kept = 0;
  const shared = {
    onHint(listener: () => void) {
      hint = listener;
    },
    async poll() {
      polls += 1;
      if (polls < max) setImmediate(hint);
      else {
        kept = keptBy(stopping.signal);
        end(() => stopping.abort());
      }
      return false;
    },
  } as unknown as SharedFeeds;
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  await pollLoop({ shared, signal: stopping.signal, onChange: async () => {}, onFault });
  return { polls, faults, kept };
}

describe('polling', () => {
  it('comes as soon as a hint does, and leaves nothing behind of each poll', async () => {
    expect(await poll(300, (stop) => setImmediate(stop))).toEqual({ polls: 300, faults: [], kept: 1 });
  });

  it('ends with the poll that is under way when it is told to', async () => {
    expect(await poll(2, (stop) => stop())).toMatchObject({ polls: 2, faults: [] });
  });
});
