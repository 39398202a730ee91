/** Decides which files of an intelligence folder are shared, and what each holds now. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../atomic-write.ts';
import type { SharedFile } from './shared-folders.ts';

export interface LocalFiles {
  /** The note of the snapshot in force, that snapshot, and all that is kept of feeds. */
  list(): Promise<Map<string, SharedFile>>;
  /** @throws when it is gone */
  read(name: string): Promise<Buffer>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
}

export const NOTE = 'current.json';
const SNAPSHOT = /^snapshots\/([0-9a-f]{16})\.snapshot$/;
const STATE = /^feeds\/[^/]+\/state\.json$/;
const FEED = /^feeds\/[\w%-][^/]*\/(?:state\.json|departed\.gz|[0-9a-f]{16}\.gz)$/;

/** Id of the snapshot that a file of this name is. */
export function snapshotId(name: string): string | undefined {
  return SNAPSHOT.exec(name)?.[1];
}

/** Whether files of this name are shared: a name from outside cannot lead out of the folder. */
export function isShared(name: string): boolean {
  return name === NOTE || SNAPSHOT.test(name) || FEED.test(name);
}

/** Whether a node that does not lead needs files of this name, to answer and to show how feeds stand. */
export function isFollowed(name: string): boolean {
  return name === NOTE || SNAPSHOT.test(name) || STATE.test(name);
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function createLocalFiles(folder: string): LocalFiles {
  /** Name → what was hashed and when it was last changed: files are replaced, never changed. */
  const known = new Map<string, { readonly stamp: string; readonly file: SharedFile }>();
  const place = (name: string) => join(folder, name);

  async function describe(name: string): Promise<SharedFile | undefined> {
    const there = await stat(place(name)).catch(() => undefined);
    if (there === undefined) return undefined;
    const stamp = `${there.ino} ${there.mtimeMs} ${there.size}`;
    const before = known.get(name);
    if (before?.stamp === stamp) return before.file;
    const bytes = await readFile(place(name)).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const file = { name, hash: hashOf(bytes), size: bytes.byteLength };
    known.set(name, { stamp, file });
    return file;
  }

  async function names(): Promise<string[]> {
    const list = (path: string) => readdir(place(path)).catch(() => []);
    const feeds = await list('feeds');
    const kept = await Promise.all(
      feeds.map(async (feed) => (await list(join('feeds', feed))).map((file) => `feeds/${feed}/${file}`)),
    );
    const note = await readFile(place(NOTE), 'utf8').catch(() => '');
    const snapshot = /"id":"([0-9a-f]{16})"/.exec(note)?.[1];
    const inForce = snapshot === undefined ? [] : [`snapshots/${snapshot}.snapshot`, NOTE];
    return [...kept.flat().filter(isShared), ...inForce];
  }

  return {
    async list() {
      const files = new Map<string, SharedFile>();
      for (const name of await names()) {
        const file = await describe(name);
        if (file !== undefined) files.set(name, file);
      }
      for (const name of known.keys()) if (!files.has(name)) known.delete(name);
      return files;
    },
    read: (name) => readFile(place(name)),
    write: (name, bytes) => writeAtomically(place(name), bytes),
    remove: (name) => rm(place(name), { force: true }),
  };
}
