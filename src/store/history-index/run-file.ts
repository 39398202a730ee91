/** Reads a run's file by parts, each block checked, through a cache of blocks that all files share. */
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { createFileReader, type FileReader } from './file-reader.ts';
import { BLOCK_BYTES, paddedBytes, type RunDescription, readEnd } from './run-format.ts';

export interface RunFile {
  readonly description: RunDescription;
  /** Length of a section; 0 where there is none. */
  bytesOf(section: string): number;
  /** A part of a section, counted in bytes. @throws `DamagedRun` */
  read(section: string, offset: number, bytes: number): ArrayBuffer;
  /** One number of a section of numbers of so many bytes each. @throws `DamagedRun` */
  numberAt(section: string, bytes: number, index: number): number;
}

/** The file is not as it was written. */
export class DamagedRun extends Error {
  /** First number of the run, if it could be read. */
  readonly firstSeq: number | undefined;

  constructor(firstSeq?: number) {
    super('a run of the history is damaged');
    this.firstSeq = firstSeq;
  }
}

/** Blocks of files, the latest used ones. */
export interface BlockCache {
  /**
   * @param block its number, among those of all files
   * @param load fills it where it is not there
   */
  get(block: number, load: (into: Buffer) => void): Buffer;
}

const MAX_BLOCKS = 1_024;
const MAX_BLOCKS_OF_A_FILE = 2 ** 20;
/** Numbers are as the machine has them. */
const IS_LITTLE = endianness() === 'LE';

export function createBlockCache(maxBlocks = MAX_BLOCKS): BlockCache {
  const blocks = new Map<number, Buffer>();
  /** Newest block that was read: it is asked for again and again. */
  let latest: Buffer = Buffer.alloc(0);
  let latestBlock = -1;
  return {
    get(block, load) {
      if (block === latestBlock) return latest;
      latestBlock = -1;
      let buffer = blocks.get(block);
      blocks.delete(block);
      if (buffer === undefined) {
        const oldest = blocks.size < maxBlocks ? undefined : (blocks.keys().next().value as number);
        buffer = oldest === undefined ? Buffer.allocUnsafeSlow(BLOCK_BYTES) : (blocks.get(oldest) as Buffer);
        if (oldest !== undefined) blocks.delete(oldest);
        load(buffer);
      }
      blocks.set(block, buffer);
      [latest, latestBlock] = [buffer, block];
      return buffer;
    },
  };
}

let opened = 0;

/** @throws `DamagedRun`, or the system's error where the file cannot be read */
export function openRunFile(path: string, cache: BlockCache): RunFile {
  try {
    return readRunFile(createFileReader(path), cache);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? new DamagedRun() : error;
  }
}

function readRunFile(file: FileReader, cache: BlockCache): RunFile {
  opened += 1;
  const firstBlock = opened * MAX_BLOCKS_OF_A_FILE;
  const { description, checksums, dataBytes } = readEnd(file.bytes, (at, bytes) => {
    const found = Buffer.alloc(bytes);
    if (at < 0 || !file.fill(found, at)) throw new DamagedRun();
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
    const found = into.subarray(0, Math.max(0, bytes));
    if (bytes <= 0 || !file.fill(found, at) || crc32(found) !== checksums[block])
      throw new DamagedRun(description.firstSeq);
  }

  const blockAt = (block: number) => cache.get(firstBlock + block, (into) => load(block, into));

  return {
    description,
    bytesOf: (section) => starts.get(section)?.bytes ?? 0,
    read(section, offset, bytes) {
      const found = new ArrayBuffer(bytes);
      const into = Buffer.from(found);
      const from = (starts.get(section)?.start ?? 0) + offset;
      for (let done = 0; done < bytes; ) {
        const within = (from + done) % BLOCK_BYTES;
        const length = Math.min(bytes - done, BLOCK_BYTES - within);
        blockAt(Math.floor((from + done) / BLOCK_BYTES)).copy(into, done, within, within + length);
        done += length;
      }
      return found;
    },
    numberAt(section, bytes, index) {
      const at = (starts.get(section)?.start ?? 0) + bytes * index;
      const block = blockAt(Math.floor(at / BLOCK_BYTES));
      return readNumber(block, at % BLOCK_BYTES, bytes);
    },
  };
}

/** Numbers of eight bytes are floating-point; none crosses the end of a block. */
function readNumber(block: Buffer, at: number, bytes: number): number {
  if (bytes === 1) return block[at] as number;
  if (bytes === 8) return IS_LITTLE ? block.readDoubleLE(at) : block.readDoubleBE(at);
  return IS_LITTLE ? block.readUIntLE(at, bytes) : block.readUIntBE(at, bytes);
}
