/** Decides who is behind the counts of a burst, by a walk back through the attempts that share a key. */
import { type Crowd, MAX_TRACED, type MailboxVoices, type VoiceCount } from '../../model/velocity-event.ts';
import {
  ADDRESS,
  BLOCKED,
  DOMAIN,
  FLAGS,
  highOf,
  KINDS,
  lowOf,
  MAILBOX,
  NAMED,
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
import { type Trail, Trails, VOICE } from './trail.ts';

const LINKED = [DOMAIN, MAILBOX, NETWORK];
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Voices; those with an attempt that was not blocked, counted only where some attempt was; and those whose latest such attempt has a name. */
interface Heard {
  all: number;
  heard: number;
  named: number;
}

/** The record must still be that of its attempt. */
export class Voices {
  readonly #pool: RecordPool;
  readonly #keys = new SmallKeySet(MAX_TRACED);
  /** Keys with an attempt that was not blocked. */
  readonly #heard = new SmallKeySet(MAX_TRACED);
  readonly #trails = Array.from({ length: KINDS }, () => new Trails());
  /** Attempts of the latest walk, latest first: their records, flags and voices. */
  readonly #traced = new Int32Array(MAX_TRACED);
  readonly #flags = new Int32Array(MAX_TRACED);
  readonly #voices = new Int32Array(MAX_TRACED);
  /** Whether the latest walk has found a blocked attempt. */
  #hasBlocked = false;

  constructor(pool: RecordPool) {
    this.#pool = pool;
  }

  networkMailboxes(record: number): Crowd {
    const mailboxes = this.#begin();
    const length = this.#trace(record, NETWORK, HOUR_MS);
    let ofDomain = 0;
    for (let at = 0; at < length; at += 1)
      if (this.#add(mailboxes, at, MAILBOX) === 1 && this.#isOfDomain(record, at)) ofDomain += 1;
    const { all, blocked } = this.#toVoiceCount(mailboxes);
    return { all, blocked, named: mailboxes.named, ofDomain };
  }

  domainVoices(record: number): Crowd {
    const voices = this.#begin();
    const length = this.#trace(record, DOMAIN, HOUR_MS);
    for (let at = 0; at < length; at += 1) {
      if (!this.#hasNetwork(at)) this.#add(voices, at, MAILBOX);
      else if (this.#isOwnVoice(record, at)) this.#add(voices, at, NETWORK);
      else this.#addNetwork(voices, at);
    }
    const { all, blocked } = this.#toVoiceCount(voices);
    return { all, blocked, named: voices.named, ofDomain: all - blocked };
  }

  mailboxVoices(record: number): MailboxVoices {
    const own = this.#begin();
    const [others, nowhere] = [
      { all: 0, heard: 0, named: 0 },
      { all: 0, heard: 0 },
    ];
    const length = this.#trace(record, MAILBOX, DAY_MS);
    for (let at = 0; at < length; at += 1) {
      if (this.#isOwnVoice(record, at)) this.#add(own, at, ADDRESS);
      else if (this.#hasNetwork(at)) this.#addNetwork(others, at);
      else {
        nowhere.all = 1;
        if (!this.#isBlocked(at)) nowhere.heard = 1;
      }
    }
    others.all += nowhere.all;
    others.heard += nowhere.heard;
    return { own: this.#toVoiceCount(own), others: this.#toVoiceCount(others) };
  }

  /** Call before the record is given back, and after those of all attempts before it. */
  leave(record: number): void {
    for (const kind of LINKED) this.#trailOf(record, kind)?.leave(record);
  }

  /** Call when the flags of the record have changed. */
  setFlags(record: number): void {
    const flags = this.#pool.get(record, FLAGS);
    for (const kind of LINKED) this.#trailOf(record, kind)?.setFlags(record, flags);
  }

  #trailOf(record: number, kind: number): Trail | undefined {
    return (this.#trails[kind] as Trails).find(this.#pool.get(record, lowOf(kind)));
  }

  /** Takes up the record and earlier ones with the same key that are counted within the window. Returns how many. */
  #trace(record: number, kind: number, windowMs: number): number {
    const trail = this.#follow(record, kind, windowMs);
    const time = this.#pool.get(record, TIME);
    this.#hasBlocked = false;
    let length = 0;
    for (let back = 0; back < trail.length; back += 1) {
      const place = trail.placeOf(back);
      if ((time - (trail.times[place] as number)) >>> 0 >= windowMs) break;
      const flags = trail.flags[place] as number;
      if ((flags & UNDONE) !== 0) continue;
      this.#traced[length] = trail.records[place] as number;
      this.#flags[length] = flags;
      this.#voices[length] = trail.voices[place] as number;
      length += 1;
      if ((flags & BLOCKED) !== 0) this.#hasBlocked = true;
    }
    return length;
  }

  /** The trail of the record's key up to the record: a walk back to where the trail ends, or through all its attempts within the window. */
  #follow(record: number, kind: number, windowMs: number): Trail {
    const pool = this.#pool;
    const trail = (this.#trails[kind] as Trails).open(pool.get(record, lowOf(kind)));
    let other = record;
    let fresh = 0;
    while (fresh < MAX_TRACED && !trail.endsWith(other, pool.get(other, SERIAL))) {
      this.#traced[fresh] = other;
      fresh += 1;
      other = this.#previous(other, kind);
      if (other === NONE || (pool.get(record, TIME) - pool.get(other, TIME)) >>> 0 >= windowMs) {
        trail.clear();
        break;
      }
    }
    for (let at = fresh - 1; at >= 0; at -= 1) trail.push(pool, this.#traced[at] as number);
    return trail;
  }

  /** The record of the attempt before with the same key, or `NONE`. */
  #previous(record: number, kind: number): number {
    const pool = this.#pool;
    const other = pool.get(record, previousOf(kind)) - 1;
    if (other === NONE) return NONE;
    const [serial, before] = [pool.get(record, SERIAL), pool.get(other, SERIAL)];
    // Records are used again: the earlier one may have been forgotten, and another attempt may be in its place.
    if (before >= 0 || !isNoEarlier(serial, before) || before === serial) return NONE;
    const isSame =
      pool.get(other, lowOf(kind)) === pool.get(record, lowOf(kind)) &&
      pool.get(other, highOf(kind)) === pool.get(record, highOf(kind));
    return isSame ? other : NONE;
  }

  #begin(): Heard {
    this.#keys.clear();
    this.#heard.clear();
    return { all: 0, heard: 0, named: 0 };
  }

  /** @param at place in the latest walk, as below. Returns what `#addKey` does. */
  #add(voices: Heard, at: number, kind: number): 0 | 1 {
    const record = this.#traced[at] as number;
    return this.#addKey(
      voices,
      at,
      this.#pool.get(record, lowOf(kind)),
      this.#pool.get(record, highOf(kind)),
    );
  }

  #addNetwork(voices: Heard, at: number): void {
    const voice = this.#voices[at] as number;
    this.#addKey(voices, at, voice, voice);
  }

  /** Returns 1 for the latest attempt of a voice that was not blocked. */
  #addKey(voices: Heard, at: number, low: number, high: number): 0 | 1 {
    let isLatest = this.#keys.add(low, high);
    voices.all += isLatest;
    if (this.#hasBlocked) {
      isLatest = this.#isBlocked(at) ? 0 : this.#heard.add(low, high);
      voices.heard += isLatest;
    }
    if (isLatest === 1 && ((this.#flags[at] as number) & NAMED) !== 0) voices.named += 1;
    return isLatest;
  }

  #isOfDomain(record: number, at: number): boolean {
    const [pool, other] = [this.#pool, this.#traced[at] as number];
    return (
      pool.get(other, lowOf(DOMAIN)) === pool.get(record, lowOf(DOMAIN)) &&
      pool.get(other, highOf(DOMAIN)) === pool.get(record, highOf(DOMAIN))
    );
  }

  #isBlocked(at: number): boolean {
    return ((this.#flags[at] as number) & BLOCKED) !== 0;
  }

  #hasNetwork(at: number): boolean {
    return ((this.#flags[at] as number) & WITHOUT_NETWORK) === 0;
  }

  /** A record without a network has zeros in place of one. */
  #isOwnVoice(record: number, at: number): boolean {
    if (this.#pool.get(record, VOICE) !== this.#voices[at]) return false;
    return this.#hasNetwork(at) === ((this.#pool.get(record, FLAGS) & WITHOUT_NETWORK) === 0);
  }

  #toVoiceCount({ all, heard }: Pick<Heard, 'all' | 'heard'>): VoiceCount {
    return { all, blocked: this.#hasBlocked ? all - heard : 0 };
  }
}
