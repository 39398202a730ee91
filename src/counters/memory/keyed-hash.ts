/** Decides which 64 bits represent a key, in a way that nobody outside this process can predict. */
import { randomBytes } from 'node:crypto';

const BLOCK_ROUNDS = 2;
const LAST_ROUNDS = 4;
/** Before the text: the account's number and the kind of key. */
const HEAD_WORDS = 2;

/**
 * HalfSipHash-2-4 with 64 bits of output, over 32-bit words: the number of an account, a kind of key, the UTF-16 of a
 * text two characters at a time, and its length. Without the secret, nobody can choose keys with equal hashes.
 * The counts are exact as long as no two keys of a kind have the same hash: with 4 million attempts that share nothing, the
 * chance that any two do is 1 in 580,000.
 */
export class KeyedHash {
  readonly #secretLow: number;
  readonly #secretHigh: number;
  /** The two halves of the latest hash. */
  low = 0;
  high = 0;

  /** @param secret 8 bytes that nobody else knows */
  constructor(secret: Buffer = randomBytes(8)) {
    this.#secretLow = secret.readInt32LE(0);
    this.#secretHigh = secret.readInt32LE(4);
  }

  /** Leaves the hash in `low` and `high`. */
  digest(account: number, kind: number, text: string): void {
    let v0 = this.#secretLow;
    let v1 = this.#secretHigh ^ 0xee;
    let v2 = 0x6c796765 ^ this.#secretLow;
    let v3 = 0x74656462 ^ this.#secretHigh;
    const words = HEAD_WORDS + ((text.length + 1) >> 1) + 1;
    for (let step = 0; step < words + 2; step += 1) {
      const word = step < words ? wordAt(step, words, account, kind, text) : 0;
      if (step === words) v2 ^= 0xee;
      if (step === words + 1) {
        this.high = v1 ^ v3;
        v1 ^= 0xdd;
      }
      v3 ^= word;
      for (let round = step < words ? BLOCK_ROUNDS : LAST_ROUNDS; round > 0; round -= 1) {
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
      }
      v0 ^= word;
    }
    this.low = v1 ^ v3;
  }
}

function wordAt(step: number, words: number, account: number, kind: number, text: string): number {
  if (step === 0) return account;
  if (step === 1) return kind;
  if (step === words - 1) return text.length;
  const at = (step - HEAD_WORDS) * 2;
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return text.charCodeAt(at) | (second << 16);
}
