/** Decides how texts that outlive the process are read into memory and written behind it. */
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface StoredText {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

type Reading = StoredText | undefined | Promise<StoredText | undefined>;

/** Named texts that outlive the process. Losing one costs a question to whoever told it. */
export interface TextCache {
  /** Also when expired; `undefined` when there is none, or it cannot be read soon. Never rejects. */
  get(name: string): Reading;
  /** As it is stored, also when expired; takes its time. @throws or rejects when it cannot be read */
  read(name: string): Reading;
  /** Fire and forget. */
  set(name: string, text: string, expiresAt: number): void;
}

export interface CachedTextsOptions {
  readonly texts: TextCache;
  /** What the text of a key is stored as. */
  readonly nameOf: (key: string) => string;
  /** Values in memory at most. */
  readonly capacity: number;
  /** `soon`: a text that cannot be read soon counts as absent. `surely`: it is told from an absent one. Default `soon`. */
  readonly reads?: 'soon' | 'surely';
}

/** Values that are made of stored texts. */
export interface CachedTexts<T> {
  /** Whether the last text was read at once: then nothing need be read ahead. */
  readonly isAtHand: boolean;
  /** What memory holds. */
  get(key: string): T | undefined;
  /** Remembers a value, and writes nothing. */
  set(key: string, value: T): void;
  /**
   * Reads the text of a key, unless it is being read already: at once where texts are at hand.
   * @param onText called once with the text, `undefined` where there is none
   * @param onFailure called instead where it cannot be read
   */
  read(key: string, onText: (stored: StoredText | undefined) => void, onFailure?: () => void): void;
  /** Settles when what is being read of the key has come; `undefined` when nothing is being read. Never rejects. */
  reading(key: string): Promise<void> | undefined;
  /** The same of all keys. */
  readingAll(): Promise<void> | undefined;
  /** Writes the text of a key, a moment later. */
  write(key: string, stored: StoredText): void;
  /** Forgets what memory holds. */
  clear(): void;
}

export function createCachedTexts<T>(options: CachedTextsOptions): CachedTexts<T> {
  const { texts, nameOf, capacity, reads = 'soon' } = options;
  const memory = createTwoGenerationCache<T>(capacity);
  const readings = new Map<string, Promise<void>>();
  let isAtHand = false;

  function load(key: string): Reading {
    const name = nameOf(key);
    return reads === 'soon' ? texts.get(name) : texts.read(name);
  }

  return {
    get isAtHand() {
      return isAtHand;
    },
    get: memory.get,
    set: memory.set,
    clear: memory.clear,
    read(key, onText, onFailure = () => {}) {
      if (readings.has(key)) return;
      const stored = tryTo(() => load(key));
      isAtHand = !(stored instanceof Promise);
      if (stored === FAILED) onFailure();
      else if (!(stored instanceof Promise)) onText(stored);
      else {
        const settle = (take: () => void) => {
          readings.delete(key);
          take();
        };
        const read = stored.then(
          (text) => settle(() => onText(text)),
          () => settle(onFailure),
        );
        readings.set(key, read);
      }
    },
    reading: (key) => readings.get(key),
    readingAll: () => (readings.size === 0 ? undefined : Promise.all(readings.values()).then(() => {})),
    write: (key, { text, expiresAt }) => texts.set(nameOf(key), text, expiresAt),
  };
}

const FAILED = Symbol('failed');

function tryTo<T>(work: () => T): T | typeof FAILED {
  try {
    return work();
  } catch {
    return FAILED;
  }
}
