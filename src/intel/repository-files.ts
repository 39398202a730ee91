/** Keeps feeds and snapshots in files of this machine: each is complete or absent, and only one process at a time changes them. */
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openFileLock } from '../platform/file-lock.ts';
import { writeAtomically } from './atomic-write.ts';
import type {
  FeedRecords,
  IntelRepository,
  RoundLock,
  SnapshotRecord,
  SnapshotRepository,
} from './repository.ts';

/** A slow reader still finds the snapshot that it has just been pointed to. */
const KEPT_SNAPSHOTS = 3;
const FOLDER = 'intel';
const POLL_MS = 500;
const NEVER_LOST = new AbortController().signal;

/** @param dataDir the data folder of the installation */
export function createFileRepository(dataDir: string): IntelRepository {
  const folder = join(dataDir, FOLDER);
  return {
    feeds: createFeedFiles(join(folder, 'feeds')),
    snapshots: createSnapshotFiles(folder),
    lock: createFolderLock(folder),
    pollMs: POLL_MS,
    onChange: () => {},
    close: async () => {},
  };
}

/** Whether there is or was anything of it in the data folder. */
export function isAnythingKept(dataDir: string): boolean {
  return existsSync(join(dataDir, FOLDER));
}

function createFeedFiles(folder: string): FeedRecords {
  const place = (id: string, file: string) =>
    join(folder, encodeURIComponent(id).replaceAll('.', '%2E'), file);
  const read = (id: string, file: string) => readIfThere(place(id, file));
  const state = async (id: string) => (await read(id, 'state.json'))?.toString('utf8');
  return {
    states: (feeds) => Promise.all(feeds.map(({ id }) => state(id))),
    saveState: ({ id }, text) => writeAtomically(place(id, 'state.json'), text),
    version: (id, version) => read(id, `${version}.gz`),
    saveVersion: (id, version, bytes) => writeAtomically(place(id, `${version}.gz`), bytes),
    async prune(id, versions) {
      const kept = new Set(versions.map((version) => `${version}.gz`));
      const files = await readdir(place(id, '.')).catch(() => []);
      const unused = files.filter((file) => /^[0-9a-f]{16}\.gz$/.test(file) && !kept.has(file));
      await Promise.all(unused.map((file) => rm(place(id, file), { force: true })));
    },
    departed: (id) => read(id, 'departed.gz'),
    saveDeparted: (id, bytes) => writeAtomically(place(id, 'departed.gz'), bytes),
  };
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** @param folder contains `current.json` and the folder of snapshots */
function createSnapshotFiles(folder: string): SnapshotRepository {
  const note = join(folder, 'current.json');
  const snapshots = join(folder, 'snapshots');
  const fileOf = (id: string) => join(snapshots, `${id}.snapshot`);

  async function prune(current: string): Promise<void> {
    const all = await readdir(snapshots);
    const drafts = all.filter((name) => name.endsWith('.tmp'));
    await Promise.all(drafts.map((name) => rm(join(snapshots, name), { force: true })));
    const names = all.filter((name) => name.endsWith('.snapshot'));
    const dated = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(snapshots, name))).mtimeMs })),
    );
    const old = dated.filter(({ name }) => name !== `${current}.snapshot`).sort((a, b) => b.at - a.at);
    const outdated = old.slice(KEPT_SNAPSHOTS - 1);
    await Promise.all(outdated.map(({ name }) => rm(join(snapshots, name), { force: true })));
  }

  let known: SnapshotRecord | undefined;
  let knownFile = '';

  /** Asked twice a second: a note that is the same file as before is not read again. */
  async function current(): Promise<SnapshotRecord | undefined> {
    const file = fileMark(note);
    if (file !== '' && file === knownFile) return known;
    known = await readNote(note).catch(() => undefined);
    knownFile = file;
    return known;
  }

  return {
    current,
    newest: current,
    read: (id) => readIfThere(fileOf(id)),
    async publish(record, bytes) {
      await writeAtomically(fileOf(record.id), bytes);
      await writeAtomically(note, JSON.stringify(record));
      await prune(record.id);
    },
    async forget(id) {
      if ((await current())?.id === id) await rm(note, { force: true });
    },
  };
}

/** Differs whenever the file was replaced; empty without one. */
function fileMark(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`;
}

/** @throws when there is none, or it is not JSON */
async function readNote(path: string): Promise<SnapshotRecord | undefined> {
  const { id, key, base, at } = JSON.parse(await readFile(path, 'utf8')) as SnapshotRecord;
  const fits = /^[0-9a-f]{16}$/.test(id) && [key, base].every((text) => typeof text === 'string');
  return fits && Number.isFinite(at) ? { id, key, base, at } : undefined;
}

/** The lock ends with its process: a process that died blocks nobody. */
export function createFolderLock(folder: string): RoundLock {
  return {
    async tryHold(work) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const lock = openFileLock(join(folder, 'feeds.lock'));
      try {
        return lock.tryTake() ? await work(NEVER_LOST) : undefined;
      } finally {
        lock.close();
      }
    },
  };
}
