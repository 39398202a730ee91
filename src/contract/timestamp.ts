/** Writes an instant as the contract does: RFC 3339, UTC, whole seconds, rounded down. `now` is milliseconds since the epoch. */
export function toTimestamp(now: number): string {
  const date = new Date(now);
  const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  return `${day}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}Z`;
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
