/** Decides what a fetched file contains: itself, or what its publisher packed with gzip or as the only file of a zip archive. */
import { gunzipSync, inflateRawSync } from 'node:zlib';

/** The limit of a download, for what is unpacked; a longer file is an attack on memory, not a list. */
const MAX_BYTES = 64 * 1024 * 1024;

const GZIP = 0x8b1f;
const LOCAL_FILE = 0x04034b50;
const CENTRAL_FILE = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const TOO_LARGE = 'unpacks to more than';

/** @throws Error that says why a packed file cannot be read */
export function unpack(bytes: Uint8Array, maxBytes = MAX_BYTES): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isPacked(file)) return bytes;
  try {
    return file.readUInt16LE(0) === GZIP
      ? gunzipSync(file, { maxOutputLength: maxBytes })
      : readZip(file, maxBytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw message.startsWith(TOO_LARGE) ? error : new Error(`cannot be unpacked: ${message}`);
  }
}

/** Whether the first bytes of a file are those of gzip or zip. */
export function isPacked(start: Uint8Array): boolean {
  const file = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  return file.length >= 4 && (file.readUInt16LE(0) === GZIP || file.readUInt32LE(0) === LOCAL_FILE);
}

/** The directory at the end says where the file starts and how long it is; the header before the file may not. */
function readZip(file: Buffer, maxBytes: number): Uint8Array {
  const end = findEnd(file);
  if (file.readUInt16LE(end + 10) !== 1) throw new Error('the archive must contain exactly one file');
  const entry = file.readUInt32LE(end + 16);
  if (entry > file.length - CENTRAL_BYTES || file.readUInt32LE(entry) !== CENTRAL_FILE) {
    throw new Error('the archive has no directory');
  }
  const method = file.readUInt16LE(entry + 10);
  const packed = file.readUInt32LE(entry + 20);
  const size = file.readUInt32LE(entry + 24);
  const local = file.readUInt32LE(entry + 42);
  if ((file.readUInt16LE(entry + 8) & ENCRYPTED) !== 0) throw new Error('the archive is encrypted');
  if (size > maxBytes) throw tooLarge(maxBytes);
  if (local > file.length - LOCAL_BYTES || file.readUInt32LE(local) !== LOCAL_FILE) {
    throw new Error('the archive is cut off');
  }
  const start = local + LOCAL_BYTES + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  if (start + packed > file.length) throw new Error('the archive is cut off');
  const content = file.subarray(start, start + packed);
  if (method !== STORED && method !== DEFLATED) throw new Error(`method ${method} is not known`);
  // The size that the directory claims is not trusted.
  const unpacked = method === STORED ? content : inflateRawSync(content, { maxOutputLength: maxBytes });
  if (unpacked.length !== size) throw new Error('the archive is damaged');
  return unpacked;
}

function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = file.length - END_BYTES; at >= first; at -= 1) {
    if (file.readUInt32LE(at) === END) return at;
  }
  throw new Error('the archive is cut off');
}

function tooLarge(maxBytes: number): Error {
  return new Error(`${TOO_LARGE} ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
}
