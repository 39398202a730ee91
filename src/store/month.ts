/** The UTC calendar month that quota counts in. */

const MINUTE_MS = 60_000;
/** The answer of a minute serves all of it: months start on one. */
let minute = Number.NaN;
let month = '';

/** `2026-05` for an instant in milliseconds since the epoch. */
export function monthOf(now: number): string {
  const currentMinute = Math.floor(now / MINUTE_MS);
  if (currentMinute !== minute) {
    month = new Date(now).toISOString().slice(0, 7);
    minute = currentMinute;
  }
  return month;
}
