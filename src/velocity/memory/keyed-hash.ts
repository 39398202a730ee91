/** Decides which 64 bits represent a key, in a way that nobody outside this process can predict. */
import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 8;
const LAST_STEPS = 4;
/** Texts that are longer are rare, and get more room when they come. */
const USUAL_WORDS = 128;
const MAX_ASCII = 0x7f;
const NOT_ASCII = -1;

/**
 * HalfSipHash-2-4 with 64 bits of output, over 32-bit words: the number of an account, the UTF-8 of a text, and the length of
 * that. Without the secret, nobody can choose keys with equal hashes. The counts are exact as long as no two keys of a kind have the same
 * hash: with 4 million attempts that share nothing, the chance that any two do is 1 in 580,000.
 */
export class KeyedHash {
  readonly #secretLow: number;
  readonly #secretHigh: number;
  #words = new Int32Array(USUAL_WORDS);
  /** The two halves of the latest hash. */
  low = 0;
  high = 0;

  /** @param secret 8 bytes that nobody else knows */
  constructor(secret: Buffer = randomBytes(SECRET_BYTES)) {
    this.#secretLow = secret.readInt32LE(0);
    this.#secretHigh = secret.readInt32LE(4);
  }

  /** Leaves the hash in `low` and `high`. */
  digest(account: number, text: string): void {
    const count = this.#write(text);
    if (count === NOT_ASCII) {
      const bytes = Buffer.from(text);
      this.digestBytes(account, bytes, 0, bytes.length);
    } else this.#mix(account, count);
  }

  /** Digests as `digest` does, a text whose UTF-8 is there. */
  digestBytes(account: number, bytes: Uint8Array, start: number, end: number): void {
    this.#makeRoom(end - start);
    const words = this.#words;
    let count = 1;
    let at = start;
    for (; at + 3 < end; at += 4) {
      words[count] =
        (bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24);
      count += 1;
    }
    if (at < end) {
      let word = bytes[at] as number;
      if (at + 1 < end) word |= (bytes[at + 1] as number) << 8;
      if (at + 2 < end) word |= (bytes[at + 2] as number) << 16;
      words[count] = word;
      count += 1;
    }
    words[count] = end - start;
    this.#mix(account, count + 1);
  }

  /** @param count of words, the first of which becomes the account */
  #mix(account: number, count: number): void {
    this.#words[0] = account;
    const words = this.#words;
    let v0 = this.#secretLow;
    let v1 = this.#secretHigh ^ 0xee;
    let v2 = 0x6c796765 ^ this.#secretLow;
    let v3 = 0x74656462 ^ this.#secretHigh;
    // Each step is two rounds, written out: a loop of rounds takes more than twice as long. The last eight have no word.
    for (let step = 0; step < count + LAST_STEPS; step += 1) {
      const word = step < count ? (words[step] as number) : 0;
      if (step === count) v2 ^= 0xee;
      if (step === count + LAST_STEPS / 2) {
        this.high = v1 ^ v3;
        v1 ^= 0xdd;
      }
      v3 ^= word;
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 ^= word;
    }
    this.low = v1 ^ v3;
  }

  #makeRoom(bytes: number): void {
    if (this.#words.length < bytes / 4 + 3) this.#words = new Int32Array(bytes);
  }

  /** Returns how many words it wrote, from the second on, and the first one; `NOT_ASCII` where bytes are no characters. */
  #write(text: string): number {
    const { length } = text;
    this.#makeRoom(length);
    const words = this.#words;
    let count = 1;
    let seen = 0;
    for (let at = 0; at < length; at += 4) {
      const a = text.charCodeAt(at);
      const b = at + 1 < length ? text.charCodeAt(at + 1) : 0;
      const c = at + 2 < length ? text.charCodeAt(at + 2) : 0;
      const d = at + 3 < length ? text.charCodeAt(at + 3) : 0;
      seen |= a | b | c | d;
      words[count] = a | (b << 8) | (c << 16) | (d << 24);
      count += 1;
    }
    words[count] = length;
    return seen > MAX_ASCII ? NOT_ASCII : count + 1;
  }
}
