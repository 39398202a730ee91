/** Keeps the texts of sources in memory alone: for one command, a simulation or a test. */
import type { StoredText, TextCache } from '../model/text-cache.ts';

/** @param stored can be read and changed while the texts are in use; `isShared`: whether other processes write them, too */
export function createMemoryTexts(stored = new Map<string, StoredText>(), isShared = false): TextCache {
  return {
    isShared,
    get: async (name) => stored.get(name),
    read: async (name) => stored.get(name),
    set: (name, text, expiresAt) => stored.set(name, { text, expiresAt }),
  };
}
