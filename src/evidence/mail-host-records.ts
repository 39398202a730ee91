/** Decides when the record of a mail host is read and written: other nodes learn about the same hosts. */
import {
  type CachedTexts,
  createCachedTexts,
  type StoredText,
  type TextCache,
  waitAtMost,
} from './cached-texts.ts';
import type { HostDecisions } from './mail-host-decisions.ts';
import {
  type Change,
  emptyRecord,
  HOUR_MS,
  type HostRecord,
  lastHour,
  merge,
  readRecord,
  recordName,
  writeRecord,
} from './mail-host-record.ts';

/** The record of one key; another one takes its place when it is read. */
export interface HostEntry {
  record: HostRecord;
  /** When it was read last. */
  readAt: number;
  /** What was kept is part of it; before that it must not be written over what was kept. */
  isWhole: boolean;
}

export interface HostRecords {
  /** What is known of a key; reads what was kept of it where that is not in memory. */
  get(key: string): HostEntry;
  /** Writes the change of an entry, a moment later. */
  noteChange(key: string, entry: HostEntry, change: Change): void;
  /** What has to be waited for until the keys are known; `undefined` when nothing has. */
  load(keys: readonly string[]): Promise<unknown> | undefined;
  /** Writes what changed since the last time, together with what other nodes wrote. */
  flush(): void;
  /** Writes it at once, for the last time; what cannot be read soon is not written over. */
  close(): Promise<void>;
}

export interface HostRecordsOptions {
  readonly texts: TextCache;
  readonly decisions: Pick<HostDecisions, 'generationOf'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Keys in memory at most. */
  readonly capacity: number;
}

/** What other nodes learned is read again after this. */
const REREAD_MS = 60_000;
/** An assessment waits no longer for what was kept. */
const PATIENCE_MS = 100;
/** After so long, whether a text is stored whole is looked up, or a read that failed is tried again. */
const REST_MS = 1_000;
const CLOSE_MS = 2_000;
/** A record of some 30 KB, of which 400 domains are seen again each day by four accounts, is written four times a day. */
const AGAIN_MS = 6 * HOUR_MS;
const MAX_SEEN_AGAIN = 10_000;

export function createHostRecords(options: HostRecordsOptions): HostRecords {
  return new SharedRecords(options);
}

