/** Decides whether a call may be sent: after failures in a row none is for a while, then one at a time until one succeeds. */

export interface BreakerOptions {
  /** Calls that fail in a row until it opens. Default 5. */
  readonly failures?: number | undefined;
  /** Time that it stays open until one call may try again. Default 10,000. */
  readonly openMs?: number | undefined;
}

/** The result of a call for the service's health; `unknown`: the call ended without a result. */
export type CallOutcome = 'success' | 'failure' | 'unknown';

/** Either the call may be sent, and must record its outcome, or it must wait. */
export type Admission = { readonly record: (outcome: CallOutcome) => void } | { readonly waitMs: number };

export interface CircuitBreaker {
  admit(): Admission;
}

/** The wait that is named while another call is the trial. */
const TRIAL_WAIT_MS = 1000;

/** @param nowMs a clock in milliseconds */
export function createCircuitBreaker(options: BreakerOptions, nowMs: () => number): CircuitBreaker {
  const { failures: maxFailures = 5, openMs = 10_000 } = options;
  let failures = 0;
  let openUntilMs = 0;
  let isTrialRunning = false;

  function count(outcome: CallOutcome): void {
    if (outcome === 'unknown') return;
    failures = outcome === 'success' ? 0 : failures + 1;
    if (failures >= maxFailures) openUntilMs = nowMs() + openMs;
  }

  return {
    admit() {
      if (failures < maxFailures) return { record: count };
      if (isTrialRunning) return { waitMs: TRIAL_WAIT_MS };
      const waitMs = openUntilMs - nowMs();
      if (waitMs > 0) return { waitMs };
      isTrialRunning = true;
      return {
        record(outcome) {
          isTrialRunning = false;
          count(outcome);
        },
      };
    },
  };
}

/** Breaker of `breaker: false`. */
export const ALWAYS_CLOSED: CircuitBreaker = { admit: () => ({ record: () => {} }) };
