/** Reads the time of a past signup, in the forms that exports have. */

/** Anything above is in milliseconds: in seconds, it would be in the year 5138. */
const MAX_SECONDS = 1e11;
const EPOCH = /^\d{9,16}(?:\.\d+)?$/;
const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?$/i;

/**
 * ISO 8601, in UTC where it names no zone, or seconds or milliseconds since 1970. Milliseconds since the epoch;
 * `undefined` for anything else.
 */
export function parseTime(text: string): number | undefined {
  if (EPOCH.test(text)) {
    const value = Number(text);
    return Math.round(value < MAX_SECONDS ? value * 1000 : value);
  }
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(text) ?? [];
  // The parser of dates rolls a day that does not exist over into the next month.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined;
  const at = Date.parse(`${day}T${time.replace(',', '.')}${toOffset(zone)}`);
  return Number.isNaN(at) ? undefined : at;
}

const DAY_MS = 86_400_000;
export const BAD_TIME =
  'the time is not ISO 8601 or seconds or milliseconds since 1970, or it is in the future';

/** The time as `parseTime` reads it; `undefined` also for one that is more than a day in the future. */
export function parsePastTime(text: string, now: number): number | undefined {
  const at = parseTime(text);
  return at === undefined || at > now + DAY_MS ? undefined : at;
}

function toOffset(zone: string): string {
  const upper = zone.toUpperCase();
  if (upper === 'Z' || upper === 'UTC') return 'Z';
  const digits = upper.slice(1).replace(':', '').padEnd(4, '0');
  return `${upper[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
