/** Reads drawn QR codes back, by the standard's own numbers where it states any. */
import { describe, expect, it } from 'vitest';
import { correctionOf, multiply, totalWords } from './codewords.ts';
import { drawPatterns, formatCells, withRemainder } from './patterns.ts';
import { dataCells, qrModules } from './qr-modules.ts';

const URI =
  'otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse';
/** Format strings of level M by mask, as ISO/IEC 18004 lists them. */
const FORMATS = [0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0];
/** Modules left over for codewords by version, as the standard lists them. */
const WORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346, 404, 466];

describe('the QR code', () => {
  it('has the capacities of the standard, and as many cells for them', () => {
    expect(WORDS.map((_, index) => totalWords(index + 1))).toEqual(WORDS);
    const cells = WORDS.map((_, index) => dataCells(drawPatterns(index + 1)).length >> 3);
    expect(cells).toEqual(WORDS);
  });

  it('writes format and version as the standard lists them', () => {
    const written = FORMATS.map((_, mask) =>
      formatCells(21, mask)
        .filter(({ x, y }) => (x === 8 && y < 9) || (y === 8 && x < 8))
        .reduce((bits, { dark }, index) => bits | (dark ? 1 << index : 0), 0),
    );
    expect(written).toEqual(FORMATS);
    expect(withRemainder(7, 12, 0x1f25)).toBe(0x07c94);
  });

  it('corrects by the standard’s example: “01234567” as version 1-M', () => {
    const data = [16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17];
    expect([...correctionOf(Uint8Array.from(data), 10)]).toEqual([
      165, 36, 212, 193, 237, 54, 199, 135, 44, 85,
    ]);
    expect(multiply(0x80, 2)).toBe(0x1d);
  });

  it.each([
    'a',
    'https://example.com/?q=ö',
    URI,
    `${URI}&algorithm=SHA1&digits=6&period=30&image=none&lock=false&x=1234`,
  ])('can be read back: %s', (text) => {
    expect(readBack(qrModules(text))).toBe(text);
  });

  it('refuses what does not fit', () => {
    expect(() => qrModules('x'.repeat(400))).toThrow('too long');
  });
});

/** Undoes mask and interleaving; blocks of the versions that the texts above need. */
function readBack(modules: boolean[][]): string {
  const version = (modules.length - 17) / 4;
  const format = formatCells(modules.length, 0)
    .slice(0, 30)
    .filter((_, index) => index % 2 === 0)
    .reduce((bits, { x, y }, index) => bits | (modules[y]?.[x] ? 1 << index : 0), 0);
  const mask = FORMATS.indexOf(format);
  const masks = [
    (x: number, y: number) => (x + y) % 2,
    (_: number, y: number) => y % 2,
    (x: number) => x % 3,
    (x: number, y: number) => (x + y) % 3,
    (x: number, y: number) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
    (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3),
    (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2,
    (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2,
  ];
  const flips = masks[mask] as (x: number, y: number) => number;
  const bits = dataCells(drawPatterns(version)).map(
    ([x, y]) => (modules[y]?.[x] === true) !== (flips(x, y) === 0),
  );
  const words = Array.from({ length: bits.length >> 3 }, (_, at) =>
    bits.slice(8 * at, 8 * at + 8).reduce((word, bit) => (word << 1) | (bit ? 1 : 0), 0),
  );
  const blocks = BLOCKS[version] as readonly number[];
  const data = blocks.map(() => [] as number[]);
  let at = 0;
  for (let row = 0; row < Math.max(...blocks); row += 1)
    for (const [block, length] of blocks.entries())
      if (row < length) data[block]?.push(words[at++] as number);
  const nibbles = data.flat().flatMap((word) => [word >> 4, word & 15]);
  const length = ((nibbles[1] as number) << 4) | (nibbles[2] as number);
  const bytes = Array.from(
    { length },
    (_, i) => ((nibbles[3 + 2 * i] as number) << 4) | (nibbles[4 + 2 * i] as number),
  );
  expect(nibbles[0]).toBe(4);
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Data codewords of each block at level M, from the standard's table. */
const BLOCKS: Readonly<Record<number, readonly number[]>> = {
  1: [16],
  2: [28],
  6: [27, 27, 27, 27],
  9: [36, 36, 36, 37, 37],
};
