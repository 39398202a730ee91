/** Reads a time as people give it to a command: a date, an instant, or how far away it is. */
import { InvalidArgumentError } from 'commander';
import { parseInstant } from '../platform/timestamp.ts';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_UNITS = 100_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** `2027-01-31`, `2027-01-31T12:00Z`, `30d`, `12h`, `45m`, as milliseconds since the epoch. @throws InvalidArgumentError unless it is in the future */
export function readFutureInstant(text: string): number {
  const now = Date.now();
  const at = readInstant(text, now, 1);
  if (at !== undefined && at > now) return at;
  throw new InvalidArgumentError('It must be a future date, or a time like 30d.');
}

/** Reads a time in the past. @throws InvalidArgumentError if it is in the future */
export function readPastInstant(text: string): number {
  const now = Date.now();
  const at = readInstant(text, now, -1);
  if (at !== undefined && at <= now) return at;
  throw new InvalidArgumentError('It must be a past date, or a time like 30d.');
}

/** `24h`, `30d`, `45m` or `0`, as milliseconds. @throws InvalidArgumentError unless it is at most `maxMs` */
export function readLength(maxMs: number) {
  return (text: string): number => {
    const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
    const ms = text === '0' ? 0 : Number(count || Number.NaN) * UNIT_MS[unit as keyof typeof UNIT_MS];
    if (ms <= maxMs) return ms;
    throw new InvalidArgumentError(`It must be a length such as 24h, at most ${maxMs / UNIT_MS.d}d, or 0.`);
  };
}

/** `undefined` for what is no time, or a day that does not exist. */
function readInstant(text: string, now: number, direction: 1 | -1): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return parseInstant(DAY.test(text) ? `${text}T00:00Z` : text);
  const units = Number(count);
  if (units < 1 || units > MAX_UNITS) return undefined;
  return now + direction * units * UNIT_MS[unit as keyof typeof UNIT_MS];
}
