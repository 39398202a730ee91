/** Counts the rows that could not be used by their problem, and remembers the first lines of each. */

/** Rows that could not be used, for one reason. */
export interface UnusedRows {
  readonly problem: string;
  readonly count: number;
  /** Line and value of the first of them. `value`: the text that was not understood, unless it is personal. */
  readonly first: readonly { readonly line: number; readonly value: string | null }[];
}

const FIRST_LINES = 3;
const MAX_VALUE_CHARACTERS = 40;

export function createUnusedRows() {
  const rows = new Map<string, { count: number; readonly first: { line: number; value: string | null }[] }>();
  return {
    add(problem: string, line: number, value: string | null): void {
      const known = rows.get(problem);
      const row = known ?? { count: 0, first: [] };
      if (known === undefined) rows.set(problem, row);
      row.count += 1;
      const shown = value === null ? null : value.slice(0, MAX_VALUE_CHARACTERS);
      if (row.first.length < FIRST_LINES) row.first.push({ line, value: shown });
    },
    list: (): UnusedRows[] =>
      [...rows].map(([problem, row]) => ({ problem, ...row })).sort((a, b) => b.count - a.count),
  };
}
