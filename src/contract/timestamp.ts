/** Writes an instant as the contract does: RFC 3339, UTC, whole seconds, rounded down. `now` is milliseconds since the epoch. */
export function toTimestamp(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}Z`;
}
