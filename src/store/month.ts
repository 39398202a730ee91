/** The UTC calendar month that quota counts in. */

const MINUTE_MS = 60_000;
/** The answer of a minute serves all of it: months start on one. */
let minute = Number.NaN;
let month = '';

/** `2026-05` for an instant in milliseconds since the epoch. */
export function monthOf(now: number): string {
  const asked = Math.floor(now / MINUTE_MS);
  if (asked !== minute) {
    month = new Date(now).toISOString().slice(0, 7);
    minute = asked;
  }
  return month;
}
