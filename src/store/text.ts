/** Carries any JavaScript string through a database's text type, which may refuse NUL and lone surrogates. */

/** What JSON escapes: control characters, quotes, backslashes, and surrogates without their other half. */
const MAY_BE_ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Escapes as JSON does, without the quotes: ordinary text stays as it is. */
export function encodeText(text: string): string {
  return MAY_BE_ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

export function decodeText(stored: string): string {
  return JSON.parse(`"${stored}"`) as string;
}
