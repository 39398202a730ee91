/** Keeps what velocity counts in a file between two runs, and decides whether a start may use it: only once, and only if it is what counting the stored attempts would give. */
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { VelocityImage } from '../memory/velocity-image.ts';

/** Time at which an image was made, and of which stored attempts. */
export interface ImageMark {
  /** Mark of the stored attempts: see `AssessmentStore.attemptsMark`. */
  readonly attempts: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface ImageHead extends ImageMark {
  readonly state: VelocityImage['state'];
  /** Numbers of each list of words. */
  readonly lengths: readonly number[];
}

const NAME = 'velocity.counts';
/** Increases when images change. Numbers are as the machine has them. */
const VERSION = 4;
const MAGIC = Buffer.from(`GHVELO${VERSION}${endianness() === 'LE' ? 'L' : 'B'}`);
const LENGTH_BYTES = 4;
const BYTES_OF_A_WORD = Int32Array.BYTES_PER_ELEMENT;

/** Writes an image without a sync: a partly written file fails its checksum. @throws when it cannot be written; then there is no file */
export function writeImage(directory: string, { state, words }: VelocityImage, mark: ImageMark): void {
  const temporary = join(directory, `${NAME}.tmp`);
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    const head: ImageHead = { ...mark, state, lengths: words.map(({ length }) => length) };
    const text = Buffer.from(JSON.stringify(head));
    let checksum = 0;
    const write = (bytes: Uint8Array) => {
      checksum = addTo(checksum, bytes);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    };
    write(MAGIC);
    write(uint32(text.length));
    write(text);
    for (const each of words) write(bytesOf(each));
    write(uint32(checksum));
    renameSync(temporary, join(directory, NAME));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

export function hasImage(directory: string): boolean {
  return existsSync(join(directory, NAME));
}

/** Removes the image, for what erases while no process counts. */
export function removeImage(directory: string): void {
  rmSync(join(directory, NAME), { force: true });
}

/** The image, if there is a whole one of these attempts that was made before now. In any case there is none afterwards. */
export function takeImage(directory: string, { attempts, at: now }: ImageMark): VelocityImage | undefined {
  const path = join(directory, NAME);
  let file: number;
  try {
    file = openSync(path, 'r');
    // Before anything else, so that no later start finds it.
    rmSync(path);
  } catch {
    return undefined;
  }
  try {
    return readImage(file, (head) => head.attempts === attempts && head.at <= now);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** @throws when it is no image, or not a whole one */
function readImage(file: number, isWanted: (head: ImageHead) => boolean): VelocityImage | undefined {
  let checksum = 0;
  const fill = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    if (readSync(file, bytes) !== bytes.length) throw new Error('it ends too early');
    checksum = addTo(checksum, bytes);
    return bytes;
  };
  if (!fill(Buffer.alloc(MAGIC.length)).equals(MAGIC)) throw new Error('it is no image of this version');
  const headBytes = fill(Buffer.alloc(LENGTH_BYTES)).readUInt32LE();
  const head = JSON.parse(fill(Buffer.alloc(headBytes)).toString()) as ImageHead;
  if (!isWanted(head)) return undefined;
  const words = head.lengths.map((length) => {
    const numbers = new Int32Array(length);
    fill(bytesOf(numbers));
    return numbers;
  });
  const expected = checksum;
  if (fill(Buffer.alloc(LENGTH_BYTES)).readUInt32LE() !== expected) throw new Error('it is damaged');
  return { state: head.state, words };
}

/** Checksum as of `crc32`, but unchanged where there are no bytes: Node.js would start at 0 again there. */
function addTo(checksum: number, bytes: Uint8Array): number {
  return bytes.length === 0 ? checksum : crc32(bytes, checksum);
}

function bytesOf(words: Int32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.length * BYTES_OF_A_WORD);
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32LE(number);
  return bytes;
}
