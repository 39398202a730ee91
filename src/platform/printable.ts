/** Decides how text from strangers (a file, a name, an answer of a server) looks on a terminal: it may not control it, nor change the order in which it is read. */

/**
 * Controls (C0 with the escape character, DEL, C1), separators of lines and paragraphs, marks that change the direction of
 * text, interlinear and tag characters, and halves of a pair. Line ends and tabs are for `printable` to say.
 */
const CONTROLS =
  /(?![\t\n])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;

/** Line ends and tabs stay. Control characters are written as an escape of JSON (`\u001b`), so JSON keeps its meaning. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escapeOf);
}

/** Printable text in one line: line ends and tabs are escapes as well. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\t\n]/g, escapeOf);
}

function escapeOf(character: string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at += 1)
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
