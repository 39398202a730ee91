/** Decides the counts of an account's keys, as attempts enter and leave the hour and the day. */
import {
  type AttemptColumns,
  endOfVoice,
  KEY_BOUNDS,
  MARKS,
  type VelocityCounts,
  type VelocityEvent,
  voiceOf,
} from '../../model/velocity-event.ts';
import {
  ADDRESS,
  BLOCKED,
  countsOf,
  DOMAIN,
  FLAGS,
  highOf,
  KINDS,
  lowOf,
  MAILBOX,
  NAMED,
  NETWORK,
  previousOf,
  WITHOUT_NETWORK,
} from './attempt-record.ts';
import { KeyCounts } from './key-counts.ts';
import { KeyIndex } from './key-index.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { NONE, type RecordPool } from './record-pool.ts';
import { roomFor, StoredKeys } from './stored-keys.ts';

/**
 * Networks count attempts. Domains and mailboxes count addresses: an address counts its own attempts,
 * enters its domain and mailbox with its first one, and leaves them with its last.
 *
 * The counts of a key are in the record of the latest attempt with it, which leaves last. Every other attempt finds them
 * by the fingerprint: nothing else is stored of a key.
 */
export class DistinctCounts {
  readonly #pool: RecordPool;
  readonly #hash: KeyedHash;
  readonly #counts = new KeyCounts();
  readonly #indexes: readonly KeyIndex[];
  // biome-ignore lint/correctness/noUnusedPrivateClassMembers: else the compiler leaves out what it is made from
  #touched = 0;

  /** @param maxRecords above every record of the pool */
  constructor(pool: RecordPool, hash: KeyedHash, maxRecords: number) {
    this.#pool = pool;
    this.#hash = hash;
    this.#indexes = Array.from({ length: KINDS }, (_, kind) => new KeyIndex(pool, kind, maxRecords));
  }

