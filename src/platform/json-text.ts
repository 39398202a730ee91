/** Writes texts as JSON does: most need no escapes. */

/** Characters that are not ordinary: control characters, quotes, backslashes and surrogates. */
const SPECIAL = /[^ -!#-[\]-\ud7ff\ue000-\uffff]/;

export function quote(text: string): string {
  return `"${escapeText(text)}"`;
}

/** Escapes a text for its place between quotes: control characters, quotes, backslashes and surrogates without their other half. */
export function escapeText(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}
