/** Decides who is behind the counts of a burst, by a walk back through the attempts that share a key. */
import { MAX_TRACED, type MailboxVoices } from '../../model/velocity-event.ts';
import {
  ADDRESS,
  DOMAIN,
  FLAGS,
  highOf,
  lowOf,
  MAILBOX,
  NETWORK,
  previousOf,
  SERIAL,
  TIME,
  UNDONE,
  WITHOUT_NETWORK,
} from './attempt-record.ts';
import { NONE, type RecordPool } from './record-pool.ts';
import { isNoEarlier } from './serial.ts';
import { SmallKeySet } from './small-key-set.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The record must still be that of its attempt. */
export class Voices {
  readonly #pool: RecordPool;
  readonly #keys = new SmallKeySet(MAX_TRACED);

  constructor(pool: RecordPool) {
    this.#pool = pool;
  }

  networkMailboxes(record: number): number {
    let mailboxes = 0;
    this.#keys.clear();
    for (const other of this.#trace(record, NETWORK, HOUR_MS)) mailboxes += this.#add(other, MAILBOX);
    return mailboxes;
  }

  domainVoices(record: number): number {
    let voices = 0;
    this.#keys.clear();
    for (const other of this.#trace(record, DOMAIN, HOUR_MS))
      voices += this.#add(other, this.#hasNetwork(other) ? NETWORK : MAILBOX);
    return voices;
  }

  mailboxVoices(record: number): MailboxVoices {
    let [own, others, hasNowhere] = [0, 0, 0];
    this.#keys.clear();
    for (const other of this.#trace(record, MAILBOX, DAY_MS)) {
      if (this.#isSameNetwork(record, other)) own += this.#add(other, ADDRESS);
      else if (this.#hasNetwork(other)) others += this.#add(other, NETWORK);
      else hasNowhere = 1;
    }
    return { own, others: others + hasNowhere };
  }

  /** The record and earlier ones with the same key that are counted within the window, latest first. */
  *#trace(record: number, kind: number, windowMs: number): Generator<number, void> {
    const pool = this.#pool;
    const [low, high] = [pool.get(record, lowOf(kind)), pool.get(record, highOf(kind))];
    const time = pool.get(record, TIME);
    let serial = pool.get(record, SERIAL);
    let other = record;
    for (let traced = 0; traced < MAX_TRACED; traced += 1) {
      if ((pool.get(other, FLAGS) & UNDONE) === 0) yield other;
      other = pool.get(other, previousOf(kind)) - 1;
      if (other === NONE) return;
      const before = pool.get(other, SERIAL);
      // Records are used again: the earlier one may have been forgotten, and another attempt may be in its place.
      if (before >= 0 || !isNoEarlier(serial, before) || before === serial) return;
      if (pool.get(other, lowOf(kind)) !== low || pool.get(other, highOf(kind)) !== high) return;
      if ((time - pool.get(other, TIME)) >>> 0 >= windowMs) return;
      serial = before;
    }
  }

  #add(record: number, kind: number): 0 | 1 {
    const pool = this.#pool;
    return this.#keys.add(pool.get(record, lowOf(kind)), pool.get(record, highOf(kind)));
  }

  #hasNetwork(record: number): boolean {
    return (this.#pool.get(record, FLAGS) & WITHOUT_NETWORK) === 0;
  }

  /** A record without a network has zeros in place of one. */
  #isSameNetwork(record: number, other: number): boolean {
    return (
      this.#hasNetwork(record) === this.#hasNetwork(other) &&
      this.#isSame(record, other, lowOf(NETWORK)) &&
      this.#isSame(record, other, highOf(NETWORK))
    );
  }

  #isSame(record: number, other: number, word: number): boolean {
    return this.#pool.get(record, word) === this.#pool.get(other, word);
  }
}
