/** Reads what requests of the dashboard send: bodies, values and pages of a list; refuses what cannot be used. */
import { Problem } from '../contract/problem.ts';
import type { KeyMode } from '../model/key-mode.ts';

/** `sentence` says what is wrong; `resolution` what to send instead. */
export function unusable(param: string, sentence: string, resolution: string): Problem {
  return new Problem('invalid_value', param, { message: sentence, resolution });
}

/** Any text: its handler checks it. */
export const TEXT = { type: 'string' };
export const FLAG = { type: 'boolean' };
/** A name, an address, a password or an id. */
export const SHORT_TEXT = { type: 'string', maxLength: 300 };

/** JSON Schema of a body. The first required member is blamed when the body as a whole is unusable. */
export function bodyOf(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', required, properties };
}

/** @throws Problem `invalid_value` unless `value` is one of `values` */
export function oneOf<const T extends string>(
  values: readonly T[],
  param: string,
  value: string | undefined,
  otherwise?: T,
): T {
  const chosen = value ?? otherwise;
  const known = values.find((candidate) => candidate === chosen);
  if (known !== undefined) return known;
  throw unusable(param, `\`${param}\` has an unknown value.`, `Send one of ${values.join(', ')}.`);
}

/** @throws Problem `invalid_value` */
export function readMode(value: string | undefined, otherwise?: KeyMode): KeyMode {
  return oneOf(['live', 'test'], 'mode', value, otherwise);
}

/** Reads a one-line text for people: 1 to `maxLength` printable characters, trimmed. @throws Problem `invalid_value` */
export function lineOf(param: string, input: string, maxLength = 200): string {
  const text = input.trim();
  if (text !== '' && text.length <= maxLength && !/\p{C}/u.test(text)) return text;
  throw unusable(param, `\`${param}\` cannot be used.`, `Send 1 to ${maxLength} printable characters.`);
}

/** The text that was sent, short enough for a message. */
export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** A place in a list: an instant in milliseconds, and what distinguishes entries of the same instant. */
export interface Place {
  readonly at: number;
  readonly mark: string;
}

const PAGE_ROWS = 50;
const MAX_PAGE_ROWS = 200;

/**
 * Reads which page of a list a query asks for: after which place (`null`: from the beginning), and how many rows.
 * @param isMark whether a mark can be of this list
 * @throws Problem `invalid_value`
 */
export function readPage(
  { cursor, limit }: Readonly<Record<string, string | undefined>>,
  isMark: (mark: string) => boolean = () => true,
): { after: Place | null; limit: number } {
  const after = cursor === undefined || cursor === '' ? null : readCursor(cursor);
  if (after !== null && !isMark(after.mark)) throw unusableCursor();
  return { after, limit: readLimit(limit) };
}

/** A place as a text that the client sends back for the next page. */
export function toCursor(place: Place | null): string | null {
  return place === null ? null : Buffer.from(`${place.at} ${place.mark}`).toString('base64url');
}

function readCursor(text: string): Place {
  const [, at, mark] = /^(\d{1,16}) (\w{1,80})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (at === undefined || mark === undefined) throw unusableCursor();
  return { at: Number(at), mark };
}

function unusableCursor(): Problem {
  return unusable(
    'cursor',
    'The cursor cannot be read.',
    'Send the `cursor` of the previous page unchanged.',
  );
}

/** Reads how many rows of a list a query asks for. @throws Problem `invalid_value` */
export function readLimit(text: string | undefined): number {
  if (text === undefined || text === '') return PAGE_ROWS;
  const limit = Number(text);
  if (/^\d{1,6}$/.test(text) && limit >= 1 && limit <= MAX_PAGE_ROWS) return limit;
  const advice = `Send a whole number from 1 to ${MAX_PAGE_ROWS}.`;
  throw unusable('limit', `${shown(text)} cannot be used as a limit.`, advice);
}
