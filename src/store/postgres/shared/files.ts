/** Decides how shared files lie in tables: in parts of a megabyte, each file replaced whole. */
import type pg from 'pg';

export interface SharedFile {
  /** Path within the folder. */
  readonly name: string;
  /** Tells versions of the file apart. */
  readonly hash: string;
  readonly size: number;
}

const PART_BYTES = 1024 * 1024;

const LIST = 'SELECT name, hash, size FROM shared_files WHERE folder = $1 ORDER BY name';
const READ = `SELECT bytes FROM shared_files JOIN shared_chunks USING (folder, name)
  WHERE folder = $1 AND name = $2 AND hash = $3 AND part = $4`;
/** Their parts go with them. */
const REMOVE = 'DELETE FROM shared_files WHERE folder = $1 AND name = ANY ($2)';
const ADD = 'INSERT INTO shared_files (folder, name, hash, size) VALUES ($1, $2, $3, $4)';
const ADD_PART = 'INSERT INTO shared_chunks (folder, name, part, bytes) VALUES ($1, $2, $3, $4)';

export async function listFiles(client: pg.Client, folder: string): Promise<SharedFile[]> {
  return (await client.query<SharedFile>(LIST, [folder])).rows;
}

export function partsOf({ size }: SharedFile): number {
  return Math.ceil(size / PART_BYTES);
}

/** `undefined` when that version is gone. */
export async function readPart(
  client: pg.Client,
  folder: string,
  { name, hash }: SharedFile,
  part: number,
): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ bytes: Buffer }>(READ, [folder, name, hash, part]);
  return rows[0]?.bytes;
}

export async function removeFiles(
  client: pg.Client,
  folder: string,
  names: readonly string[],
): Promise<void> {
  await client.query(REMOVE, [folder, names]);
}

export async function removeAll(client: pg.Client, folder: string): Promise<void> {
  await client.query('DELETE FROM shared_files WHERE folder = $1', [folder]);
}

export async function addFile(
  client: pg.Client,
  folder: string,
  { name, hash, size }: SharedFile,
  bytes: Uint8Array,
): Promise<void> {
  await client.query(ADD, [folder, name, hash, size]);
  for (let part = 0; part * PART_BYTES < bytes.byteLength; part += 1) {
    const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await client.query(ADD_PART, [
      folder,
      name,
      part,
      Buffer.from(piece.buffer, piece.byteOffset, piece.length),
    ]);
  }
}
