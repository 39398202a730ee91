/** Writes texts as JSON does: most need no escapes, and many are the same as before. */
/** All but ordinary characters: control characters, quotes, backslashes and surrogates. */
const SPECIAL = /[^ -!#-[\]-\ud7ff\ue000-\uffff]/;

export function quote(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const MAX_KNOWN = 4_096;
const known = new Map<string, string>();

/** For values that many signups share: sources, detectors, mail hosts, countries. */
export function quoteOften(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const quoted = quote(text);
  known.set(text, quoted);
  return quoted;
}
