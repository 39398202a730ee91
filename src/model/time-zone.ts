/** A time zone: the account's own clock, by which its days begin. Also the dashboard's, so it knows only `Intl`. */

/** Name in the IANA time zone database: `Europe/Berlin`. */
export type TimeZone = string;

export const UTC: TimeZone = 'UTC';
/** Offsets such as `+02:00` are no names: they know no summer time. */
const NAME = /^[a-z]+(?:[/_+-][a-z0-9]+)*$/i;
const MAX_LENGTH = 64;
const DAY_MS = 86_400_000;

/** Its name in the usual upper and lower case; `undefined` for any other text. */
export function parseTimeZone(text: string): TimeZone | undefined {
  const name = text.trim();
  if (name.length > MAX_LENGTH || !NAME.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // An alias stays as it was written: engines differ in which of two names is the main one.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}

/** The clock of a zone: instants in milliseconds since the epoch, times on its wall as if they were of UTC. */
export interface WallClock {
  wallOf(at: number): number;
  /** The first instant with this time on the wall; the end of the gap, where the clock skips it. */
  instantOf(wall: number): number;
}

/** @throws RangeError if there is no such zone */
export function createWallClock(zone: TimeZone): WallClock {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsetOf = (at: number) =>
    parseOffset(format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '');
  const wallOf = (at: number) => at + offsetOf(at);
  return {
    wallOf,
    instantOf(wall) {
      const before = offsetOf(wall - DAY_MS);
      const found = [wall - before, wall - offsetOf(wall + DAY_MS)].filter((at) => wallOf(at) === wall);
      return found.length > 0 ? Math.min(...found) : wall - before;
    },
  };
}

/** Milliseconds of `GMT+05:45`; 0 for `GMT`. */
function parseOffset(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(text) ?? [];
  const size = 3_600_000 * Number(hours) + 60_000 * Number(minutes) + 1000 * Number(seconds);
  return sign === '-' ? -size : size;
}
