/** Decides how long to wait before a secret may be tried again: failures make the wait grow, up to a bound, and are forgotten bit by bit. */
import { hash } from 'node:crypto';

export interface LoginThrottle {
  /** Counts as failed under each of the names until it succeeds. While one of them has to wait, nothing is counted. */
  begin(counts: readonly FailureCount[], now: number): LoginAttempt | { readonly waitMs: number };
}

export interface FailureCount {
  readonly name: string;
  readonly pace: Pace;
}

export interface Pace {
  /** Failures without any wait; beyond them it is 1 s, 2 s, 4 s… */
  readonly free: number;
  readonly maxWaitMs: number;
  /** One failure is forgotten in this time. */
  readonly forgetMs: number;
  /** Whether a right secret clears all failures: only where nobody else is counted under the name. */
  readonly forgivable: boolean;
}

export interface LoginAttempt {
  /** The secret was right. */
  succeeded(): void;
  /** The secret was not checked. */
  withdrawn(): void;
}

interface Failures {
  /** Failures that are remembered; one that is partly forgotten is a part. */
  count: number;
  /** Time at which the latest was counted, milliseconds since the epoch. */
  at: number;
}

/** Max. names, about 15 MB: a new one takes the place of the oldest. */
const MAX_NAMES = 65_536;
const FIRST_WAIT_MS = 1000;

export function createLoginThrottle(maxNames = MAX_NAMES): LoginThrottle {
  const failures = new Map<string, Failures>();

  /** A clock that was set back restarts the wait, which is short, instead of making it longer. */
  function sinceLatest(known: Failures, now: number): number {
    if (now < known.at) known.at = now;
    return now - known.at;
  }

  function waitOf({ name, pace }: FailureCount, now: number): number {
    const known = failures.get(keyOf(name));
    return known === undefined ? 0 : waitAfter(known.count, pace) - sinceLatest(known, now);
  }

  function count({ name, pace }: FailureCount, now: number): void {
    const key = keyOf(name);
    const known = failures.get(key);
    const left = known === undefined ? 0 : known.count - sinceLatest(known, now) / pace.forgetMs;
    failures.delete(key);
    // More than what makes the longest wait would only be remembered for longer.
    failures.set(key, { count: Math.min(Math.max(0, left) + 1, maxCounted(pace)), at: now });
    if (failures.size > maxNames) failures.delete(failures.keys().next().value as string);
  }

  function takeBack({ name }: FailureCount): void {
    const known = failures.get(keyOf(name));
    if (known === undefined) return;
    known.count -= 1;
    if (known.count <= 0) failures.delete(keyOf(name));
  }

  return {
    begin(counts, now) {
      const waitMs = Math.max(0, ...counts.map((each) => waitOf(each, now)));
      if (waitMs > 0) return { waitMs };
      for (const each of counts) count(each, now);
      return {
        succeeded() {
          for (const each of counts) {
            if (each.pace.forgivable) failures.delete(keyOf(each.name));
            else takeBack(each);
          }
        },
        withdrawn() {
          for (const each of counts) takeBack(each);
        },
      };
    },
  };
}

function waitAfter(count: number, { free, maxWaitMs }: Pace): number {
  const beyond = Math.round(count) - free;
  return beyond < 0 ? 0 : Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** beyond);
}

function maxCounted({ free, maxWaitMs }: Pace): number {
  return free + Math.ceil(Math.log2(maxWaitMs / FIRST_WAIT_MS)) + 1;
}

/** A hash: of the same length for every name. */
function keyOf(name: string): string {
  return hash('sha256', name, 'base64url');
}
