/** Decides how well a name answers a text that was typed. */

/** 3: it is the text; 2: it begins with it; 1: one of its words does; 0: none. */
export type NameMatch = 0 | 1 | 2 | 3;

/** Max. characters of a text that is compared with names: longer ones are no names, and some letters fold to eighteen. */
const MAX_TEXT = 300;
const ASCII = /^[\0-\x7f]*$/;

/**
 * Compares without case and accents. The text is folded once: it is compared with the names of thousands of domains.
 * @param text not empty
 * @returns the best match of several names
 */
export function createMatchNames(text: string): (names: readonly string[]) => NameMatch {
  if (text.length > MAX_TEXT) return () => 0;
  const wanted = fold(text);
  return (names) => Math.max(0, ...names.map((name) => matchFolded(fold(name), wanted))) as NameMatch;
}

function matchFolded(name: string, wanted: string): NameMatch {
  if (name === wanted) return 3;
  if (name.startsWith(wanted)) return 2;
  for (let at = name.indexOf(wanted, 1); at > 0; at = name.indexOf(wanted, at + 1))
    if (!/[\p{L}\p{N}]/u.test(name[at - 1] as string)) return 1;
  return 0;
}

function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