class SharedRecords implements HostRecords {
  readonly #decisions: HostRecordsOptions['decisions'];
  readonly #clock: () => number;
  readonly #texts: CachedTexts<HostEntry>;
  /** Kept here until the store is known to have it, so that what memory forgets meanwhile is not lost. */
  readonly #changed = new Map<string, HostEntry>();
  /** The same, but the store lacks only that something was seen again: that is not worth writing a record each time. */
  readonly #seenAgain = new Map<string, { readonly entry: HostEntry; readonly dueAt: number }>();
  /** Keys that are being read for the first time: assessments wait for them. */
  readonly #loading = new Map<string, Promise<void>>();
  /** Keys that were written, or could not be read, a moment ago. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor({ texts, decisions, clock, capacity }: HostRecordsOptions) {
    this.#decisions = decisions;
    this.#clock = clock;
    this.#texts = createCachedTexts<HostEntry>({ texts, nameOf: recordName, capacity, reads: 'surely' });
  }

  get(key: string): HostEntry {
    const known = this.#texts.get(key) ?? this.#changed.get(key) ?? this.#seenAgain.get(key)?.entry;
    const entry = known ?? this.#add(key);
    this.#forgetIfDecided(key, entry);
    return entry;
  }

  noteChange(key: string, entry: HostEntry, change: Change): void {
    if (change === 'new') {
      this.#changed.set(key, entry);
      this.#seenAgain.delete(key);
    } else if (change === 'again' && !this.#changed.has(key) && !this.#seenAgain.has(key)) {
      this.#seenAgain.set(key, { entry, dueAt: this.#clock() + AGAIN_MS });
    }
  }

  load(keys: readonly string[]): Promise<unknown> | undefined {
    if (this.#texts.isAtHand) return undefined;
    const awaited: Promise<unknown>[] = [];
    for (const key of keys) {
      const entry = this.get(key);
      const first = this.#loading.get(key);
      if (first !== undefined) awaited.push(first);
      // Nobody waits for news of other nodes.
      else if (this.#clock() - entry.readAt >= REREAD_MS) this.#read(key, entry);
    }
    return awaited.length === 0 ? undefined : Promise.all(awaited);
  }

  flush(): void {
    this.#takeDue();
    for (const [key, entry] of this.#changed) {
      if (this.#texts.reading(key) !== undefined || this.#resting.has(key)) continue;
      if (this.#texts.isAtHand && entry.isWhole) {
        this.#changed.delete(key);
        this.#write(key, entry);
      } else this.#save(key, entry);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
    const reading = this.#texts.readingAll();
    if (reading !== undefined) await waitAtMost(reading, CLOSE_MS);
    this.flush();
    await waitAtMost(this.#texts.readingAll(), CLOSE_MS);
  }

  #add(key: string): HostEntry {
    const record = emptyRecord(this.#decisions.generationOf(key));
    const entry: HostEntry = { record, readAt: this.#clock(), isWhole: false };
    this.#texts.set(key, entry);
    this.#read(key, entry);
    const first = this.#texts.reading(key);
    if (first !== undefined) {
      const loaded = waitAtMost(first, PATIENCE_MS).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loaded);
    }
    return entry;
  }

  /** An operator may have forgotten it meanwhile, here or on another node. */
  #forgetIfDecided(key: string, entry: HostEntry): void {
    const generation = this.#decisions.generationOf(key);
    if (entry.record.generation < generation) entry.record = emptyRecord(generation);
  }

  /** @param onRead called with whether the store lacks something of the entry */
  #read(key: string, entry: HostEntry, onRead?: (lacks: boolean) => void, onFailure?: () => void): void {
    entry.readAt = this.#clock();
    this.#texts.read(
      key,
      (stored) => {
        const lacks = this.#join(key, entry, stored);
        onRead?.(lacks);
      },
      onFailure,
    );
  }

  /** Returns whether what was kept lacks something. */
  #join(key: string, entry: HostEntry, stored: StoredText | undefined): boolean {
    entry.isWhole = true;
    this.#forgetIfDecided(key, entry);
    const { record } = entry;
    const isLive = stored !== undefined && stored.expiresAt > this.#clock();
    const other = isLive ? readRecord(stored.text) : undefined;
    if (other === undefined) return record.domains.size > 0;
    // In this order the text stays the same where nothing is new.
    entry.record = merge(other, record);
    return writeRecord(entry.record) !== stored?.text;
  }

  #write(key: string, { record }: HostEntry): void {
    this.#texts.write(key, { text: writeRecord(record), expiresAt: lastHour(record) * HOUR_MS });
  }

  /**
   * Reads what other nodes wrote, writes both together, and looks a moment later whether another that wrote at the same
   * time took it away. Until nothing is missing.
   */
  #save(key: string, entry: HostEntry): void {
    const rest = () => {
      if (!this.#closed) this.#rest(key);
    };
    const settle = (lacks: boolean) => {
      if (!lacks) {
        this.#changed.delete(key);
        return;
      }
      this.#write(key, entry);
      rest();
    };
    this.#read(key, entry, settle, rest);
  }

  #rest(key: string): void {
    const over = () => {
      this.#resting.delete(key);
      this.flush();
    };
    this.#resting.set(key, setTimeout(over, REST_MS).unref());
  }

  #takeDue(): void {
    for (const [key, { entry, dueAt }] of this.#seenAgain) {
      if (dueAt > this.#clock() && this.#seenAgain.size <= MAX_SEEN_AGAIN && !this.#closed) return;
      this.#seenAgain.delete(key);
      this.#changed.set(key, entry);
    }
  }
}
