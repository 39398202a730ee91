/** The clock of sign-in: a step of the wall clock counts only after an hour, so a short wrong time ends no session. */

export interface SessionClock {
  /** Milliseconds since the epoch. While the wall clock is not trusted, time goes on at its usual pace. */
  now(): number;
  /** Whether the wall clock has not stepped for an hour, as far as this process knows. */
  isConfirmed(): boolean;
}

export interface SessionClockOptions {
  /** Milliseconds since the epoch; may be set back or ahead at any time. */
  readonly wall: () => number;
  /** Milliseconds since any moment; no step touches it. */
  readonly monotonic: () => number;
}

const CONFIRMED_AFTER_MS = 3_600_000;
/** Smaller differences are how clocks are corrected. */
const STEP_MS = 60_000;

export function createSessionClock({ wall, monotonic }: SessionClockOptions): SessionClock {
  let seen = wall() - monotonic();
  let seenSince = monotonic();
  let accepted = seen;
  /** A process that has just started has only the wall clock. */
  let trusted = false;

  function read(): { elapsed: number; confirmed: boolean } {
    const elapsed = monotonic();
    const offset = wall() - elapsed;
    if (Math.abs(offset - seen) > STEP_MS) seenSince = elapsed;
    seen = offset;
    const confirmed = elapsed - seenSince >= CONFIRMED_AFTER_MS;
    trusted ||= confirmed;
    if (confirmed || !trusted) accepted = seen;
    return { elapsed, confirmed };
  }

  return {
    now: () => Math.floor(read().elapsed + accepted),
    isConfirmed: () => read().confirmed,
  };
}
