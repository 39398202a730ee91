/** A cache in memory that outlives its users. */
import type { StoredText, TextCache } from '../../src/evidence/cached-texts.ts';

/** @param stored can be read and changed while the texts are in use */
export function createMemoryTexts(stored = new Map<string, StoredText>(), isShared = false): TextCache {
  return {
    isShared,
    get: async (name) => stored.get(name),
    read: async (name) => stored.get(name),
    set: (name, text, expiresAt) => stored.set(name, { text, expiresAt }),
  };
}
