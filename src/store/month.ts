/** The UTC calendar months that quota counts in, and that assessments are partitioned by. */

const MINUTE_MS = 60_000;
/** The result is the same for a whole minute: months start on one. */
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

export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
