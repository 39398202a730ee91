/** Growing columns of attempts, and the bytes that they refer to. */
import { KEY_BOUNDS } from '../../model/velocity-event.ts';

const FIRST_ATTEMPTS = 16_384;
const FIRST_BYTES = 2 ** 20;
/** Tabs after the last row: a reader that finds none in a damaged row ends here. */
const ENDS = [9, 9];

export class AttemptPage {
  length = 0;
  account = new Uint32Array(FIRST_ATTEMPTS);
  at = new Float64Array(FIRST_ATTEMPTS);
  marks = new Uint8Array(FIRST_ATTEMPTS);
  keys = new Uint32Array(FIRST_ATTEMPTS * KEY_BOUNDS);
  bytes = new Uint8Array(FIRST_BYTES);
  #used = 0;

  clear(): void {
    this.length = 0;
    this.#used = 0;
  }

  text() {
    return { bytes: this.bytes, keys: this.keys };
  }

  /** Returns where they begin. */
  append(bytes: Uint8Array): number {
    const start = this.#used;
    const end = start + bytes.length;
    if (end + ENDS.length > this.bytes.length) {
      const grown = new Uint8Array(2 * (end + ENDS.length));
      grown.set(this.bytes.subarray(0, start));
      this.bytes = grown;
    }
    this.bytes.set(bytes, start);
    this.bytes.set(ENDS, end);
    this.#used = end;
    return start;
  }

  /** An attempt whose keys are set by the caller. Returns its place. */
  open(account: number, at: number, marks: number): number {
    const place = this.length;
    if (place === this.at.length) this.#grow();
    this.account[place] = account;
    this.at[place] = at;
    this.marks[place] = marks;
    this.length = place + 1;
    return place;
  }

  /** Adds an attempt of another page, its keys moved by so many bytes. */
  add(other: AttemptPage, from: number, moved: number): void {
    const [account, at] = [other.account[from] as number, other.at[from] as number];
    const place = this.open(account, at, other.marks[from] as number);
    for (let bound = 0; bound < KEY_BOUNDS; bound += 1)
      this.keys[place * KEY_BOUNDS + bound] = (other.keys[from * KEY_BOUNDS + bound] as number) + moved;
  }

  /** Adds an attempt of another page, with its bytes. */
  copy(other: AttemptPage, from: number): void {
    const bounds = from * KEY_BOUNDS;
    let first = other.keys[bounds] as number;
    let end = first;
    for (let bound = bounds; bound < bounds + KEY_BOUNDS; bound += 1) {
      first = Math.min(first, other.keys[bound] as number);
      end = Math.max(end, other.keys[bound] as number);
    }
    this.add(other, from, this.append(other.bytes.subarray(first, end)) - first);
  }

  #grow(): void {
    const { account, at, marks, keys } = this;
    this.account = new Uint32Array(2 * account.length);
    this.at = new Float64Array(2 * at.length);
    this.marks = new Uint8Array(2 * marks.length);
    this.keys = new Uint32Array(2 * keys.length);
    this.account.set(account);
    this.at.set(at);
    this.marks.set(marks);
    this.keys.set(keys);
  }
}
