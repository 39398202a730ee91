/** The UTC calendar month that quota counts in. */

/** `2026-05` for an instant in milliseconds since the epoch. */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}
