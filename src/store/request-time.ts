/** Reads the time that a request id begins with; ids sort by it. */
import { addMonths, monthOf } from '../platform/month.ts';

const TIME_CHARACTERS = 10;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const REQUEST_ID = /^req_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;

/** Milliseconds since the epoch; `undefined` if the text is not a request id. */
export function timeOfId(requestId: string): number | undefined {
  const time = REQUEST_ID.exec(requestId)?.[1];
  if (time === undefined) return undefined;
  let at = 0;
  for (const character of time) at = at * 32 + CROCKFORD.indexOf(character);
  return at;
}

/** The smallest request id of an instant. */
export function firstIdAt(at: number): string {
  let rest = Math.max(0, at);
  let time = '';
  for (let index = 0; index < TIME_CHARACTERS; index += 1) {
    time = `${CROCKFORD[rest % 32]}${time}`;
    rest = Math.floor(rest / 32);
  }
  return `req_${time}`;
}

/** The UTC month (`2026-05`) of a request id; `undefined` if the text is not a request id or the time is far in the future. */
export function monthOfId(requestId: string): string | undefined {
  const at = timeOfId(requestId);
  if (at === undefined) return undefined;
  const month = monthOf(at);
  return /^\d{4}-\d{2}$/.test(month) ? month : undefined;
}

/** Ids of a month: the first one inside, and the first one after it. */
export function idsOfMonth(month: string): readonly [from: string, to: string] {
  return [firstIdAt(Date.parse(`${month}-01`)), firstIdAt(Date.parse(`${addMonths(month, 1)}-01`))];
}
