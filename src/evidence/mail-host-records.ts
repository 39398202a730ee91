/** The records of mail hosts in memory: when they are read and written, and what they mean for the domains of these hosts. */
import type { StoredText, TextCache } from '../model/text-cache.ts';
import type { HostDecisions } from './mail-host-decisions.ts';
import {
  type Change,
  emptyRecord,
  HOUR_MS,
  type HostRecord,
  lastHour,
  merge,
  type Observation,
  observe,
  readRecord,
  recordName,
  withoutAccounts,
  writeRecord,
} from './mail-host-record.ts';
import { type HostVerdict, judgeHost, servesOtherListed, type Views, viewsOf } from './mail-host-verdict.ts';
import { type CachedTexts, createCachedTexts, waitAtMost } from './sources/cached-texts.ts';

export interface HostRecordsOptions {
  readonly texts: TextCache;
  readonly decisions: Pick<HostDecisions, 'generationOf'>;
  /** Min. listed domains that flag a host for every account. */
  readonly minListed: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Keys in memory at most. */
  readonly capacity: number;
}

/** The record of one key; a read replaces the record. */
interface HostEntry {
  record: HostRecord;
  /** Number of times that the record was changed or replaced. */
  version: number;
  /** Time at which it was read last. */
  readAt: number;
  /** Whether the stored record is part of it. Until then it must not replace the stored record. */
  isWhole: boolean;
  /** Accounts that had been deleted when it was last looked through for them. */
  deleted: number;
}

/** Time after which the records of other nodes are read again. */
const REREAD_MS = 60_000;
/** Max. time that an assessment waits for a stored record. */
const PATIENCE_MS = 100;
/** Time after which a written record is checked, and a failed read is tried again. */
const REST_MS = 1_000;
const CLOSE_MS = 2_000;
/** A record of some 30 KB, of which 400 domains are seen again each day by four accounts, is written four times a day. */
const AGAIN_MS = 6 * HOUR_MS;
const MAX_SEEN_AGAIN = 10_000;

/** Records by key: the hosts of one owner, or one address. Other nodes learn about the same hosts. */
export class HostRecords {
  readonly #options: HostRecordsOptions;
  readonly #texts: CachedTexts<HostEntry>;
  /** Entries that the store may lack. Memory may forget them meanwhile. */
  readonly #changed = new Map<string, HostEntry>();
  /** The store lacks only that something was seen again: a record is not written each time. */
  readonly #seenAgain = new Map<string, { readonly entry: HostEntry; readonly dueAt: number }>();
  /** Keys that are being read for the first time: assessments wait for them. */
  readonly #loading = new Map<string, Promise<void>>();
  /** Keys that were written, or could not be read, a moment ago. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  /** The counts of a record for an hour, or until it changes: counting all its domains for each signup costs too much. */
  readonly #views = new WeakMap<HostRecord, { readonly hour: number; readonly views: Views }>();
  /** Deleted accounts: their observations no longer count and are not written again. */
  readonly #deleted = new Set<string>();
  #resets = 0;
  #changes = 0;
  #closed = false;

  constructor(options: HostRecordsOptions) {
    const { texts, capacity } = options;
    this.#options = options;
    this.#texts = createCachedTexts<HostEntry>({ texts, nameOf: recordName, capacity, reads: 'surely' });
  }

