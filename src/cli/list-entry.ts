/** Reads the options of a list entry, and shows entries with the names of the command line. */
import { InvalidArgumentError, Option } from 'commander';
import { parseInstant, toTimestamp } from '../contract/timestamp.ts';
import { type ListValue, readListValue } from '../intel/list-value.ts';
import type { ListEntry } from '../model/list-entry.ts';

const MAX_TEXT = 200;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_UNITS = 100_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function showEntry(entry: ListEntry, now: number) {
  const time = (at: number | null) => (at === null ? null : toTimestamp(at));
  return {
    id: entry.id,
    account_id: entry.accountId,
    action: entry.action,
    kind: entry.kind,
    value: entry.shown,
    reason: entry.reason,
    author: entry.author,
    created_at: time(entry.createdAt),
    expires_at: time(entry.expiresAt),
    expired: entry.expiresAt !== null && entry.expiresAt <= now,
    hits: entry.hits,
    last_hit_at: time(entry.lastHitAt),
  };
}

export const valueOption = (action: 'allow' | 'deny') =>
  new Option(
    `--${action} <value>`,
    `${action} an address, domain (.xyz: a whole top-level domain), IP, CIDR block, AS number (AS64500) or country (FR)`,
  ).argParser((text): ListValue => {
    try {
      return readListValue(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  });

export const expiresOption = () =>
  new Option(
    '--expires <when>',
    'when it ends: 2027-01-31, 2027-01-31T12:00Z, or in 30d, 12h, 45m',
  ).argParser((text) => {
    const at = readInstant(text, Date.now());
    if (at === undefined) throw new InvalidArgumentError('It must be a future date, or a time like 30d.');
    return at;
  });

/** A text for people in one line. */
export const textOption = (flags: string, description: string) =>
  new Option(flags, `${description}, up to ${MAX_TEXT} characters`).argParser((value) => {
    const text = value.trim();
    if (text === '' || text.length > MAX_TEXT || /\p{C}/u.test(text)) {
      throw new InvalidArgumentError(`It must have 1 to ${MAX_TEXT} printable characters.`);
    }
    return text;
  });

/** Milliseconds since the epoch; `undefined` unless it is an existing day in the future, with a time zone. */
function readInstant(text: string, now: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) {
    const units = Number(count);
    return units >= 1 && units <= MAX_UNITS ? now + units * UNIT_MS[unit as keyof typeof UNIT_MS] : undefined;
  }
  const at = parseInstant(DAY.test(text) ? `${text}T00:00Z` : text);
  return at !== undefined && at > now ? at : undefined;
}
