/** Decides how texts that outlive the process are read into memory and written in the background. */
import type { StoredText, TextCache } from '../../model/text-cache.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface CachedTextsOptions {
  readonly texts: TextCache;
  /** The name under which the text of a key is stored. */
  readonly nameOf: (key: string) => string;
  /** Values in memory at most. */
  readonly capacity: number;
  /** `soon`: a text that cannot be read soon counts as absent. `surely`: failed and absent texts are distinguished. Default `soon`. */
  readonly reads?: 'soon' | 'surely';
}

/** Values that are made of stored texts. */
export interface CachedTexts<T> {
  /** The value in memory. */
  get(key: string): T | undefined;
  /** Remembers a value, and writes nothing. */
  set(key: string, value: T): void;
  /**
   * Reads the text of a key, unless it is being read already. Resolves when that read has ended. Never rejects.
   * @param onText called once with the text, `undefined` if there is none
   * @param onFailure called instead if it cannot be read
   */
  read(key: string, onText: (stored: StoredText | undefined) => void, onFailure?: () => void): Promise<void>;
  /** Resolves when the read of the key has ended; `undefined` if there is none. Never rejects. */
  whenRead(key: string): Promise<void> | undefined;
  /** Resolves when all reads have ended. */
  whenAllRead(): Promise<unknown>;
  /** Writes the text of a key, a moment later. */
  write(key: string, stored: StoredText): void;
  /** Empties the memory. */
  clear(): void;
  /** Number of times that memory forgot the values that had not been used for the longest. */
  readonly drops: number;
}

export function createCachedTexts<T>(options: CachedTextsOptions): CachedTexts<T> {
  const { texts, nameOf, capacity, reads = 'soon' } = options;
  const memory = createTwoGenerationCache<T>(capacity);
  const readings = new Map<string, Promise<void>>();

  return {
    get: memory.get,
    set: memory.set,
    clear: memory.clear,
    read(key, onText, onFailure = () => {}) {
      const underWay = readings.get(key);
      if (underWay !== undefined) return underWay;
      const endReading = (take: () => void) => {
        readings.delete(key);
        take();
      };
      const name = nameOf(key);
      const reading = (reads === 'soon' ? texts.get(name) : texts.read(name)).then(
        (stored) => endReading(() => onText(stored)),
        () => endReading(onFailure),
      );
      readings.set(key, reading);
      return reading;
    },
    whenRead: (key) => readings.get(key),
    whenAllRead: () => Promise.all(readings.values()),
    write: (key, { text, expiresAt }) => texts.set(nameOf(key), text, expiresAt),
    get drops() {
      return memory.drops;
    },
  };
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
