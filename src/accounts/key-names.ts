/** Decides whether a key's name is in use: the valid keys of an account and mode have different names. */
import { Problem } from '../contract/problem.ts';
import type { Key } from '../store/store.ts';

/** Case, spaces and compatible forms of letters do not tell names apart. */
export function isSameKeyName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

/** @param keys of the account. @throws Problem `conflict` where a valid key of the mode has the name */
export function checkKeyName(keys: readonly Key[], { name, mode }: Pick<Key, 'name' | 'mode'>): void {
  const other = keys.find(
    (key) => key.mode === mode && key.revokedAt === null && isSameKeyName(key.name, name),
  );
  if (other === undefined) return;
  throw new Problem('conflict', 'name', {
    message: `A ${mode === 'test' ? 'sandbox' : mode} key with this name already exists: “${other.name}”, ${other.prefix}… (${other.id}).`,
    resolution: 'Use that one, or choose another name.',
  });
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}
