/** Writes an instant as the contract does: RFC 3339, UTC, whole seconds, rounded down. */

/** The text of the second asked for last: most are asked for many times. */
let second = Number.NaN;
let text = '';

/** `now` is milliseconds since the epoch. */
export function toTimestamp(now: number): string {
  const asked = Math.floor(now / 1000);
  if (asked !== second) {
    text = `${new Date(asked * 1000).toISOString().slice(0, 19)}Z`;
    second = asked;
  }
  return text;
}
