/** Carries any JavaScript string through a database's text type, which may refuse NUL and lone surrogates. */

/** Escapes as JSON does, without the quotes: ordinary text stays as it is. */
export function encodeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function decodeText(stored: string): string {
  return JSON.parse(`"${stored}"`) as string;
}
