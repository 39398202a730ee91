/** Remembers the hashes of keys that are in use: a caller sends the same key with each request. */
import { hashKey, hasKeyForm } from './api-keys.ts';

/** More keys than most installations use within a few seconds; each takes some 200 bytes. */
const CAPACITY = 1_000;
/** The hash of what cannot be a key. */
const NONE = '';

/** Returns the hash of a key's text, or an empty text if it does not have the form of a key. `isKnown`: only these are cached. */
export function createKeyHashes(isKnown: (hash: string) => boolean): (secret: string) => string {
  const hashes = new Map<string, string>();

  function remember(secret: string, hash: string): void {
    if (hashes.size >= CAPACITY) hashes.clear();
    hashes.set(secret, hash);
  }

  return (secret) => {
    const remembered = hashes.get(secret);
    if (remembered !== undefined) return remembered;
    if (!hasKeyForm(secret)) return NONE;
    const hash = hashKey(secret);
    if (isKnown(hash)) remember(secret, hash);
    return hash;
  };
}
