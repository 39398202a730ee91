/** Decides which names exist in no public DNS by definition. Any other name may: only DNS's own denial says that it does not. */
import { readFileSync } from 'node:fs';
import { topLevel } from './domain.ts';

const LINES = readFileSync(new URL('./reserved-names.txt', import.meta.url), 'utf8').split('\n');
const RESERVED = new Set(LINES.map((line) => line.replace(/#.*/, '').trim()).filter((name) => name !== ''));
const ENDINGS = new Set([...RESERVED].map(topLevel));

/** Whether a name (ASCII, lower-case) is reserved, or below a reserved one. */
export function isReservedName(name: string): boolean {
  const ending = topLevel(name);
  if (!ENDINGS.has(ending)) return false;
  for (let at = 0; at >= 0; ) {
    if (RESERVED.has(name.slice(at))) return true;
    const dot = name.indexOf('.', at);
    at = dot < 0 ? -1 : dot + 1;
  }
  return false;
}
