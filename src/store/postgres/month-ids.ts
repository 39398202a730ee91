/** Knows which month a request id is of: ids begin with the time they were made at. */
import { firstIdAt, timeOfId } from '../request-time.ts';

/** The UTC month (`2026-05`) of a request id; `undefined` for what is none. */
export function monthOfId(requestId: string): string | undefined {
  const at = timeOfId(requestId);
  if (at === undefined) return undefined;
  const month = new Date(at).toISOString().slice(0, 7);
  return /^\d{4}-\d{2}$/.test(month) ? month : undefined;
}

/** Ids of a month: the first one inside, and the first one after it. */
export function idsOfMonth(month: string): readonly [from: string, to: string] {
  return [firstIdAt(Date.parse(`${month}-01`)), firstIdAt(Date.parse(`${addMonths(month, 1)}-01`))];
}

export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
