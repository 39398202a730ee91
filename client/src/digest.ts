/** SHA-256 in plain JavaScript: the same at once in every runtime, because Web Crypto is asynchronous and missing in some. */

const ROUNDS = 64;
const BLOCK_BYTES = 64;
const WORD = 2 ** 32;

const START = fractions(8, 2);
const CONSTANTS = fractions(ROUNDS, 3);

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** Digest in hexadecimal. */
export function sha256(text: string): string {
  return toHex(digestOf(new TextEncoder().encode(text)));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares a signature. The time that it takes does not depend on where texts differ. */
export function isEqual(text: string, expected: string): boolean {
  let difference = text.length ^ expected.length;
  for (let at = 0; at < expected.length; at += 1)
    difference |= expected.charCodeAt(at) ^ (text.charCodeAt(at) || 0);
  return difference === 0;
}

/** HMAC-SHA256 of a text (RFC 2104). */
export function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? digestOf(key) : key);
  const inner = digestOf(join(masked(block, 0x36), new TextEncoder().encode(text)));
  return digestOf(join(masked(block, 0x5c), inner));
}

function digestOf(bytes: Uint8Array): Uint8Array {
  const state = Uint32Array.from(START);
  const padded = pad(bytes);
  for (let at = 0; at < padded.byteLength; at += BLOCK_BYTES) addBlock(state, padded, at);
  const digest = new Uint8Array(state.byteLength);
  const view = new DataView(digest.buffer);
  state.forEach((word, index) => {
    view.setUint32(index * 4, word);
  });
  return digest;
}

function masked(block: Uint8Array, mask: number): Uint8Array {
  return block.map((byte) => byte ^ mask);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** A one bit, zeros, and the length in bits at the end of the last block. */
function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((bytes.length * 8) / WORD));
  view.setUint32(padded.length - 4, (bytes.length * 8) % WORD);
  return view;
}

function addBlock(state: Uint32Array, view: DataView, at: number): void {
  const words = new Uint32Array(ROUNDS);
  for (let index = 0; index < ROUNDS; index += 1) {
    if (index < 16) {
      words[index] = view.getUint32(at + index * 4);
      continue;
    }
    const [early, late] = [words[index - 15] as number, words[index - 2] as number];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] as number) + first + (words[index - 7] as number) + second;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    ...[number, number, number, number, number, number, number, number],
  ];
  for (let index = 0; index < ROUNDS; index += 1) {
    const mixed = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + mixed + (CONSTANTS[index] as number) + (words[index] as number)) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] as number) + word;
  });
}

/** The first 32 bits of the fractional parts of roots of the first primes, as the standard defines its constants. */
function fractions(count: number, root: number): Uint32Array {
  const found = new Uint32Array(count);
  let filled = 0;
  for (let candidate = 2; filled < count; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1)
      if (candidate % divisor === 0) isPrime = false;
    if (isPrime) {
      const value = candidate ** (1 / root);
      found[filled] = Math.floor((value - Math.floor(value)) * WORD);
      filled += 1;
    }
  }
  return found;
}
