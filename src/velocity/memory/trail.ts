/** Keeps the latest attempts with one key side by side: the records of a burst are far apart in memory, and each of its signups looks at all of them. */
import { MAX_TRACED } from '../../model/velocity-event.ts';
import { FLAGS, highOf, NETWORK, SERIAL, TIME } from './attempt-record.ts';
import { NONE, type RecordPool } from './record-pool.ts';

/** The half of a network's fingerprint that its voice has. */
export const VOICE = highOf(NETWORK);
/** Places come round: `MAX_TRACED` is a power of two. */
const PLACES = MAX_TRACED - 1;
/** Keys of a kind with a trail of two kilobytes. */
const MAX_TRAILS = 1_024;

export class Trail {
  readonly records = new Int32Array(MAX_TRACED);
  readonly times = new Int32Array(MAX_TRACED);
  readonly flags = new Int32Array(MAX_TRACED);
  readonly voices = new Int32Array(MAX_TRACED);
  length = 0;
  #newest = NONE;
  #newestSerial = 0;
  #next = 0;

  /** Place of the attempt that is `back` before the newest. */
  placeOf(back: number): number {
    return (this.#next - 1 - back) & PLACES;
  }

  endsWith(record: number, serial: number): boolean {
    return this.length > 0 && this.#newest === record && this.#newestSerial === serial;
  }

  /** Adds the attempt after the newest. */
  push(pool: RecordPool, record: number): void {
    const place = this.#next;
    this.records[place] = record;
    this.times[place] = pool.get(record, TIME);
    this.flags[place] = pool.get(record, FLAGS);
    this.voices[place] = pool.get(record, VOICE);
    this.#newest = record;
    this.#newestSerial = pool.get(record, SERIAL);
    this.#next = (place + 1) & PLACES;
    if (this.length < MAX_TRACED) this.length += 1;
  }

  clear(): void {
    this.length = 0;
  }

  /** An attempt leaves after all that came before it. */
  leave(record: number): void {
    if (this.length > 0 && this.records[this.placeOf(this.length - 1)] === record) this.length -= 1;
  }

  setFlags(record: number, flags: number): void {
    for (let back = 0; back < this.length; back += 1) {
      const place = this.placeOf(back);
      if (this.records[place] === record) this.flags[place] = flags;
    }
  }
}

/** The trails of one kind of key, by one half of the fingerprint: where two keys share it, the trail of one does not end with the other's records. */
export class Trails {
  readonly #trails = new Map<number, Trail>();

  find(low: number): Trail | undefined {
    return this.#trails.get(low);
  }

  /** The trail of the key; an empty one where there is none, in place of the oldest. */
  open(low: number): Trail {
    const known = this.#trails.get(low);
    if (known !== undefined) return known;
    const trail = this.#trails.size < MAX_TRAILS ? new Trail() : this.#takeOldest();
    this.#trails.set(low, trail);
    return trail;
  }

  #takeOldest(): Trail {
    const [low, trail] = this.#trails.entries().next().value as [number, Trail];
    this.#trails.delete(low);
    trail.clear();
    return trail;
  }
}
