/** Decides how texts that outlive the process are read into memory and written in the background. */
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface StoredText {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

type Reading = StoredText | undefined | Promise<StoredText | undefined>;

/** Named texts that outlive the process. If one is lost, its source is asked again. */
export interface TextCache {
  /** Also an expired text; `undefined` when there is none, or it cannot be read soon. Never rejects. */
  get(name: string): Reading;
  /** As it is stored, also an expired text; may take long. @throws or rejects when it cannot be read */
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
  /** `soon`: a text that cannot be read soon counts as absent. `surely`: failed and absent texts are distinguished. Default `soon`. */
  readonly reads?: 'soon' | 'surely';
}

/** Values that are made of stored texts. */
export interface CachedTexts<T> {
  /** Whether the last text was read at once: then no text has to be read in advance. */
  readonly isAtHand: boolean;
  /** The value in memory. */
  get(key: string): T | undefined;
  /** Remembers a value, and writes nothing. */
  set(key: string, value: T): void;
  /**
   * Reads the text of a key, unless it is being read already; synchronous if texts are at hand.
   * @param onText called once with the text, `undefined` if there is none
   * @param onFailure called instead if it cannot be read
   */
  read(key: string, onText: (stored: StoredText | undefined) => void, onFailure?: () => void): void;
  /** Settles when the read of the key has ended; `undefined` if there is none. Never rejects. */
  reading(key: string): Promise<void> | undefined;
  /** The same for all keys. */
  readingAll(): Promise<void> | undefined;
  /** Writes the text of a key, a moment later. */
  write(key: string, stored: StoredText): void;
  /** Empties the memory. */
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

/** Resolves when `work` has settled, or after so many milliseconds. Never rejects. */
export async function waitAtMost(work: Promise<unknown> | undefined, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]).catch(() => {});
  clearTimeout(timer);
}
