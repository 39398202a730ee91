/** Keeps the quoted form of the few texts that most signups share: detectors, categories, sources and their versions. */
import { quote } from '../platform/json-text.ts';

const MAX_KNOWN = 4_096;
const known = new Map<string, string>();

export function quoteOften(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const quoted = quote(text);
  known.set(text, quoted);
  return quoted;
}
