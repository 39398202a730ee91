/** The parts of a QR code that are the same for every text of a version: finders, timing, alignment, version, format. */

/** `undefined` where data goes. */
export type Grid = (boolean | undefined)[][];

const FORMAT_GENERATOR = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_GENERATOR = 0x1f25;
/** Level M is written as 00. */
const LEVEL_M = 0;

export function drawPatterns(version: number): Grid {
  const side = 17 + 4 * version;
  const grid: Grid = Array.from({ length: side }, () => Array<boolean | undefined>(side).fill(undefined));
  const set = (x: number, y: number, dark: boolean) => {
    const row = grid[y];
    if (row !== undefined && x >= 0 && x < side) row[x] = dark;
  };
  for (let at = 0; at < side; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [side - 4, 3],
    [3, side - 4],
  ] as const)
    square(set, x, y, 4, (ring) => ring !== 2 && ring !== 4);
  for (const [x, y] of alignmentCentres(version)) square(set, x, y, 2, (ring) => ring !== 1);
  for (const { x, y } of formatCells(side, 0)) set(x, y, false);
  if (version >= 7) drawVersion(set, side, version);
  return grid;
}

/** Both copies of the format information: level and mask, with their own correction. */
export function formatCells(side: number, mask: number): { x: number; y: number; dark: boolean }[] {
  const bits = withRemainder((LEVEL_M << 3) | mask, 10, FORMAT_GENERATOR) ^ FORMAT_MASK;
  const cells: { x: number; y: number; dark: boolean }[] = [];
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = ((bits >> bit) & 1) === 1;
    // Around the upper left finder, stepping over the timing pattern …
    if (bit < 6) cells.push({ x: 8, y: bit, dark });
    else if (bit < 8) cells.push({ x: 8, y: bit + 1, dark });
    else if (bit === 8) cells.push({ x: 7, y: 8, dark });
    else cells.push({ x: 14 - bit, y: 8, dark });
    // … and split between the other two.
    cells.push(bit < 8 ? { x: side - 1 - bit, y: 8, dark } : { x: 8, y: side - 15 + bit, dark });
  }
  cells.push({ x: 8, y: side - 8, dark: true });
  return cells;
}

type SetCell = (x: number, y: number, dark: boolean) => void;

/** Rings around a centre, told dark from light by their distance from it. */
function square(set: SetCell, x: number, y: number, reach: number, isDark: (ring: number) => boolean): void {
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1)
      set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
}

/** Every crossing of the version's lines but the three where finders stand. */
function alignmentCentres(version: number): [x: number, y: number][] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = 10 + 4 * version;
  const step = Math.ceil((last - 6) / (2 * (count - 1))) * 2;
  const lines = [6, ...Array.from({ length: count - 1 }, (_, at) => last - (count - 2 - at) * step)];
  const corner = (x: number, y: number) => (x === 6 && (y === 6 || y === last)) || (x === last && y === 6);
  return lines.flatMap((y) => lines.flatMap((x) => (corner(x, y) ? [] : [[x, y] as [number, number]])));
}

function drawVersion(set: SetCell, side: number, version: number): void {
  const bits = withRemainder(version, 12, VERSION_GENERATOR);
  for (let bit = 0; bit < 18; bit += 1) {
    const dark = ((bits >> bit) & 1) === 1;
    const [far, near] = [side - 11 + (bit % 3), Math.floor(bit / 3)];
    set(far, near, dark);
    set(near, far, dark);
  }
}

/** The value, followed by the remainder of its division by the generator. */
export function withRemainder(value: number, degree: number, generator: number): number {
  let remainder = value << degree;
  for (let bit = 31 - Math.clz32(remainder); bit >= degree; bit = 31 - Math.clz32(remainder)) {
    remainder ^= generator << (bit - degree);
    if (remainder === 0) break;
  }
  return (value << degree) | remainder;
}
