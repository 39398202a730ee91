/** The form of a run's file: sections of numbers, a checksum for each block of them, then what the file is, at its end. */
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';

/** Increases when the content of runs changes; runs of another version are made again. */
const VERSION = 2;
/** Numbers are written as the machine has them. */
const MAGIC = Buffer.from(`GHRUN${String(VERSION).padStart(2, '0')}${endianness() === 'LE' ? 'L' : 'B'}`);
export const BLOCK_BYTES = 8_192;
/** Sections begin at multiples of this, so that no number crosses the end of a block. */
const ALIGNMENT = 8;
/** The bytes of the checksums, those of the description, a checksum of both, magic. */
const TRAILER_BYTES = 12 + MAGIC.length;

export interface RunDescription {
  readonly firstSeq: number;
  /** Numbers, from the first one on, that share the run; there may be fewer records. */
  readonly runSize: number;
  readonly count: number;
  /** Milliseconds since the epoch; of an empty run 0. */
  readonly oldestAt: number;
  readonly newestAt: number;
  /** Some of its records, to notice a run of another database. */
  readonly samples: readonly RunSample[];
  /** Name and bytes of each, in their order. */
  readonly sections: readonly (readonly [name: string, bytes: number])[];
}

export interface RunSample {
  readonly seq: number;
  readonly requestId: string;
}

export function paddedBytes(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Bytes after the sections: checksums, then the description. */
export function encodeEnd(checksums: readonly number[], description: RunDescription): Buffer {
  const table = Buffer.from(Uint32Array.from(checksums).buffer);
  const text = Buffer.from(JSON.stringify(description));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(table.length, 0);
  trailer.writeUInt32LE(text.length, 4);
  trailer.writeUInt32LE(crc32(text, crc32(table)), 8);
  MAGIC.copy(trailer, 12);
  return Buffer.concat([table, text, trailer]);
}

export interface RunEnd {
  readonly description: RunDescription;
  /** One for each block of the sections. */
  readonly checksums: Uint32Array;
  /** Bytes of all sections: what follows is the end. */
  readonly dataBytes: number;
}

/** @param read reads so many bytes from a place. @throws when it is no run, or a damaged one */
export function readEnd(fileBytes: number, read: (at: number, bytes: number) => Buffer): RunEnd {
  const trailer = read(fileBytes - TRAILER_BYTES, TRAILER_BYTES);
  if (!trailer.subarray(12).equals(MAGIC)) throw new Error('it is no run of this version');
  const tableBytes = trailer.readUInt32LE(0);
  const endBytes = tableBytes + trailer.readUInt32LE(4);
  const dataBytes = fileBytes - TRAILER_BYTES - endBytes;
  if (dataBytes < 0) throw new Error('the run is damaged');
  const end = read(dataBytes, endBytes);
  const description = end.subarray(tableBytes);
  if (crc32(end) !== trailer.readUInt32LE(8)) throw new Error('the run is damaged');
  return {
    description: JSON.parse(description.toString()) as RunDescription,
    checksums: new Uint32Array(Uint8Array.from(end.subarray(0, tableBytes)).buffer),
    dataBytes,
  };
}
