/** Reads the rows of a CSV file, apart from the code that writes it. */

/** RFC 4180. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (quoted && letter === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === ',' || letter === '\r')) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (letter === '\r') {
        rows.push([]);
        at += 1;
      }
    } else cell += letter;
  }
  return rows.slice(0, -1);
}
