/** Decides whether a server is used: after missed deadlines it is not, until it answers a probe. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerHealthOptions {
  /** Asks the server for something that only a healthy server can do. */
  readonly probe: () => Promise<unknown>;
  /** Called when the connection has been dead for some time: it may never recover by itself. */
  readonly reconnect: () => void;
  /** Called before the server is used again; if it fails, the server stays down. */
  readonly beforeUse: () => Promise<void>;
  /** Deadline for an answer. */
  readonly deadlineMs: number;
  /** @param error why the server is not used any more */
  readonly onChange: (up: boolean, error?: Error) => void;
  /** Called with the reason why the server stays down. */
  readonly onProbeFailure: (message: string) => void;
}

export interface ServerHealth {
  isUp(): boolean;
  /** It is down, not only slow: its data may be lost. */
  isStateLost(): boolean;
  /** Waits for an answer until the deadline. @throws when it is late; it may still come */
  withDeadline<T>(reply: Promise<T>): Promise<T>;
  /** Resolves after the first probe. */
  firstProbe(): Promise<void>;
  close(): void;
}

/** Several, because a pause of our own process must not look like a failure of the server. */
const MISSES = 3;
const PROBE_EVERY_MS = 200;
/** A probe may take so many deadlines: no request waits for it. */
const PROBE_PATIENCE = 5;
/** Late probes, or failures of any kind, in a row after which the connection is replaced. */
const LATE_PROBES = 3;
const FAILED_PROBES = 25;

export function createServerHealth(options: ServerHealthOptions): ServerHealth {
  const { probe, reconnect, beforeUse, deadlineMs, onChange, onProbeFailure } = options;
  let up = false;
  let lost = true;
  const { signal, abort } = createEnd();
  let misses = 0;
  let markTried: () => void = () => {};
  const tried = new Promise<void>((resolve) => {
    markTried = resolve;
  });

  function markDown(error: Error): void {
    if (!up || signal.aborted) return;
    up = false;
    lost = !(error instanceof Late);
    onChange(false, error);
    void probeUntilUp();
  }

  async function probeUntilUp(): Promise<void> {
    let late = 0;
    let failures = 0;
    while (!up && !signal.aborted) {
      try {
        await rejectLate(PROBE_PATIENCE * deadlineMs, probe());
        await beforeUse();
        if (signal.aborted) return;
        misses = 0;
        up = true;
        onChange(true);
        return;
      } catch (error) {
        if (signal.aborted) return;
        onProbeFailure((error as Error).message);
        failures += 1;
        if (error instanceof Late) late += 1;
        else lost = true;
        if ((late >= LATE_PROBES || failures >= FAILED_PROBES) && !signal.aborted) {
          reconnect();
          late = 0;
          failures = 0;
        }
      } finally {
        markTried();
      }
      await sleep(PROBE_EVERY_MS, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  void probeUntilUp();
  return {
    isUp: () => up,
    isStateLost: () => !up && lost,
    withDeadline: (reply) =>
      rejectLate(deadlineMs, reply).then(
        (answer) => {
          misses = 0;
          return answer;
        },
        (error: Error) => {
          misses += 1;
          if (!(error instanceof Late) || misses >= MISSES) markDown(error);
          throw error;
        },
      ),
    firstProbe: () => tried,
    close: abort,
  };
}

function createEnd(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

class Late extends Error {}

/** @throws when the answer is late. An answer that came while this process was busy is not late. */
function rejectLate<T>(milliseconds: number, reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectAsLate = () => reject(new Late(`no answer within ${milliseconds} ms`));
    const timer = setTimeout(() => setImmediate(rejectAsLate), milliseconds);
    const inTime =
      <A>(pass: (answer: A) => void) =>
      (answer: A) => {
        clearTimeout(timer);
        pass(answer);
      };
    reply.then(inTime(resolve), inTime(reject));
  });
}