  /** Takes note of a domain that the hosts or the address of `key` serve. */
  observe(key: string, observation: Observation): void {
    if (this.#deleted.has(observation.account)) return;
    const entry = this.#get(key);
    const change = observe(entry.record, observation, this.#hour());
    if (change === 'none') return;
    this.#countChange(entry);
    this.#views.delete(entry.record);
    this.#noteChange(key, entry, change);
  }

  /** Verdict on a host for an account that judges a domain. */
  verdict(key: string, account: string, domain: string): HostVerdict {
    const { minListed } = this.#options;
    const { record } = this.#get(key);
    const hour = this.#hour();
    return judgeHost(record, { account, domain, hour, minListed }, this.#viewsOf(record, hour));
  }

  /** Whether anybody saw a listed domain there besides this one. */
  servesOtherListed(key: string, domain: string): boolean {
    const { record } = this.#get(key);
    const hour = this.#hour();
    return servesOtherListed(record, domain, hour, this.#viewsOf(record, hour));
  }

  /** Basis of the answers about a key; until `until`, milliseconds since the epoch, they cannot differ without a change. */
  basisOf(key: string): { readonly entry: Pick<HostEntry, 'version'>; readonly until: number } {
    const { texts } = this.#options;
    const entry = this.#get(key);
    const nextHour = (this.#hour() + 1) * HOUR_MS;
    return { entry, until: texts.isShared ? Math.min(nextHour, entry.readAt + REREAD_MS) : nextHour };
  }

  /** Changes when memory forgets keys or is emptied, or accounts were deleted: then a basis may no longer be that of its key. */
  get epoch(): number {
    return this.#texts.drops + this.#deleted.size + this.#resets;
  }

  /** Number of times that any record was changed or replaced. */
  get changes(): number {
    return this.#changes;
  }

  removeAccount(account: string): void {
    this.#deleted.add(account);
  }

  /** Empties the memory: the stored records were changed by somebody else, and what is unwritten may bring back what was removed. */
  reset(): void {
    this.#resets += 1;
    this.#texts.clear();
    this.#changed.clear();
    this.#seenAgain.clear();
  }

  /** Settles when the key is known, or takes too long; `undefined` when it is known. Never rejects. */
  load(key: string): Promise<void> | undefined {
    const { texts, clock } = this.#options;
    const entry = this.#get(key);
    const first = this.#loading.size === 0 ? undefined : this.#loading.get(key);
    // Nobody waits for news of other nodes.
    if (first === undefined && texts.isShared && clock() - entry.readAt >= REREAD_MS) this.#read(key, entry);
    return first;
  }

  /** Writes what changed since the last time, together with what other nodes wrote. */
  flush(): void {
    this.#takeDue();
    for (const [key, entry] of this.#changed) {
      if (this.#texts.whenRead(key) !== undefined || this.#resting.has(key)) continue;
      if (!this.#options.texts.isShared && entry.isWhole) {
        this.#changed.delete(key);
        this.#write(key, entry);
      } else this.#save(key, entry);
    }
  }

  /** Writes it for the last time. A record that cannot be read soon is not replaced. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
    await waitAtMost(this.#texts.whenAllRead(), CLOSE_MS);
    this.flush();
    await waitAtMost(this.#texts.whenAllRead(), CLOSE_MS);
  }

  #hour(): number {
    return Math.floor(this.#options.clock() / HOUR_MS);
  }

  #viewsOf(record: HostRecord, hour: number): Views {
    const known = this.#views.get(record);
    if (known?.hour === hour) return known.views;
    const views = viewsOf(record, hour);
    this.#views.set(record, { hour, views });
    return views;
  }

  /** The record of a key. Starts to read the stored record if the key is not in memory. */
  #get(key: string): HostEntry {
    const known = this.#texts.get(key) ?? this.#changed.get(key) ?? this.#seenAgain.get(key)?.entry;
    const entry = known ?? this.#add(key);
    this.#forgetIfDecided(key, entry);
    this.#forgetDeleted(entry);
    return entry;
  }

  #add(key: string): HostEntry {
    const { decisions, clock } = this.#options;
    const record = emptyRecord(decisions.generationOf(key));
    const entry: HostEntry = { record, version: 0, readAt: clock(), isWhole: false, deleted: 0 };
    this.#texts.set(key, entry);
    const loaded = waitAtMost(this.#read(key, entry), PATIENCE_MS).then(() => void this.#loading.delete(key));
    this.#loading.set(key, loaded);
    return entry;
  }

  /** An operator may have forgotten it meanwhile, here or on another node. */
  #forgetIfDecided(key: string, entry: HostEntry): void {
    const generation = this.#options.decisions.generationOf(key);
    if (entry.record.generation < generation) this.#replace(entry, emptyRecord(generation));
  }

  #forgetDeleted(entry: HostEntry): void {
    if (entry.deleted === this.#deleted.size) return;
    this.#replace(entry, withoutAccounts(entry.record, this.#deleted));
    entry.deleted = this.#deleted.size;
  }

  #replace(entry: HostEntry, record: HostRecord): void {
    entry.record = record;
    this.#countChange(entry);
  }

  #countChange(entry: HostEntry): void {
    entry.version += 1;
    this.#changes += 1;
  }

  #noteChange(key: string, entry: HostEntry, change: Change): void {
    if (change === 'new') {
      this.#changed.set(key, entry);
      this.#seenAgain.delete(key);
    } else if (!this.#changed.has(key) && !this.#seenAgain.has(key)) {
      this.#seenAgain.set(key, { entry, dueAt: this.#options.clock() + AGAIN_MS });
    }
  }

  /** @param onRead called with whether the stored record lacks something of the entry */
  #read(
    key: string,
    entry: HostEntry,
    onRead: (lacks: boolean) => void = () => {},
    onFailure?: () => void,
  ): Promise<void> {
    entry.readAt = this.#options.clock();
    return this.#texts.read(key, (stored) => onRead(this.#join(key, entry, stored)), onFailure);
  }

  /** Returns whether the stored record lacks something. */
  #join(key: string, entry: HostEntry, stored: StoredText | undefined): boolean {
    entry.isWhole = true;
    this.#forgetIfDecided(key, entry);
    const { record } = entry;
    const isLive = stored !== undefined && stored.expiresAt > this.#options.clock();
    const other = isLive ? readRecord(stored.text) : undefined;
    if (other === undefined) return record.domains.size > 0;
    // In this order the text does not change if nothing is new.
    this.#replace(entry, merge(other, record));
    entry.deleted = 0;
    this.#forgetDeleted(entry);
    return writeRecord(entry.record) !== stored?.text;
  }

  #write(key: string, entry: HostEntry): void {
    this.#forgetDeleted(entry);
    const { record } = entry;
    this.#texts.write(key, { text: writeRecord(record), expiresAt: lastHour(record) * HOUR_MS });
  }

  /**
   * Reads what other nodes wrote, writes both together, and reads it again a moment later: another node that wrote at the
   * same time may have removed something. Repeats this until nothing is missing.
   */
  #save(key: string, entry: HostEntry): void {
    const rest = () => {
      if (!this.#closed) this.#rest(key);
    };
    const writeLacking = (lacks: boolean) => {
      // Memory was emptied meanwhile.
      if (this.#changed.get(key) !== entry) return;
      if (!lacks) {
        this.#changed.delete(key);
        return;
      }
      this.#write(key, entry);
      rest();
    };
    this.#read(key, entry, writeLacking, rest);
  }

  #rest(key: string): void {
    const endRest = () => {
      this.#resting.delete(key);
      this.flush();
    };
    this.#resting.set(key, setTimeout(endRest, REST_MS).unref());
  }

  #takeDue(): void {
    for (const [key, { entry, dueAt }] of this.#seenAgain) {
      if (dueAt > this.#options.clock() && this.#seenAgain.size <= MAX_SEEN_AGAIN && !this.#closed) return;
      this.#seenAgain.delete(key);
      this.#changed.set(key, entry);
    }
  }
}
