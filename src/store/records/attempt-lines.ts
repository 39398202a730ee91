/** Reads the lines of a batch's attempts in place, byte by byte: their form is that of `writeAttempt`. */
import { KEY_BOUNDS, MARKS } from '../../model/velocity-event.ts';
import type { AttemptPage } from './attempt-page.ts';
import { ofField, readGroups } from './batch-text.ts';

const TAB = 9;
const LINE = 10;
const BACKSLASH = 92;
/** The digits of base 36: from 0 to 9, and from a on. */
const NINE = 57;
const ZERO_AT = 48;
const TEN_AT = 97;
const DOMAIN = 2;
const ADDRESS = 4;
const MAILBOX = 6;

/** Divides rows that are read together. No row has it: controls in domains are escaped. */
export const ROW_END = 30;

/** Adds those that are live and were assessed after `since` to the page. @param placeOf the number of an account */
export function parseAttempts(
  page: AttemptPage,
  rows: Uint8Array,
  since: number,
  placeOf: (accountId: string) => number,
): void {
  const first = page.append(rows);
  const hasEscapes = rows.includes(BACKSLASH);
  let header = '';
  let groups: LiveGroups = { accounts: [], marks: [] };
  for (let start = 0; start < rows.length; ) {
    const divider = rows.indexOf(ROW_END, start);
    const end = divider < 0 ? rows.length : divider;
    const line = rows.indexOf(LINE, start);
    const headerEnd = line < 0 || line > end ? end : line;
    const text = Buffer.from(rows.buffer, rows.byteOffset + start, headerEnd - start).toString();
    // Mostly that of the row before.
    if (text !== header) groups = readLiveGroups(text, placeOf);
    header = text;
    parseLines(page, first + headerEnd + 1, first + end, { since, groups, hasEscapes });
    start = end + 1;
  }
}

/** Groups by their places. */
interface LiveGroups {
  /** The numbers of the accounts; -1 for groups that velocity leaves out. */
  readonly accounts: readonly number[];
  /** `MARKS` together. */
  readonly marks: readonly number[];
}

function readLiveGroups(header: string, placeOf: (accountId: string) => number): LiveGroups {
  const groups = readGroups(header);
  return {
    accounts: groups.map(({ accountId, mode, isBrought }) =>
      mode === 'live' && !isBrought ? placeOf(accountId) : -1,
    ),
    marks: groups.map(
      ({ isBlocked, isNamed }) => (isBlocked ? MARKS.blocked : 0) | (isNamed ? MARKS.named : 0),
    ),
  };
}

interface RowOfLines {
  readonly since: number;
  readonly groups: LiveGroups;
  readonly hasEscapes: boolean;
}

function parseLines(
  page: AttemptPage,
  start: number,
  end: number,
  { since, groups, hasEscapes }: RowOfLines,
): void {
  const { bytes } = page;
  const { accounts, marks } = groups;
  let next = start;
  while (next < end) {
    // Erased.
    if (bytes[next] === LINE) {
      next += 1;
      continue;
    }
    let group = 0;
    for (; bytes[next] !== TAB; next += 1) group = group * 10 + (bytes[next] as number) - ZERO_AT;
    let at = 0;
    for (next += 1; bytes[next] !== TAB; next += 1) {
      const digit = bytes[next] as number;
      at = at * 36 + (digit <= NINE ? digit - ZERO_AT : digit - TEN_AT + 10);
    }
    const account = accounts[group] ?? -1;
    if (account < 0 || at <= since) {
      while (next < end && bytes[next] !== LINE) next += 1;
      next += 1;
      continue;
    }
    next = readKeys(page, page.open(account, at, marks[group] as number) * KEY_BOUNDS, next, end);
    if (hasEscapes) decodeDomain(page, (page.length - 1) * KEY_BOUNDS);
  }
}

/** Notes where the keys of an attempt are. Returns where the next line begins. */
function readKeys({ bytes, keys }: AttemptPage, first: number, tab: number, end: number): number {
  let from = tab + 1;
  for (let key = 0; key <= MAILBOX; key += 2) {
    const divider = key === MAILBOX ? LINE : TAB;
    let to = from;
    while (to < end && bytes[to] !== divider) to += 1;
    keys[first + key] = from;
    keys[first + key + 1] = to;
    from = to + 1;
  }
  if (keys[first + MAILBOX] === keys[first + MAILBOX + 1]) {
    keys[first + MAILBOX] = keys[first + ADDRESS] as number;
    keys[first + MAILBOX + 1] = keys[first + ADDRESS + 1] as number;
  }
  return from;
}

/** Writes a domain that has escapes as it is, over its own bytes: it is shorter then. */
function decodeDomain({ bytes, keys }: AttemptPage, first: number): void {
  const from = keys[first + DOMAIN] as number;
  const field = Buffer.from(bytes.subarray(from, keys[first + DOMAIN + 1] as number)).toString();
  const decoded = Buffer.from(ofField(field));
  bytes.set(decoded, from);
  keys[first + DOMAIN + 1] = from + decoded.length;
}
