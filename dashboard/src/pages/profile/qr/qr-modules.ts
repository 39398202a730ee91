/** Draws a text as the dark and light modules of a QR code (ISO/IEC 18004, bytes, level M). */
import { toCodewords } from './codewords.ts';
import { drawPatterns, formatCells, type Grid } from './patterns.ts';

type Mask = (x: number, y: number) => boolean;

const MASKS: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

export function qrModules(text: string): boolean[][] {
  const { version, codewords } = toCodewords(new TextEncoder().encode(text));
  const patterns = drawPatterns(version);
  const cells = dataCells(patterns);
  const drawn = MASKS.map((mask, number) => {
    const grid = patterns.map((row) => row.map((cell) => cell === true));
    for (const [at, [x, y]] of cells.entries()) {
      const word = codewords[at >> 3] ?? 0;
      (grid[y] as boolean[])[x] = (((word >> (7 - (at & 7))) & 1) === 1) !== mask(x, y);
    }
    for (const { x, y, dark } of formatCells(grid.length, number)) (grid[y] as boolean[])[x] = dark;
    return grid;
  });
  return drawn.reduce((best, grid) => (penaltyOf(grid) < penaltyOf(best) ? grid : best));
}

/** Where data goes: pairs of columns from the right, up and down in turn, around the patterns. */
export function dataCells(patterns: Grid): [x: number, y: number][] {
  const side = patterns.length;
  const cells: [number, number][] = [];
  let up = true;
  for (let right = side - 1; right > 0; right -= 2) {
    // The sixth column is the timing pattern's.
    if (right === 6) right = 5;
    for (let step = 0; step < side; step += 1) {
      const y = up ? side - 1 - step : step;
      for (const x of [right, right - 1]) if (patterns[y]?.[x] === undefined) cells.push([x, y]);
    }
    up = !up;
  }
  return cells;
}

/** How hard it is to scan: runs, blocks, look-alikes of the finders, and unequal dark and light. */
function penaltyOf(grid: boolean[][]): number {
  const side = grid.length;
  const columns = grid.map((_, x) => grid.map((row) => row[x] as boolean));
  const lines = [...grid, ...columns].map((line) => line.map((dark) => (dark ? '1' : '0')).join(''));
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 0; y + 1 < side; y += 1)
    for (let x = 0; x + 1 < side; x += 1) {
      const [a, b, c, d] = [grid[y]?.[x], grid[y]?.[x + 1], grid[y + 1]?.[x], grid[y + 1]?.[x + 1]];
      if (a === b && b === c && c === d) penalty += 3;
    }
  const dark = grid.flat().filter(Boolean).length;
  return penalty + 10 * Math.floor((Math.abs(dark / side ** 2 - 0.5) * 100) / 5);
}
