/** Writes an instant as the contract does: RFC 3339, UTC, whole seconds, rounded down; and reads one that was sent. */
import { lastValue } from './last-value.ts';

const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const textOf = lastValue((second) => `${new Date(second * 1000).toISOString().slice(0, 19)}Z`);

/** `now` is milliseconds since the epoch. */
export function toTimestamp(now: number): string {
  return textOf(Math.floor(now / 1000));
}

/** Milliseconds since the epoch, of RFC 3339 with or without seconds; `undefined` for anything else. */
export function parseInstant(sent: string): number | undefined {
  const day = INSTANT.exec(sent)?.[1];
  // The parser rolls a day that does not exist over into the next month.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined;
  const at = Date.parse(sent);
  return Number.isNaN(at) ? undefined : at;
}
