/** Decides what goes over between a node's own intelligence folder and the shared one. */
import type { Published, SnapshotShelf } from '../refresh/snapshot-shelf.ts';
import { hashOf, isShared, type LocalFiles, NOTE, snapshotId } from './local-files.ts';
import type { Leadership, Listing, SharedFile, SharedFolders } from './shared-folders.ts';

export interface Mirror {
  /** Makes what is here and wanted the same as what is shared. A folder nobody wrote to changes nothing. @throws when it could not */
  pull(folder: string, wants: (name: string) => boolean): Promise<Listing>;
  /** Makes what is shared the same as what is here; `before` is how that stood last. */
  push(leadership: Leadership, before: Listing, now: number): Promise<Listing>;
}

export interface MirrorOptions {
  readonly folders: SharedFolders;
  readonly local: LocalFiles;
  readonly shelf: SnapshotShelf;
}

export function createMirror({ folders, local, shelf }: MirrorOptions): Mirror {
  async function fetch(folder: string, file: SharedFile): Promise<Uint8Array> {
    const bytes = await folders.read(folder, file);
    if (bytes === undefined) throw new Error(`${file.name} was replaced while it was read`);
    if (hashOf(bytes) !== file.hash) throw new Error(`the shared ${file.name} is not what its checksum says`);
    return bytes;
  }

  /** Feeds are fetched meanwhile: what changed since it was listed goes with the next push. */
  async function readUnchanged({ name, hash }: SharedFile): Promise<Uint8Array> {
    const bytes = await local.read(name);
    if (hashOf(bytes) !== hash) throw new Error(`${name} changed while it was shared`);
    return bytes;
  }

  /** The note comes after its snapshot: whoever reads it finds what it points to. */
  async function putInForce(folder: string, snapshot: SharedFile, note: SharedFile): Promise<void> {
    const bytes = await fetch(folder, snapshot);
    const published = JSON.parse(Buffer.from(await fetch(folder, note)).toString('utf8')) as Published;
    await shelf.publish(published, bytes);
  }

  return {
    async pull(folder, wants) {
      const listing = await folders.list(folder);
      if (listing.revision === 0) return listing;
      const shared = new Map(
        listing.files.filter(({ name }) => isShared(name)).map((file) => [file.name, file]),
      );
      const mine = await local.list();
      const missing = [...shared.values()].filter(
        ({ name, hash }) => wants(name) && mine.get(name)?.hash !== hash,
      );
      for (const file of missing) {
        if (file.name === NOTE || snapshotId(file.name) !== undefined) continue;
        await local.write(file.name, await fetch(folder, file));
      }
      const note = shared.get(NOTE);
      const snapshot = [...shared.values()].find(({ name }) => snapshotId(name) !== undefined);
      if (missing.some((file) => file === note || file === snapshot) && note && snapshot) {
        await putInForce(folder, snapshot, note);
      }
      const extra = [...mine.keys()].filter(
        (name) => wants(name) && !shared.has(name) && snapshotId(name) === undefined,
      );
      for (const name of extra) await local.remove(name);
      return listing;
    },
    async push(leadership, before, now) {
      const mine = await local.list();
      const known = new Map(before.files.map(({ name, hash }) => [name, hash]));
      const changed = [...mine.values()].filter(({ name, hash }) => known.get(name) !== hash);
      const removed = [...known.keys()].filter((name) => !mine.has(name));
      if (changed.length + removed.length === 0) return before;
      const files = changed.map((file) => ({ ...file, read: () => readUnchanged(file) }));
      const revision = await leadership.write(files, removed, now);
      return { revision, files: [...mine.values()] };
    },
  };
}
