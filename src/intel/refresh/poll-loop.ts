/** Decides how often a node looks at what is shared. */
import { setTimeout } from 'node:timers/promises';
import type { SharedFeeds } from '../sharing/shared-feeds.ts';

export interface PollLoopOptions {
  readonly shared: SharedFeeds;
  readonly signal: AbortSignal;
  /** What is here was made the same as what is shared. */
  readonly onChange: () => Promise<void>;
  /** Not told again and again of a fault that lasts. */
  readonly onFault: (error: unknown) => void;
}

const POLL_MS = 2_000;

/** Looks at once when a hint comes, and every two seconds in case one was missed, until the signal. */
export async function pollLoop({ shared, signal, onChange, onFault }: PollLoopOptions): Promise<void> {
  // Not `AbortSignal.any`: the signal that lasts would keep something of each look.
  let resting = new AbortController();
  const wake = () => resting.abort();
  shared.onHint(wake);
  signal.addEventListener('abort', wake);
  let fault = '';
  while (!signal.aborted) {
    resting = new AbortController();
    try {
      if (await shared.poll()) await onChange();
      fault = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) onFault(error);
      fault = message;
    }
    await setTimeout(POLL_MS, undefined, { signal: resting.signal }).catch(() => {});
  }
}
