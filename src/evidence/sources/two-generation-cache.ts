/** A bounded cache in two generations: it drops the entries that have not been used for the longest time. */

export interface TwoGenerationCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  clear(): void;
  /** Number of entries; never above the capacity. */
  readonly size: number;
  /** Number of times that it forgot what had not been used for the longest. */
  readonly drops: number;
}

/**
 * A map of at most `capacity` entries. New and used entries are in the young generation. When it has half the capacity,
 * it becomes the old one, and the old one is dropped. A hit in the young generation writes nothing, which makes
 * it cheaper than a strict LRU; an entry survives at least `capacity / 2` newer ones. The same key again costs no look-up.
 */
export function createTwoGenerationCache<V>(capacity: number): TwoGenerationCache<V> {
  const half = Math.max(1, Math.floor(capacity / 2));
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  let lastKey: string | undefined;
  let last: V | undefined;
  let drops = 0;

  function set(key: string, value: V): void {
    if (young.size >= half && !young.has(key)) {
      old = young;
      young = new Map();
      drops += 1;
    }
    old.delete(key);
    young.set(key, value);
    lastKey = key;
    last = value;
  }

  function get(key: string): V | undefined {
    if (key === lastKey) return last;
    const value = young.get(key);
    if (value !== undefined) {
      lastKey = key;
      last = value;
      return value;
    }
    const older = old.get(key);
    if (older !== undefined) set(key, older);
    return older;
  }

  return {
    get,
    set,
    clear() {
      young.clear();
      old.clear();
      lastKey = undefined;
    },
    get size() {
      return young.size + old.size;
    },
    get drops() {
      return drops;
    },
  };
}
