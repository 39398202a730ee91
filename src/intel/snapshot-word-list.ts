/** Decides how a set of words lies in a snapshot: sorted, one a line. */
import type { Container } from './snapshot-container.ts';

export function encodeWords(words: Iterable<string>): Uint8Array {
  return Buffer.from([...new Set(words)].sort().join('\n'), 'utf8');
}

export function openWords(container: Container<unknown>, section: string): ReadonlySet<string> {
  const text = Buffer.from(container.u8(section)).toString('utf8');
  return new Set(text.split('\n').filter((word) => word !== ''));
}
