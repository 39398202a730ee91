/** Decides whether a server is worth asking: an answer in time, or none is waited for until a probe is answered. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerHealthOptions {
  /** Asks the server for something it can only do when all is well. */
  readonly probe: () => Promise<unknown>;
  /** The connection has been dead for a while: it may never come to life again. */
  readonly reconnect: () => void;
  /** Comes before the server is asked again; while it fails, the server stays unasked. */
  readonly beforeUse: () => Promise<void>;
  /** How long an answer is waited for. */
  readonly deadlineMs: number;
  /** `error`: why it is not asked any more. */
  readonly onChange: (up: boolean, error?: Error) => void;
  /** Why it stays unasked. */
  readonly onProbeFailure: (message: string) => void;
}

export interface ServerHealth {
  isUp(): boolean;
  /** It is down, and not merely slow: what it held may be gone. */
  isStateLost(): boolean;
  /** The answer to what was asked. @throws when it does not come in time; it may still come */
  withDeadline<T>(asked: Promise<T>): Promise<T>;
  /** Resolves once it was tried for the first time. */
  first(): Promise<void>;
  close(): void;
}

/** A pause of our own process must not look like one of the server. */
const MISSES = 3;
const PROBE_EVERY_MS = 200;
/** A probe holds nobody up. */
const PROBE_PATIENCE = 5;
/** Probes without an answer, and any failures in a row, after which the connection is given up. */
const LATE_PROBES = 3;
const FAILED_PROBES = 25;

export function createServerHealth(options: ServerHealthOptions): ServerHealth {
  const { probe, reconnect, beforeUse, deadlineMs, onChange, onProbeFailure } = options;
  let up = false;
  let lost = true;
  let closed = false;
  let misses = 0;
  let triedOnce: () => void = () => {};
  const tried = new Promise<void>((resolve) => {
    triedOnce = resolve;
  });

  function down(error: Error): void {
    if (!up || closed) return;
    up = false;
    lost = !(error instanceof Late);
    onChange(false, error);
    void probing();
  }

  async function probing(): Promise<void> {
    let late = 0;
    let failures = 0;
    while (!up && !closed) {
      try {
        await within(PROBE_PATIENCE * deadlineMs, probe());
        await beforeUse();
        misses = 0;
        up = true;
        onChange(true);
        return;
      } catch (error) {
        if (closed) return;
        onProbeFailure((error as Error).message);
        failures += 1;
        if (error instanceof Late) late += 1;
        else lost = true;
        if ((late >= LATE_PROBES || failures >= FAILED_PROBES) && !closed) {
          reconnect();
          late = 0;
          failures = 0;
        }
      } finally {
        triedOnce();
      }
      await sleep(PROBE_EVERY_MS, undefined, { ref: false });
    }
  }

  void probing();
  return {
    isUp: () => up,
    isStateLost: () => !up && lost,
    withDeadline: (asked) =>
      within(deadlineMs, asked).then(
        (answer) => {
          misses = 0;
          return answer;
        },
        (error: Error) => {
          misses += 1;
          if (!(error instanceof Late) || misses >= MISSES) down(error);
          throw error;
        },
      ),
    first: () => tried,
    close() {
      closed = true;
    },
  };
}

class Late extends Error {}

/** @throws when the answer is late. An answer that has come in while this process was busy is not. */
function within<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Late(`no answer within ${milliseconds} ms`));
    const timer = setTimeout(() => setImmediate(late), milliseconds);
    const settle =
      <A>(how: (answer: A) => void) =>
      (answer: A) => {
        clearTimeout(timer);
        how(answer);
      };
    asked.then(settle(resolve), settle(reject));
  });
}
