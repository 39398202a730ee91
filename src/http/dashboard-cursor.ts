/** Writes places in lists as texts that go back and forth, and reads them. */
import { unusable } from './dashboard-refusals.ts';

/** A place: an instant in milliseconds, and what tells apart what has the same one. */
export interface Place {
  readonly at: number;
  readonly mark: string;
}

export function toCursor(place: Place | null): string | null {
  return place === null ? null : Buffer.from(`${place.at} ${place.mark}`).toString('base64url');
}

/** `null` where none was sent. @throws Problem `invalid_value` */
export function readCursor(text: string | undefined): Place | null {
  if (text === undefined || text === '') return null;
  const [, at, mark] = /^(\d{1,16}) (\w{1,80})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (at !== undefined && mark !== undefined) return { at: Number(at), mark };
  throw unusable('cursor', 'The cursor cannot be read.', 'Send the `cursor` of the previous page unchanged.');
}

/** A cursor that counts. @throws Problem `invalid_value` */
export function readNumberCursor(text: string | undefined): { at: number; seq: number } | null {
  const place = readCursor(text);
  if (place === null) return null;
  const seq = Number(place.mark);
  if (Number.isSafeInteger(seq)) return { at: place.at, seq };
  throw unusable('cursor', 'The cursor cannot be read.', 'Send the `cursor` of the previous page unchanged.');
}
