/** Decides how a snapshot lies in a file, and refuses one that is not whole. */

/*
 * Little-endian:
 *   0   8 bytes   magic `GHINTEL\n`
 *   8   u32       format version
 *   12  u32       length of the JSON header, a multiple of 8 (padded with spaces)
 *   16  u64       length of the whole file
 *   24  32 bytes  SHA-256 of everything from byte 56 on; its first 16 hex digits are the snapshot's id
 *   56  header    { meta, sections: [{ name, offset, length }] }, offsets from the start of the file
 *   …   sections, each 8-byte aligned, so that typed arrays can view them in place
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { endianness } from 'node:os';

const MAGIC = 'GHINTEL\n';
const FORMAT = 1;
const PREAMBLE_BYTES = 56;
const MAX_OFFSET = 999_999_999_999;

export type Section = Uint8Array | Uint16Array | Uint32Array;

export interface Container<Meta> {
  readonly id: string;
  readonly meta: Meta;
  u8(section: string): Uint8Array;
  u16(section: string): Uint16Array;
  u32(section: string): Uint32Array;
}

/** A snapshot file that cannot be used; the message says why. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

interface Placement {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** Encodes a container: the same meta and sections give the same bytes and the same id. */
export function encodeContainer(
  meta: unknown,
  sections: Readonly<Record<string, Section>>,
): { id: string; bytes: Uint8Array } {
  requireLittleEndian();
  const views = Object.values(sections);
  // Offsets are in the header whose length they depend on: reserve room for the longest numbers.
  const headerLength = align(Buffer.byteLength(headerText(meta, place(sections, MAX_OFFSET))));
  const placements = place(sections, PREAMBLE_BYTES + headerLength);
  const last = placements.at(-1);
  const total = last === undefined ? PREAMBLE_BYTES + headerLength : align(last.offset + last.length);
  const bytes = new Uint8Array(total);
  const file = Buffer.from(bytes.buffer);
  file.write(MAGIC, 0, 'latin1');
  file.writeUInt32LE(FORMAT, 8);
  file.writeUInt32LE(headerLength, 12);
  file.writeBigUInt64LE(BigInt(total), 16);
  file.fill(' ', PREAMBLE_BYTES, PREAMBLE_BYTES + headerLength);
  file.write(headerText(meta, placements), PREAMBLE_BYTES, 'utf8');
  for (const [at, { offset }] of placements.entries()) {
    const view = views[at] as Section;
    bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), offset);
  }
  const digest = digestOf(bytes);
  bytes.set(digest, 24);
  return { id: idOf(digest), bytes };
}

/**
 * Views the sections in place; the bytes must stay unchanged from then on. `verified`: their hash has been
 * compared before. @throws SnapshotError
 */
export function decodeContainer<Meta>(
  content: Uint8Array,
  { verified = false }: { readonly verified?: boolean } = {},
): Container<Meta> {
  requireLittleEndian();
  const bytes = content.byteOffset % 8 === 0 ? content : content.slice();
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  requireMagic(file);
  const format = file.readUInt32LE(8);
  if (format !== FORMAT) throw new SnapshotError(`snapshot format ${format}, this version reads ${FORMAT}`);
  const total = file.readBigUInt64LE(16);
  if (total !== BigInt(file.length)) {
    throw new SnapshotError(`snapshot is ${file.length} bytes long and should be ${total}`);
  }
  const digest = file.subarray(24, PREAMBLE_BYTES);
  if (!verified && !digestOf(bytes).equals(digest)) {
    throw new SnapshotError('snapshot is damaged: its SHA-256 differs');
  }
  const header = JSON.parse(
    file.toString('utf8', PREAMBLE_BYTES, PREAMBLE_BYTES + file.readUInt32LE(12)),
  ) as { meta: Meta; sections: Placement[] };
  const placed = new Map(header.sections.map((section) => [section.name, section]));
  const locate = (name: string): readonly [number, number] => {
    const section = placed.get(name);
    if (section === undefined) throw new SnapshotError(`snapshot has no section ${name}`);
    return [bytes.byteOffset + section.offset, section.length];
  };
  return {
    id: idOf(digest),
    meta: header.meta,
    u8(name) {
      const [offset, length] = locate(name);
      return new Uint8Array(bytes.buffer, offset, length);
    },
    u16(name) {
      const [offset, length] = locate(name);
      return new Uint16Array(bytes.buffer, offset, length / 2);
    },
    u32(name) {
      const [offset, length] = locate(name);
      return new Uint32Array(bytes.buffer, offset, length / 4);
    },
  };
}

/** The id that a file's first bytes claim; whether the rest fits is not checked. @throws when there is no such file, or it is not a snapshot */
export async function idOfFile(path: string | URL): Promise<string> {
  const handle = await open(path);
  try {
    const file = Buffer.alloc(PREAMBLE_BYTES);
    await handle.read(file, 0, PREAMBLE_BYTES, 0);
    requireMagic(file);
    return idOf(file.subarray(24));
  } finally {
    await handle.close();
  }
}

function requireMagic(file: Buffer): void {
  if (file.length < PREAMBLE_BYTES || file.toString('latin1', 0, 8) !== MAGIC) {
    throw new SnapshotError('not an intelligence snapshot');
  }
}

function place(sections: Readonly<Record<string, Section>>, start: number): Placement[] {
  let next = start;
  return Object.entries(sections).map(([name, view]) => {
    const offset = next;
    next = align(offset + view.byteLength);
    return { name, offset, length: view.byteLength };
  });
}

function headerText(meta: unknown, sections: readonly Placement[]): string {
  return JSON.stringify({ meta, sections });
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes.subarray(PREAMBLE_BYTES)).digest();
}

function idOf(digest: Buffer): string {
  return digest.toString('hex', 0, 8);
}

function align(length: number): number {
  return Math.ceil(length / 8) * 8;
}

function requireLittleEndian(): void {
  if (endianness() !== 'LE') throw new SnapshotError('snapshots need a little-endian machine');
}
