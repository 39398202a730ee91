/** The time as the header `Date` has it. */
let second = Number.NaN;
let date = '';

/** The same text for a whole second. */
export function httpDate(): string {
  const now = Date.now();
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    date = new Date(now).toUTCString();
  }
  return date;
}
