/** Decides the form of a backup file: a database, the other files after it, and a manifest with a digest of each at the end. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type BackupManifest, type BackupPart, parseManifest } from './backup-manifest.ts';

export type { BackupManifest, BackupPart };

/** Progress of a long work on a file. */
export interface BackupProgress {
  readonly work: 'copied' | 'checked' | 'read back' | 'restored';
  readonly done: number;
  readonly total: number;
}

export type OnBackupProgress = (progress: BackupProgress) => void;

/** Number of this form; another form gets the next number. */
const FORM = 1;
const FOOTER = /^gatehouse-backup (\d{4}) (\d{12}) ([0-9a-f]{64})\n$/;
const FOOTER_BYTES = 100;
const CHUNK_BYTES = 4 * 2 ** 20;
/** A few hundred bytes a file of a feed; beyond this it is not one of ours. */
const MAX_MANIFEST_BYTES = 64 * 2 ** 20;
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0');

/** Footer of a manifest: its length and digest, so that a file that was cut off is recognised by its end alone. */
export function footerOf(manifest: Buffer): string {
  const length = String(manifest.length).padStart(12, '0');
  return `gatehouse-backup ${String(FORM).padStart(4, '0')} ${length} ${digestOf(manifest)}\n`;
}

/** Reads a whole backup and compares every digest. @throws in one line if it cannot be restored from */
export function checkBackup(file: string, onProgress: OnBackupProgress = () => {}): BackupManifest {
  const handle = openBackup(file);
  try {
    const manifest = readManifest(file, handle);
    forEachPart(manifest, (part, offset, done, total) => {
      const hash = createHash('sha256');
      readChunks(handle, offset, part.bytes, (chunk, read) => {
        hash.update(chunk);
        onProgress({ work: 'read back', done: done + read, total });
      });
      if (hash.digest('hex') !== part.sha256) throw damaged(file, `${part.path} differs from its digest`);
    });
    return manifest;
  } finally {
    closeSync(handle);
  }
}

/**
 * Reads the end of a backup, which says what is in it, and compares its length; waits for a slow disk without a halt of this
 * thread. @throws when it is cut off or no backup
 */
export async function readBackupEnd(
  file: string,
): Promise<{ readonly manifest: BackupManifest; readonly bytes: number }> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const read = async (offset: number, bytes: number) => {
      const buffer = Buffer.alloc(bytes);
      if (offset >= 0) await handle.read(buffer, 0, bytes, offset);
      return buffer;
    };
    const place = placeOfManifest(file, size, await read(size - FOOTER_BYTES, FOOTER_BYTES));
    return { manifest: toManifest(file, size, place, await read(place.offset, place.bytes)), bytes: size };
  } finally {
    await handle.close();
  }
}

/** Calls `write` with the pieces of each part, one after the other. @throws when a part is not what its digest says */
export function readBackup(
  file: string,
  manifest: BackupManifest,
  write: (part: BackupPart) => { add(chunk: Buffer): void; end(): void },
  onProgress: OnBackupProgress,
): void {
  const handle = openBackup(file);
  try {
    forEachPart(manifest, (part, offset, done, total) => {
      const hash = createHash('sha256');
      const target = write(part);
      try {
        readChunks(handle, offset, part.bytes, (chunk, read) => {
          hash.update(chunk);
          target.add(chunk);
          onProgress({ work: 'restored', done: done + read, total });
        });
      } finally {
        target.end();
      }
      if (hash.digest('hex') !== part.sha256) throw damaged(file, `${part.path} changed while it was read`);
    });
  } finally {
    closeSync(handle);
  }
}

/** The digest of a part of a file. */
export function digestOfRange(
  handle: number,
  offset: number,
  bytes: number,
  onRead: (done: number) => void = () => {},
): string {
  const hash = createHash('sha256');
  readChunks(handle, offset, bytes, (chunk, read) => {
    hash.update(chunk);
    onRead(read);
  });
  return hash.digest('hex');
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function openBackup(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new Error(`cannot read the backup ${file}: ${(error as Error).message}`);
  }
}

function sizeOf(file: string, handle: number): number {
  const stats = fstatSync(handle);
  if (!stats.isFile()) throw new Error(`cannot read the backup ${file}: it is not a file`);
  return stats.size;
}

function readManifest(file: string, handle: number): BackupManifest {
  const size = sizeOf(file, handle);
  const place = placeOfManifest(file, size, readBytes(handle, size - FOOTER_BYTES, FOOTER_BYTES));
  const manifest = toManifest(file, size, place, readBytes(handle, place.offset, place.bytes));
  const [database] = manifest.parts as [BackupPart];
  const begin = Buffer.alloc(Math.min(database.bytes, SQLITE_MAGIC.length));
  readSync(handle, begin, 0, begin.length, 0);
  if (!begin.equals(SQLITE_MAGIC)) throw damaged(file, `${database.path} is not a database`);
  return manifest;
}

interface ManifestPlace {
  readonly offset: number;
  readonly bytes: number;
  readonly digest: string;
}

function placeOfManifest(file: string, size: number, footerBytes: Buffer): ManifestPlace {
  const footer = FOOTER.exec(footerBytes.toString('utf8'));
  if (footer === null)
    throw new Error(
      `${file} is not a whole Gatehouse backup: its end is missing, or \`gatehouse backup\` did not write it`,
    );
  const [, form, length, digest = ''] = footer;
  if (Number(form) > FORM)
    throw new Error(
      `the backup ${file} was written by a newer Gatehouse: install that version to restore from it`,
    );
  const bytes = Number(length);
  if (Number(form) !== FORM || bytes > MAX_MANIFEST_BYTES) throw damaged(file, 'its end is not one of ours');
  return { offset: size - FOOTER_BYTES - bytes, bytes, digest };
}

function toManifest(
  file: string,
  size: number,
  { bytes, digest }: ManifestPlace,
  text: Buffer,
): BackupManifest {
  if (digestOf(text) !== digest) throw damaged(file, 'its manifest differs from its digest');
  const manifest = parseManifest(text.toString('utf8'));
  if (typeof manifest === 'string') throw damaged(file, manifest);
  const expected = manifest.parts.reduce((sum, part) => sum + part.bytes, 0) + bytes + FOOTER_BYTES;
  if (expected !== size) throw damaged(file, `it has ${size} bytes instead of ${expected}`);
  return manifest;
}

function damaged(file: string, why: string): Error {
  return new Error(`the backup ${file} is damaged (${why}): use another one`);
}

function forEachPart(
  { parts }: BackupManifest,
  work: (part: BackupPart, offset: number, done: number, total: number) => void,
): void {
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  let offset = 0;
  for (const part of parts) {
    work(part, offset, offset, total);
    offset += part.bytes;
  }
}

function readBytes(handle: number, offset: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (offset >= 0) readSync(handle, buffer, 0, bytes, offset);
  return buffer;
}

/** @throws when the file ends before */
function readChunks(
  handle: number,
  offset: number,
  bytes: number,
  use: (chunk: Buffer, done: number) => void,
): void {
  const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, Math.max(bytes, 1)));
  for (let done = 0; done < bytes; ) {
    const read = readSync(handle, buffer, 0, Math.min(buffer.length, bytes - done), offset + done);
    if (read === 0) throw new Error('the file ended while it was read');
    done += read;
    use(buffer.subarray(0, read), done);
  }
}
