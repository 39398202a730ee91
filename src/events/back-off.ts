/** Decides when a delivery is tried again: soon at first, then ever more rarely, for a day. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after each try; the last one repeats. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  4 * HOUR_MS,
];
/** Random part of a pause, so that what failed together is not tried together. */
const JITTER = 0.2;
/** Max. pause that a receiver can ask for: all that waits is given up by then. */
const MAX_ASKED_MS = 24 * HOUR_MS;
/** Pause of a whole destination, in which its other deliveries wait: it is tried again sooner than each of them. */
const MAX_DESTINATION_PAUSE_MS = 5 * MINUTE_MS;

/**
 * @param tries that were made, at least 1
 * @param random 0 up to 1
 * @param atLeastMs pause that the receiver asked for
 */
export function pauseAfter(tries: number, random: number, atLeastMs = 0): number {
  const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] as number;
  return Math.round(Math.max(pause * (1 - JITTER + 2 * JITTER * random), atLeastMs));
}

/** @param askedMs pause that the receiver asked for */
export function destinationPause(pauseMs: number, askedMs = 0): number {
  return Math.max(Math.min(pauseMs, MAX_DESTINATION_PAUSE_MS), askedMs);
}

/** Milliseconds of a `Retry-After` header, seconds or a date, at most a day; 0 where it says nothing. */
export function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
  return ms > 0 ? Math.min(ms, MAX_ASKED_MS) : 0;
}
