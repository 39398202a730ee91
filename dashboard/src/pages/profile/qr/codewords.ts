/** Turns bytes into a QR code's codewords: length, padding, and error correction of level M, interleaved (ISO/IEC 18004). */

/** By version from 1: error correction codewords a block, and blocks. */
const LEVEL_M: readonly (readonly [perBlock: number, blocks: number])[] = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
];
const BYTE_MODE = 0b0100;
const PADS = [0xec, 0x11] as const;

/** The smallest version that holds the bytes, and its codewords in the order they are drawn. */
export function toCodewords(bytes: Uint8Array): { version: number; codewords: Uint8Array } {
  const index = LEVEL_M.findIndex((_, at) => bytes.length + lengthBytes(at + 1) <= dataWords(at + 1));
  if (index < 0) throw new Error('The text is too long for a QR code.');
  const version = index + 1;
  return { version, codewords: interleave(version, dataOf(version, bytes)) };
}

/** Codewords that a version holds altogether: its modules less all patterns. */
export function totalWords(version: number): number {
  const side = 17 + 4 * version;
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const alignment = aligned === 0 ? 0 : (aligned ** 2 - 3) * 25 - 10 * (aligned - 2);
  const versionInformation = version < 7 ? 0 : 36;
  const finders = 3 * 64;
  const formatInformation = 31;
  const timing = 2 * (side - 16);
  return (side ** 2 - finders - formatInformation - timing - alignment - versionInformation) >> 3;
}

/** Mode and length take 12 bits up to version 9, then 20; the terminator's four fill the last byte. */
function lengthBytes(version: number): number {
  return version < 10 ? 2 : 3;
}

function dataWords(version: number): number {
  const [perBlock, blocks] = LEVEL_M[version - 1] as readonly [number, number];
  return totalWords(version) - perBlock * blocks;
}

function dataOf(version: number, bytes: Uint8Array): Uint8Array {
  const header =
    version < 10
      ? [BYTE_MODE, bytes.length >> 4, bytes.length & 15]
      : [
          BYTE_MODE,
          bytes.length >> 12,
          (bytes.length >> 8) & 15,
          (bytes.length >> 4) & 15,
          bytes.length & 15,
        ];
  const nibbles = [...header, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = new Uint8Array(dataWords(version));
  const used = nibbles.length >> 1;
  for (let at = 0; at < data.length; at += 1)
    data[at] =
      at < used
        ? ((nibbles[2 * at] as number) << 4) | (nibbles[2 * at + 1] as number)
        : (PADS[(at - used) % 2] as number);
  return data;
}

/** Blocks side by side: the first word of each, the second of each, …; then the same of their corrections. */
function interleave(version: number, data: Uint8Array): Uint8Array {
  const [perBlock, count] = LEVEL_M[version - 1] as readonly [number, number];
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  const blocks: Uint8Array[] = [];
  for (let block = 0, start = 0; block < count; block += 1) {
    const length = short + (block >= count - longer ? 1 : 0);
    blocks.push(data.subarray(start, start + length));
    start += length;
  }
  const corrections = blocks.map((block) => correctionOf(block, perBlock));
  const inTurn = (parts: readonly Uint8Array[], length: number) =>
    Array.from({ length }, (_, at) =>
      parts.flatMap((part) => (at < part.length ? [part[at] as number] : [])),
    ).flat();
  return Uint8Array.from([...inTurn(blocks, short + 1), ...inTurn(corrections, perBlock)]);
}

/** The remainder of the block divided by the generator polynomial over GF(256). */
export function correctionOf(block: Uint8Array, degree: number): Uint8Array {
  const generator = generatorOf(degree);
  const remainder = new Uint8Array(degree);
  for (const byte of block) {
    const factor = byte ^ (remainder[0] as number);
    remainder.copyWithin(0, 1);
    remainder[degree - 1] = 0;
    for (let at = 0; at < degree; at += 1)
      remainder[at] = (remainder[at] as number) ^ multiply(generator[at] as number, factor);
  }
  return remainder;
}

/** (x − 1)(x − 2)(x − 4)…, highest power first, its leading 1 left out. */
function generatorOf(degree: number): Uint8Array {
  const generator = new Uint8Array(degree);
  generator[degree - 1] = 1;
  let root = 1;
  for (let times = 0; times < degree; times += 1) {
    for (let at = 0; at < degree; at += 1)
      generator[at] = multiply(generator[at] as number, root) ^ (generator[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  return generator;
}

/** Product in GF(256) modulo x⁸ + x⁴ + x³ + x² + 1. */
export function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}
