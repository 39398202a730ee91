/** Finds the known name that a mistyped one is most similar to. */

/** `undefined` when less than half of it is the same. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, edits: editsBetween(name, each) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= best.each.length / 2 ? best.each : undefined;
}

/** Levenshtein's distance. */
function editsBetween(text: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...text].entries()) {
    const next = [i + 1];
    for (const [j, against] of [...other].entries()) {
      const replaced = (row[j] as number) + (letter === against ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
