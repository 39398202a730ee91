/** Decides how one part of a filter names several values, values to leave out, and the absence of a value. */

/** Values of one property. `null`: the signups that have none. */
export interface FilterValues<Value = string | null> {
  /** A signup has one of them; empty: any. */
  readonly any: readonly Value[];
  /** A signup has none of them. */
  readonly not: readonly Value[];
}

/** The word for the absence of a value. */
const NONE = 'none';

/**
 * Reads `DE,FR` (one of both), `!DE,!FR` (neither), `203.0.0.0/16,!203.0.113.0/24` (the block without a part of it) and
 * `none` (the signups without a value). A backslash before a comma, an exclamation mark, a backslash or `none` makes it a
 * part of the value. Empty values are left out.
 */
export function parseFilterValues(text: string): FilterValues {
  const any: (string | null)[] = [];
  const not: (string | null)[] = [];
  for (const [part] of text.matchAll(/(?:\\[\s\S]?|[^\\,])+/g)) {
    const isLeftOut = part.startsWith('!');
    const written = isLeftOut ? part.slice(1) : part;
    const value = written === NONE ? null : written.replace(/\\([\s\S])/g, '$1');
    if (value !== '') (isLeftOut ? not : any).push(value);
  }
  return { any, not };
}

/** The text that `parseFilterValues` reads as these values. */
export function formatFilterValues({ any, not }: FilterValues): string {
  return [...any.map(escapeValue), ...not.map((value) => `!${escapeValue(value)}`)].join(',');
}

function escapeValue(value: string | null): string {
  if (value === null) return NONE;
  const escaped = value.replace(/[\\,]/g, '\\$&');
  return value === NONE || value.startsWith('!') ? `\\${escaped}` : escaped;
}
