/** Decides what goes over between a node's own intelligence folder and the shared one. */
import type { Published, SnapshotRepository } from '../refresh/snapshot-repository.ts';
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
  readonly shelf: SnapshotRepository;
  /** Runs work while nobody changes anything here. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The leader wrote again: what it listed before is not there any more. */
class ReplacedError extends Error {}

const ATTEMPTS = 5;

export function createMirror({ folders, local, shelf, alone }: MirrorOptions): Mirror {
  async function fetch(folder: string, file: SharedFile): Promise<Uint8Array> {
    const bytes = await folders.read(folder, file);
    if (bytes === undefined) throw new ReplacedError(`${file.name} was replaced while it was read`);
    if (hashOf(bytes) !== file.hash) throw new Error(`the shared ${file.name} is not what its checksum says`);
    return bytes;
  }

  async function differenceOf({ files }: Listing) {
    const mine = await local.list();
    const known = new Map(files.map(({ name, hash }) => [name, hash]));
    const changed = [...mine.values()].filter(({ name, hash }) => known.get(name) !== hash);
    const removed = [...known.keys()].filter((name) => !mine.has(name));
    const same = changed.length + removed.length === 0;
    return same ? undefined : { mine: [...mine.values()], changed, removed };
  }

  /** The note comes after its snapshot: whoever reads it finds what it points to. */
  async function putInForce(folder: string, snapshot: SharedFile, note: SharedFile): Promise<void> {
    const bytes = await fetch(folder, snapshot);
    const published = JSON.parse(Buffer.from(await fetch(folder, note)).toString('utf8')) as Published;
    if (published.id !== snapshotId(snapshot.name)) throw new Error('the shared note is of another snapshot');
    await shelf.publish(published, bytes);
  }

  async function bring(folder: string, listing: Listing, wants: (name: string) => boolean): Promise<void> {
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
  }

  return {
    async pull(folder, wants) {
      for (let attempt = 1; ; attempt += 1) {
        const listing = await folders.list(folder);
        try {
          if (listing.revision > 0) await alone(() => bring(folder, listing, wants));
          return listing;
        } catch (error) {
          if (!(error instanceof ReplacedError) || attempt === ATTEMPTS) throw error;
        }
      }
    },
    async push(leadership, before, now) {
      if ((await differenceOf(before)) === undefined) return before;
      // Feeds go on being fetched: what is written is what lies here at one moment.
      return alone(async () => {
        const difference = await differenceOf(before);
        if (difference === undefined) return before;
        const { mine, changed, removed } = difference;
        const files = changed.map((file) => ({ ...file, read: () => local.read(file.name) }));
        return { revision: await leadership.write(files, removed, now), files: mine };
      });
    },
  };
}
