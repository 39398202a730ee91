/** The UTC calendar month that quota counts in. */

/** `2026-05` for an instant in milliseconds since the epoch. */
export function monthOf(now: number): string {
  const date = new Date(now);
  const month = date.getUTCMonth() + 1;
  return `${date.getUTCFullYear()}-${month < 10 ? '0' : ''}${month}`;
}