  get bytes(): number {
    return this.#indexes.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Keys moved within the tables since the start. */
  get moves(): number {
    return this.#indexes.reduce((sum, { moves }) => sum + moves, 0);
  }

  /** Counts the attempt of a new record within the hour and the day. @param account the number that its keys are hashed with */
  enter(record: number, account: number, attempt: VelocityEvent): void {
    this.note(record, account, attempt);
    // The places that the searches below read are far apart in memory: here the processor fetches them side by side.
    this.#touched =
      this.#touch(record, NETWORK) ^
      this.#touch(record, ADDRESS) ^
      this.#touch(record, DOMAIN) ^
      this.#touch(record, MAILBOX);
    if (this.#hasNetwork(record)) {
      this.#hold(record, NETWORK);
      this.#change(record, NETWORK, 1, 1);
    }
    const before = this.#hold(record, ADDRESS);
    if (before !== NONE) {
      // It leaves the domain and the mailbox that it entered.
      this.#copy(before, DOMAIN, record, DOMAIN);
      this.#copy(before, MAILBOX, record, MAILBOX);
    }
    const isNew = before === NONE ? 1 : 0;
    const isNewInHour = this.#hour(record, ADDRESS) === 0 ? 1 : 0;
    this.#change(record, ADDRESS, 1, 1);
    this.#hold(record, DOMAIN);
    this.#change(record, DOMAIN, isNewInHour, isNew);
    this.#hold(record, MAILBOX);
    this.#change(record, MAILBOX, 0, isNew);
  }

  /** Writes the keys of an attempt into its record, and its flags. */
  note(record: number, account: number, event: VelocityEvent): void {
    const { network, addressHash, domain, mailbox, blocked, named } = event;
    this.#setFlags(record, network !== null, blocked === true, named === true);
    if (network !== null) this.#printNetwork(record, account, network);
    this.#print(record, ADDRESS, account, addressHash);
    this.#print(record, DOMAIN, account, domain);
    if (mailbox === addressHash) this.#copy(record, ADDRESS, record, MAILBOX);
    else this.#print(record, MAILBOX, account, mailbox);
  }

  /** Notes an attempt as `note` does: one of `AttemptColumns`. */
  noteColumns(record: number, account: number, { bytes, keys, marks }: AttemptColumns, index: number): void {
    const bound = index * KEY_BOUNDS;
    const hasNetwork = keys[bound] !== keys[bound + 1];
    const mark = marks[index] as number;
    this.#setFlags(record, hasNetwork, (mark & MARKS.blocked) !== 0, (mark & MARKS.named) !== 0);
    if (hasNetwork)
      this.#printNetworkBytes(record, account, bytes, keys[bound] as number, keys[bound + 1] as number);
    this.#printBytes(record, DOMAIN, account, bytes, keys, bound + 2);
    this.#printBytes(record, ADDRESS, account, bytes, keys, bound + 4);
    if (keys[bound + 4] === keys[bound + 6]) this.#copy(record, ADDRESS, record, MAILBOX);
    else this.#printBytes(record, MAILBOX, account, bytes, keys, bound + 6);
  }

  /** Writes what an attempt adds to the counts of its keys if it shares none of them, as the first step of `enterAll`. */
  contribute(record: number, isWithinHour: boolean): void {
    const counts = this.#counts.contribution(isWithinHour ? 1 : 0, 1);
    if (this.#hasNetwork(record)) this.#pool.set(record, countsOf(NETWORK), counts);
    this.#pool.set(record, countsOf(ADDRESS), counts);
    this.#pool.set(record, countsOf(DOMAIN), counts);
    this.#pool.set(record, countsOf(MAILBOX), this.#counts.contribution(0, 1));
  }

  /**
   * Counts attempts that `note` and `contribute` have prepared, where nothing was counted before: the same as `enter` for
   * each of them and `leaveHour` for those that are not within the hour. Each step takes a few milliseconds.
   * @param records in order
   */
  *enterAll(records: Int32Array): Generator<undefined, void> {
    const index = (kind: number) => this.#indexes[kind] as KeyIndex;
    // One for all kinds: after a start it may take long until garbage is collected.
    const room = new Int32Array(roomFor(records.length));
    const [pool, counts] = [this.#pool, this.#counts];
    const stored = { pool, counts, records, room };
    const onRepeated = (before: number, record: number) => {
      this.#copy(before, DOMAIN, record, DOMAIN);
      this.#copy(before, MAILBOX, record, MAILBOX);
      const isNewInHour = this.#hour(before, ADDRESS) === 0 ? this.#hour(record, ADDRESS) : 0;
      pool.set(record, countsOf(DOMAIN), counts.contribution(isNewInHour, 0));
      pool.set(record, countsOf(MAILBOX), 0);
    };
    yield* index(ADDRESS).fill(new StoredKeys({ ...stored, kind: ADDRESS, onRepeated }));
    for (const kind of [DOMAIN, MAILBOX]) yield* index(kind).fill(new StoredKeys({ ...stored, kind }));
    const networks = { ...stored, kind: NETWORK, records: this.#withNetwork(records) };
    yield* index(NETWORK).fill(new StoredKeys(networks));
  }

  #withNetwork(records: Int32Array): Int32Array {
    if (records.every((record) => this.#hasNetwork(record))) return records;
    const found = new Int32Array(records.length);
    let count = 0;
    for (const record of records) {
      if (!this.#hasNetwork(record)) continue;
      found[count] = record;
      count += 1;
    }
    return found.subarray(0, count);
  }

  leaveHour(record: number): void {
    if (this.#hasNetwork(record)) this.#leave(record, NETWORK, -1, 0);
    const address = this.#leave(record, ADDRESS, -1, 0);
    if (address !== NONE && this.#hour(address, ADDRESS) === 0) this.#leave(record, DOMAIN, -1, 0);
  }

  /** Call after `leaveHour`, unless the whole account was cleared. */
  leaveDay(record: number): void {
    if (this.#hasNetwork(record)) this.#leave(record, NETWORK, 0, -1);
    if (this.#leave(record, ADDRESS, 0, -1) !== NONE) return;
    this.#leave(record, DOMAIN, 0, -1);
    this.#leave(record, MAILBOX, 0, -1);
  }

  /** The counts of an attempt that has just entered: it holds those of all its keys. One literal: all have the same shape. */
  countsOf(record: number, partial: boolean): VelocityCounts {
    const hasNetwork = this.#hasNetwork(record);
    return {
      network1h: hasNetwork ? this.#hour(record, NETWORK) : 0,
      network24h: hasNetwork ? this.#day(record, NETWORK) : 0,
      domain1h: this.#hour(record, DOMAIN),
      domain24h: this.#day(record, DOMAIN),
      mailbox24h: this.#day(record, MAILBOX),
      partial,
    };
  }

  /** Addresses of a mailbox within the day. @param account the number that its keys are hashed with */
  addressesOf(account: number, mailbox: string): number {
    this.#hash.digest(account, mailbox);
    const holder = (this.#indexes[MAILBOX] as KeyIndex).find(this.#hash.low, this.#hash.high);
    return holder === NONE ? 0 : this.#day(holder, MAILBOX);
  }

  /** A new record has none. */
  #setFlags(record: number, hasNetwork: boolean, isBlocked: boolean, isNamed: boolean): void {
    const flags = (hasNetwork ? 0 : WITHOUT_NETWORK) | (isBlocked ? BLOCKED : 0) | (isNamed ? NAMED : 0);
    if (flags !== 0) this.#pool.set(record, FLAGS, flags);
  }

  #hasNetwork(record: number): boolean {
    return (this.#pool.get(record, FLAGS) & WITHOUT_NETWORK) === 0;
  }

  /**
   * One half of an IPv6 network's fingerprint is that of its voice, which so needs no place of its own. Networks of one voice
   * differ in the other half: two of its 65,536 may have the same, and are then counted as one.
   */
  #printNetwork(record: number, account: number, network: string): void {
    this.#print(record, NETWORK, account, network);
    const voice = voiceOf(network);
    if (voice === network) return;
    this.#hash.digest(account, voice);
    this.#pool.set(record, highOf(NETWORK), this.#hash.high);
  }

  #printNetworkBytes(record: number, account: number, bytes: Uint8Array, start: number, end: number): void {
    this.#hash.digestBytes(account, bytes, start, end);
    this.#pool.set(record, lowOf(NETWORK), this.#hash.low);
    const voiceEnd = endOfVoice(bytes, start, end);
    if (voiceEnd !== end) this.#hash.digestBytes(account, bytes, start, voiceEnd);
    this.#pool.set(record, highOf(NETWORK), this.#hash.high);
  }

  #print(record: number, kind: number, account: number, text: string): void {
    this.#hash.digest(account, text);
    this.#pool.set(record, lowOf(kind), this.#hash.low);
    this.#pool.set(record, highOf(kind), this.#hash.high);
  }

  #printBytes(
    record: number,
    kind: number,
    account: number,
    bytes: Uint8Array,
    keys: Uint32Array,
    bound: number,
  ): void {
    this.#hash.digestBytes(account, bytes, keys[bound] as number, keys[bound + 1] as number);
    this.#pool.set(record, lowOf(kind), this.#hash.low);
    this.#pool.set(record, highOf(kind), this.#hash.high);
  }

  #copy(from: number, fromKind: number, to: number, toKind: number): void {
    this.#pool.set(to, lowOf(toKind), this.#pool.get(from, lowOf(fromKind)));
    this.#pool.set(to, highOf(toKind), this.#pool.get(from, highOf(fromKind)));
  }

  #touch(record: number, kind: number): number {
    return (this.#indexes[kind] as KeyIndex).touch(this.#pool.get(record, lowOf(kind)));
  }

  #find(record: number, kind: number): number {
    const index = this.#indexes[kind] as KeyIndex;
    return index.find(this.#pool.get(record, lowOf(kind)), this.#pool.get(record, highOf(kind)));
  }

  /** Makes the record the holder of the counts of its key. Returns the one that did, `NONE` for a new key. */
  #hold(record: number, kind: number): number {
    const index = this.#indexes[kind] as KeyIndex;
    const before = this.#find(record, kind);
    if (before === NONE) {
      index.add(record);
      return NONE;
    }
    this.#pool.set(record, countsOf(kind), this.#pool.get(before, countsOf(kind)));
    if (kind !== ADDRESS) this.#pool.set(record, previousOf(kind), before + 1);
    index.moveTo(record);
    return before;
  }

  /** Returns the record that holds the counts; `NONE` when nothing is counted any more, so that the key was removed. */
  #leave(record: number, kind: number, hour: number, day: number): number {
    const holder = this.#find(record, kind);
    // Only after two accounts had keys with the same fingerprint.
    if (holder === NONE) return NONE;
    this.#change(holder, kind, hour, day);
    if (this.#day(holder, kind) > 0) return holder;
    (this.#indexes[kind] as KeyIndex).remove();
    return NONE;
  }

  #change(holder: number, kind: number, hour: number, day: number): void {
    const counts = this.#pool.get(holder, countsOf(kind));
    this.#pool.set(holder, countsOf(kind), this.#counts.changed(counts, hour, day));
  }

  #hour(holder: number, kind: number): number {
    return this.#counts.hour(this.#pool.get(holder, countsOf(kind)));
  }

  #day(holder: number, kind: number): number {
    return this.#counts.day(this.#pool.get(holder, countsOf(kind)));
  }
}
