/** Knows which month a request id is of: ids begin with the time they were made at. */

const ULID_TIME_CHARACTERS = 10;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const REQUEST_ID = /^req_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;

/** The UTC month (`2026-05`) of a request id; `undefined` for what is none. */
export function monthOfId(requestId: string): string | undefined {
  const time = REQUEST_ID.exec(requestId)?.[1];
  if (time === undefined) return undefined;
  let at = 0;
  for (const character of time) at = at * 32 + CROCKFORD.indexOf(character);
  const month = new Date(at).toISOString().slice(0, 7);
  return /^\d{4}-\d{2}$/.test(month) ? month : undefined;
}

/** The smallest request id of an instant. */
export function firstIdAt(at: number): string {
  let rest = Math.max(0, at);
  let time = '';
  for (let index = 0; index < ULID_TIME_CHARACTERS; index += 1) {
    time = `${CROCKFORD[rest % 32]}${time}`;
    rest = Math.floor(rest / 32);
  }
  return `req_${time}`;
}

/** Ids of a month: the first one inside, and the first one after it. */
export function idsOfMonth(month: string): readonly [from: string, to: string] {
  return [firstIdAt(Date.parse(`${month}-01`)), firstIdAt(Date.parse(`${addMonths(month, 1)}-01`))];
}

export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
