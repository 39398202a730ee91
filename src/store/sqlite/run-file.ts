/** Reads a run's file by parts, each block checked, through a cache of blocks that all files share. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { BLOCK_BYTES, paddedBytes, type RunDescription, readEnd } from './run-format.ts';

export interface RunFile {
  readonly description: RunDescription;
  /** How many bytes a section has; 0 where there is none. */
  bytesOf(section: string): number;
  /** A part of a section, counted in bytes. @throws `DamagedRun` */
  read(section: string, offset: number, bytes: number): ArrayBuffer;
  close(): void;
}

/** The file is not as it was written. */
export class DamagedRun extends Error {}

/** Blocks of files, the latest used ones. */
export interface BlockCache {
  /** @param load fills a block that is not there */
  get(file: number, block: number, load: (into: Buffer) => void): Buffer;
}

const MAX_BLOCKS = 1_024;
const DAMAGED = 'a run of the history is damaged';

export function createBlockCache(maxBlocks = MAX_BLOCKS): BlockCache {
  const blocks = new Map<string, Buffer>();
  return {
    get(file, block, load) {
      const name = `${file} ${block}`;
      let buffer = blocks.get(name);
      blocks.delete(name);
      if (buffer === undefined) {
        const oldest = blocks.size < maxBlocks ? undefined : (blocks.keys().next().value as string);
        buffer = oldest === undefined ? Buffer.allocUnsafeSlow(BLOCK_BYTES) : (blocks.get(oldest) as Buffer);
        if (oldest !== undefined) blocks.delete(oldest);
        load(buffer);
      }
      blocks.set(name, buffer);
      return buffer;
    },
  };
}

let opened = 0;

/** @throws `DamagedRun`, or the system's error where the file cannot be read */
export function openRunFile(path: string, cache: BlockCache): RunFile {
  const descriptor = openSync(path, 'r');
  try {
    return readRunFile(descriptor, cache);
  } catch (error) {
    closeSync(descriptor);
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? new DamagedRun(message) : error;
  }
}

function readRunFile(descriptor: number, cache: BlockCache): RunFile {
  opened += 1;
  const id = opened;
  const { description, checksums, dataBytes } = readEnd(fstatSync(descriptor).size, (at, bytes) => {
    const found = Buffer.alloc(bytes);
    if (at < 0 || readSync(descriptor, found, 0, bytes, at) !== bytes) throw new DamagedRun(DAMAGED);
    return found;
  });
  const starts = new Map<string, { start: number; bytes: number }>();
  let next = 0;
  for (const [name, bytes] of description.sections) {
    starts.set(name, { start: next, bytes });
    next += paddedBytes(bytes);
  }

  function load(block: number, into: Buffer): void {
    const at = block * BLOCK_BYTES;
    const bytes = Math.min(BLOCK_BYTES, dataBytes - at);
    const isWhole = bytes > 0 && readSync(descriptor, into, 0, bytes, at) === bytes;
    if (!isWhole || crc32(into.subarray(0, bytes)) !== checksums[block]) throw new DamagedRun(DAMAGED);
  }

  return {
    description,
    bytesOf: (section) => starts.get(section)?.bytes ?? 0,
    read(section, offset, bytes) {
      const found = new ArrayBuffer(bytes);
      const into = Buffer.from(found);
      const from = (starts.get(section)?.start ?? 0) + offset;
      for (let done = 0; done < bytes; ) {
        const block = Math.floor((from + done) / BLOCK_BYTES);
        const within = (from + done) % BLOCK_BYTES;
        const length = Math.min(bytes - done, BLOCK_BYTES - within);
        cache.get(id, block, (buffer) => load(block, buffer)).copy(into, done, within, within + length);
        done += length;
      }
      return found;
    },
    close: () => closeSync(descriptor),
  };
}
