/** Decides when a source that keeps failing is no longer asked. */

export interface Breaker {
  /** True from the last tolerated failure in a row until the next success. */
  readonly open: boolean;
  succeed(): void;
  fail(now: number): void;
  /** Whether it is open and `restMs` have passed since it opened or since the last probe: takes the one probe. */
  tryHalfOpen(now: number): boolean;
}

/** Opens after `failures` in a row; while it is open, one probe is allowed every `restMs`. Times are milliseconds. */
export function createBreaker(options: { failures: number; restMs: number }): Breaker {
  let inARow = 0;
  let restingSince = 0;
  return {
    get open() {
      return inARow >= options.failures;
    },
    succeed() {
      inARow = 0;
    },
    fail(now) {
      inARow += 1;
      if (inARow === options.failures) restingSince = now;
    },
    tryHalfOpen(now) {
      if (inARow < options.failures || now - restingSince < options.restMs) return false;
      restingSince = now;
      return true;
    },
  };
}
