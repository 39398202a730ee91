/** Decides when something is polled again: after the pause that the last poll returned, or as soon as it is woken. */
import { setTimeout } from 'node:timers/promises';

export interface PollLoopOptions {
  /** Returns how long to rest afterwards, milliseconds. */
  readonly poll: () => Promise<number>;
  /** Milliseconds. */
  readonly restAfterFault: number;
  readonly signal: AbortSignal;
  /** A fault that lasts is reported once. */
  readonly onFault: (error: unknown) => void;
}

export interface PollLoop {
  /** Resolves after the signal, once the poll that is under way has ended. */
  readonly done: Promise<void>;
  /** Ends the rest. */
  wake(): void;
}

export function pollLoop({ poll, restAfterFault, signal, onFault }: PollLoopOptions): PollLoop {
  // Not `AbortSignal.any`: the signal that lasts would keep something of each poll.
  let resting = new AbortController();
  const wake = () => resting.abort();
  let fault = '';

  async function pollOnce(): Promise<number> {
    try {
      const rest = await poll();
      fault = '';
      return rest;
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) onFault(error);
      fault = message;
      return restAfterFault;
    }
  }

  async function run(): Promise<void> {
    signal.addEventListener('abort', wake);
    while (!signal.aborted) {
      resting = new AbortController();
      const rest = await pollOnce();
      if (signal.aborted) break;
      await setTimeout(rest, undefined, { signal: resting.signal }).catch(() => {});
    }
  }

  return { done: run(), wake };
}
