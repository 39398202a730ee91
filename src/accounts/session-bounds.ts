/** Decides when a session ends, and which use of it is stored; a time in the future, from a wrong clock, is moved to now. */
import type { SessionClock } from './session-clock.ts';

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

/** What to keep of a use now; `undefined`: what is kept may stay. */
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
