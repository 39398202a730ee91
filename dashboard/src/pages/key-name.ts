/** The name of a key, with its first letters where another key of its mode has the same name. */
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';

type Named = Pick<KeyRow, 'id' | 'name' | 'mode' | 'prefix'>;

/** @param keys that are shown beside it */
export function keyName(key: Named, keys: readonly Named[]): string {
  const isNamesake = (other: Named) =>
    other.id !== key.id && other.mode === key.mode && folded(other.name) === folded(key.name);
  return keys.some(isNamesake) ? `${key.name} (${key.prefix}…)` : key.name;
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}
