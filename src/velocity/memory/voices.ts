/** Decides who is behind the counts of a burst, by a walk back through the attempts that share a key. */
import { MAX_TRACED, type MailboxVoices, type VoiceCount } from '../../model/velocity-event.ts';
import {
  ADDRESS,
  BLOCKED,
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

/** The half of a network's fingerprint that its voice has. */
const VOICE = highOf(NETWORK);
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Voices, and those with an attempt that was not blocked: counted only where some attempt was. */
interface Heard {
  all: number;
  heard: number;
}

/** The record must still be that of its attempt. */
export class Voices {
  readonly #pool: RecordPool;
  readonly #keys = new SmallKeySet(MAX_TRACED);
  /** Keys with an attempt that was not blocked. */
  readonly #heard = new SmallKeySet(MAX_TRACED);
  /** Records of the latest walk, latest first. */
  readonly #traced = new Int32Array(MAX_TRACED);
  /** Whether the latest walk has found a blocked attempt. */
  #hasBlocked = false;

  constructor(pool: RecordPool) {
    this.#pool = pool;
  }

  networkMailboxes(record: number): VoiceCount {
    const mailboxes = this.#begin();
    const length = this.#trace(record, NETWORK, HOUR_MS);
    for (let at = 0; at < length; at += 1) this.#add(mailboxes, this.#traced[at] as number, MAILBOX);
    return this.#toVoiceCount(mailboxes);
  }

  domainVoices(record: number): VoiceCount {
    const voices = this.#begin();
    const length = this.#trace(record, DOMAIN, HOUR_MS);
    for (let at = 0; at < length; at += 1) {
      const other = this.#traced[at] as number;
      if (!this.#hasNetwork(other)) this.#add(voices, other, MAILBOX);
      else if (this.#isSameVoice(record, other)) this.#add(voices, other, NETWORK);
      else this.#addNetwork(voices, other);
    }
    return this.#toVoiceCount(voices);
  }

  mailboxVoices(record: number): MailboxVoices {
    const own = this.#begin();
    const [others, nowhere] = [
      { all: 0, heard: 0 },
      { all: 0, heard: 0 },
    ];
    const length = this.#trace(record, MAILBOX, DAY_MS);
    for (let at = 0; at < length; at += 1) {
      const other = this.#traced[at] as number;
      if (this.#isSameVoice(record, other)) this.#add(own, other, ADDRESS);
      else if (this.#hasNetwork(other)) this.#addNetwork(others, other);
      else {
        nowhere.all = 1;
        if (!this.#isBlocked(other)) nowhere.heard = 1;
      }
    }
    others.all += nowhere.all;
    others.heard += nowhere.heard;
    return { own: this.#toVoiceCount(own), others: this.#toVoiceCount(others) };
  }

  /**
   * Puts the record and earlier ones with the same key that are counted within the window into `#traced`. Returns how many.
   * No generator: under bursts each signup walks through some hundred records.
   */
  #trace(record: number, kind: number, windowMs: number): number {
    const pool = this.#pool;
    this.#hasBlocked = false;
    let length = 0;
    const [low, high] = [pool.get(record, lowOf(kind)), pool.get(record, highOf(kind))];
    const time = pool.get(record, TIME);
    let serial = pool.get(record, SERIAL);
    let other = record;
    for (let traced = 0; traced < MAX_TRACED; traced += 1) {
      const flags = pool.get(other, FLAGS);
      if ((flags & UNDONE) === 0) {
        this.#traced[length] = other;
        length += 1;
        if ((flags & BLOCKED) !== 0) this.#hasBlocked = true;
      }
      other = pool.get(other, previousOf(kind)) - 1;
      if (other === NONE) break;
      const before = pool.get(other, SERIAL);
      // Records are used again: the earlier one may have been forgotten, and another attempt may be in its place.
      if (before >= 0 || !isNoEarlier(serial, before) || before === serial) break;
      if (pool.get(other, lowOf(kind)) !== low || pool.get(other, highOf(kind)) !== high) break;
      if ((time - pool.get(other, TIME)) >>> 0 >= windowMs) break;
      serial = before;
    }
    return length;
  }

  #begin(): Heard {
    this.#keys.clear();
    this.#heard.clear();
    return { all: 0, heard: 0 };
  }

  #add(voices: Heard, record: number, kind: number): void {
    this.#addKey(voices, record, this.#pool.get(record, lowOf(kind)), this.#pool.get(record, highOf(kind)));
  }

  #addNetwork(voices: Heard, record: number): void {
    const voice = this.#pool.get(record, VOICE);
    this.#addKey(voices, record, voice, voice);
  }

  #addKey(voices: Heard, record: number, low: number, high: number): void {
    voices.all += this.#keys.add(low, high);
    if (this.#hasBlocked && !this.#isBlocked(record)) voices.heard += this.#heard.add(low, high);
  }

  #isBlocked(record: number): boolean {
    return (this.#pool.get(record, FLAGS) & BLOCKED) !== 0;
  }

  #hasNetwork(record: number): boolean {
    return (this.#pool.get(record, FLAGS) & WITHOUT_NETWORK) === 0;
  }

  /** A record without a network has zeros in place of one. */
  #isSameVoice(record: number, other: number): boolean {
    const isSame = this.#pool.get(record, VOICE) === this.#pool.get(other, VOICE);
    return isSame && this.#hasNetwork(record) === this.#hasNetwork(other);
  }

  #toVoiceCount({ all, heard }: Heard): VoiceCount {
    return { all, blocked: this.#hasBlocked ? all - heard : 0 };
  }
}
