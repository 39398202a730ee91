/** Carries any JavaScript string through a database's text type, which may refuse NUL and lone surrogates. */
import { escapeText } from '../platform/json-text.ts';

/** Ordinary text stays as it is. */
export const encodeText = escapeText;

export function decodeText(stored: string): string {
  return JSON.parse(`"${stored}"`) as string;
}
