/** Decides where compiled snapshots lie and which of them is in force. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../atomic-write.ts';

/** The snapshot in force, and what it was made of. */
export interface Published {
  readonly id: string;
  /** Hash of everything it was made of: the same key means that there is nothing to do. */
  readonly key: string;
  /** Id of the bundled snapshot it was built upon. */
  readonly base: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface SnapshotRepository {
  /** `undefined` when there is none, or the note cannot be read. */
  current(): Promise<Published | undefined>;
  /** @throws when the file is gone */
  read(id: string): Promise<Buffer>;
  /** Writes the snapshot, then the note that points to it; lets go of older ones. */
  publish(published: Published, bytes: Uint8Array): Promise<void>;
  /** Points to a snapshot that is on the shelf. */
  point(published: Published): Promise<void>;
  /** Takes the note away if it still points there. */
  forget(id: string): Promise<void>;
}

/** A snapshot that a slow reader has just been pointed to is still there. */
const KEPT = 3;

export function createSnapshotRepository(folder: string): SnapshotRepository {
  const note = join(folder, 'current.json');
  const shelf = join(folder, 'snapshots');
  const fileOf = (id: string) => join(shelf, `${id}.snapshot`);

  async function prune(current: string): Promise<void> {
    const all = await readdir(shelf);
    const drafts = all.filter((name) => name.endsWith('.tmp'));
    await Promise.all(drafts.map((name) => rm(join(shelf, name), { force: true })));
    const names = all.filter((name) => name.endsWith('.snapshot'));
    const dated = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(shelf, name))).mtimeMs })),
    );
    const old = dated.filter(({ name }) => name !== `${current}.snapshot`).sort((a, b) => b.at - a.at);
    await Promise.all(old.slice(KEPT - 1).map(({ name }) => rm(join(shelf, name), { force: true })));
  }

  const point = (published: Published) => writeAtomically(note, JSON.stringify(published));

  async function current(): Promise<Published | undefined> {
    try {
      const { id, key, base, at } = JSON.parse(await readFile(note, 'utf8')) as Published;
      const fits = /^[0-9a-f]{16}$/.test(id) && [key, base].every((text) => typeof text === 'string');
      return fits && Number.isFinite(at) ? { id, key, base, at } : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    current,
    read: (id) => readFile(fileOf(id)),
    async publish(published, bytes) {
      const { id } = published;
      await writeAtomically(fileOf(id), bytes);
      await point(published);
      await prune(id);
    },
    point,
    async forget(id) {
      if ((await current())?.id === id) await rm(note, { force: true });
    },
  };
}
