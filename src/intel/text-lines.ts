/** Decides what counts as an entry in a plain text list. */

/** One entry a line; `#`, or whatever `marks` says, opens a comment; blank lines do not count. */
export function* readLines(text: string, marks = /#/): Generator<string> {
  for (const line of splitLines(text)) {
    const comment = line.search(marks);
    const entry = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (entry !== '') yield entry;
  }
}

/** Line by line, so that a file of nothing but line ends costs no more than its length. */
export function* splitLines(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    yield text.slice(at, stop);
    at = stop + 1;
  }
}

/** One AS of a list, with the name the list gives it. */
export interface AsnEntry {
  readonly asn: number;
  readonly name: string;
}

/** `AS16509 Amazon`: number, then a name. @throws on a line that is not of that form */
export function* readAsns(text: string): Generator<AsnEntry> {
  for (const line of readLines(text)) {
    const match = /^AS(\d{1,10})(?:\s+(.+))?$/i.exec(line);
    if (match === null) throw new Error(`not an AS number: ${line}`);
    yield { asn: Number(match[1]), name: match[2] ?? '' };
  }
}
