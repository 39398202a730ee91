/** Decides when a session ends, by a clock for which a step of the wall clock counts only after an hour. */
/** A short wrong time of the wall clock ends no session. */
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

const DAY_MS = 86_400_000;
export const SESSION_IDLE_MS = 7 * DAY_MS;
export const SESSION_MAX_MS = 30 * DAY_MS;
/** Minimum time between two stored uses. */
const TOUCH_MS = 15 * 60_000;
/** Clocks of several nodes differ by less. */
const FUTURE_MS = 60_000;

/** Milliseconds since the epoch. */
export interface SessionTimes {
  readonly createdAt: number;
  /** The latest stored use. */
  readonly seenAt: number;
}

export function sessionEnd({ createdAt, seenAt }: SessionTimes): number {
  return Math.min(seenAt + SESSION_IDLE_MS, createdAt + SESSION_MAX_MS);
}

export function hasEnded(times: SessionTimes, now: number): boolean {
  return now >= sessionEnd(times);
}

/** Times to store after a use now: a time in the future, from a wrong clock, is moved to now; `undefined`: what is stored may stay. */
export function timesAfterUse(
  { createdAt, seenAt }: SessionTimes,
  clock: SessionClock,
): SessionTimes | undefined {
  const now = clock.now();
  if (seenAt <= now + FUTURE_MS && createdAt <= now + FUTURE_MS)
    return now - seenAt < TOUCH_MS ? undefined : { createdAt, seenAt: now };
  // Either clock may be the wrong one.
  return clock.isConfirmed() ? { createdAt: Math.min(createdAt, now), seenAt: now } : undefined;
}
