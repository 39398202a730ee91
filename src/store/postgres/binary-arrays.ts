/** Writes arrays in PostgreSQL's binary format into one buffer: no escaping, no strings in between. */

const TEXT = 25;
const INT4 = 23;
const INT8 = 20;
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;
const FIRST_BYTES = 65_536;
/** Kept for the next batch up to this; beyond, it was an unusual one. */
const KEPT_BYTES = 8_388_608;
/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const WIDEST = 3;
const MAX_SHORT = 32;
const FIRST_BEYOND_ASCII = 0x80;

export interface BinaryArrays {
  text<T>(items: readonly T[], value: (item: T) => string | null): void;
  /** One array of the texts of all items: all columns of the first, then those of the second. */
  cells<T>(items: readonly T[], columns: readonly ((item: T) => string | null)[]): void;
  int4<T>(items: readonly T[], value: (item: T) => number): void;
  int8<T>(items: readonly T[], value: (item: T) => number | null): void;
  /** Everything that was written, an array each; good until the next `begin`. */
  end(): Buffer[];
  begin(): void;
}

export function createBinaryArrays(): BinaryArrays {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let at = 0;
  const starts: number[] = [];

  function room(bytes: number): void {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  function header(type: number, count: number): void {
    starts.push(at);
    room(HEADER_BYTES);
    at += writeHeader(buffer, at, type, count);
  }

  function cell(text: string | null): void {
    room(4 + (text === null ? 0 : text.length * WIDEST));
    at += text === null ? writeNull(buffer, at) : writeText(buffer, at, text);
  }

  return {
    begin() {
      at = 0;
      starts.length = 0;
      if (buffer.length > KEPT_BYTES) buffer = Buffer.allocUnsafe(FIRST_BYTES);
    },
    text(items, value) {
      header(TEXT, items.length);
      for (const item of items) cell(value(item));
    },
    cells(items, columns) {
      header(TEXT, items.length * columns.length);
      for (const item of items) for (const value of columns) cell(value(item));
    },
    int4(items, value) {
      header(INT4, items.length);
      room(items.length * 8);
      for (const item of items) {
        buffer.writeInt32BE(4, at);
        buffer.writeInt32BE(value(item), at + 4);
        at += 8;
      }
    },
    int8(items, value) {
      header(INT8, items.length);
      room(items.length * 12);
      for (const item of items) {
        const number = value(item);
        at += number === null ? writeNull(buffer, at) : writeInt8(buffer, at, number);
      }
    },
    end: () => starts.map((start, index) => buffer.subarray(start, starts[index + 1] ?? at)),
  };
}

/** Gives the bytes that it took, as the next one does. */
function writeHeader(buffer: Buffer, at: number, type: number, count: number): number {
  // An empty array has no dimensions.
  buffer.writeInt32BE(count === 0 ? 0 : 1, at);
  buffer.writeInt32BE(1, at + 4);
  buffer.writeInt32BE(type, at + 8);
  buffer.writeInt32BE(count, at + 12);
  buffer.writeInt32BE(1, at + 16);
  return count === 0 ? 12 : HEADER_BYTES;
}

function writeNull(buffer: Buffer, at: number): number {
  buffer.writeInt32BE(NULL_LENGTH, at);
  return 4;
}

function writeText(buffer: Buffer, at: number, text: string): number {
  const bytes = writeShortAscii(buffer, at + 4, text) ?? buffer.write(text, at + 4);
  buffer.writeInt32BE(bytes, at);
  return 4 + bytes;
}

/** Cheaper than the call that writes any text. `undefined` where it is not short, or not ASCII. */
function writeShortAscii(buffer: Buffer, at: number, text: string): number | undefined {
  const { length } = text;
  if (length > MAX_SHORT) return undefined;
  for (let place = 0; place < length; place += 1) {
    const code = text.charCodeAt(place);
    if (code >= FIRST_BEYOND_ASCII) return undefined;
    buffer[at + place] = code;
  }
  return length;
}

function writeInt8(buffer: Buffer, at: number, number: number): number {
  buffer.writeInt32BE(8, at);
  // Two halves: cheaper than a BigInt, and right for every safe integer.
  buffer.writeInt32BE(Math.floor(number / 0x1_0000_0000), at + 4);
  buffer.writeUInt32BE(number >>> 0, at + 8);
  return 12;
}
