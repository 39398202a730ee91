/** The port of what reads one line of a file of past signups, in either format. */

/** The names that the source uses; `null` where it has no such column. */
export interface SignupColumns {
  readonly email: string;
  readonly ip: string | null;
  readonly time: string | null;
  readonly verdict: string | null;
}

/** Fields of a record, as text; empty where it says nothing. */
export interface SignupRecord {
  /** Number of its first line in the file; the first line is 1. */
  readonly line: number;
  readonly email: string;
  readonly ip: string;
  readonly time: string;
  readonly verdict: string;
}

/** A line that is no record. */
export interface UnreadableLine {
  readonly line: number;
  readonly problem: string;
}

/** `names`: the header of the CSV, or the members of the first JSON object, inner ones as `outer.inner`. @throws when one is missing */
export type ChooseColumns = (names: readonly string[]) => SignupColumns;
export type ParsedLine = SignupRecord | UnreadableLine;
/** `unfinished`: a quoted field continues in the next line. */
export type ParseLine = (text: string, line: number) => ParsedLine | 'unfinished';
