/** Runs a step again and again in the background: at once while there may be more, else after a pause; a fault is logged when it begins. */
import type { Logger } from 'pino';

export interface LoopOptions {
  /** @returns whether there may be more at once */
  step(): Promise<boolean>;
  readonly pollMs: number;
  readonly log: Pick<Logger, 'error'>;
  /** Line of the log. */
  readonly fault: string;
}

export interface Loop {
  start(): void;
  /** Waits for the step under way. */
  close(): Promise<void>;
}

export function createLoop({ step, pollMs, log, fault }: LoopOptions): Loop {
  let next: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let closed = false;
  let isFailing = false;

  async function work(): Promise<void> {
    try {
      const isMore = await step();
      isFailing = false;
      plan(isMore ? 0 : pollMs);
    } catch (error) {
      if (!isFailing) log.error({ err: error }, fault);
      isFailing = true;
      plan(pollMs);
    }
  }

  function plan(pauseMs: number): void {
    if (closed) return;
    next = setTimeout(() => {
      working = work();
    }, pauseMs).unref();
  }

  return {
    start: () => plan(pollMs),
    async close() {
      closed = true;
      clearTimeout(next);
      await working;
    },
  };
}
