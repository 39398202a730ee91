/** Decides how the fetched versions of each feed lie on disk, so that one can be returned to. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { writeAtomically } from '../atomic-write.ts';
import type { DepartedEntry, Feed } from './feed.ts';
import { type FeedState, newState, readState } from './feed-state.ts';

/** What cannot be read counts as absent, and is told to `onDamage`. */
export interface Archive {
  state(feed: Pick<Feed, 'id' | 'url'>): Promise<FeedState>;
  saveState(id: string, state: FeedState): Promise<void>;
  /** The publisher's bytes. `undefined` when they are gone or not those that were kept. */
  raw(id: string, version: string): Promise<Uint8Array | undefined>;
  keepRaw(id: string, bytes: Uint8Array): Promise<void>;
  departed(id: string): Promise<DepartedEntry[]>;
  keepDeparted(id: string, entries: readonly DepartedEntry[]): Promise<void>;
  /** Lets go of all versions but these. */
  prune(id: string, versions: readonly string[]): Promise<void>;
}

export interface ArchiveOptions {
  readonly folder: string;
  readonly onDamage: (feed: string, what: string) => void;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Faster than the default, and as good for lists. */
const LEVEL = { level: 5 };

/** First 16 hex digits of the SHA-256. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

export function createArchive({ folder, onDamage }: ArchiveOptions): Archive {
  const place = (id: string, file: string) =>
    join(folder, encodeURIComponent(id).replaceAll('.', '%2E'), file);

  /** `undefined` when there is no such file, or what is in it makes no sense. */
  async function read<T>(id: string, file: string, make: (bytes: Buffer) => T | Promise<T>) {
    try {
      return await make(await readFile(place(id, file)));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') onDamage(id, `${file} cannot be used: ${message}`);
      return undefined;
    }
  }

  return {
    async state({ id, url }) {
      return (await read(id, 'state.json', (bytes) => readState(bytes.toString('utf8')))) ?? newState(url);
    },
    saveState: (id, state) => writeAtomically(place(id, 'state.json'), JSON.stringify(state)),
    raw: (id, version) =>
      read(id, `${version}.gz`, async (bytes) => {
        const raw = await decompress(bytes);
        if (versionOf(raw) !== version) throw new Error('its content is not what its name says');
        return raw;
      }),
    async keepRaw(id, bytes) {
      await writeAtomically(place(id, `${versionOf(bytes)}.gz`), await compress(bytes, LEVEL));
    },
    async departed(id) {
      return (await read(id, 'departed.gz', async (bytes) => readDeparted(await decompress(bytes)))) ?? [];
    },
    async keepDeparted(id, entries) {
      const lines = entries.map(({ entry, level, lastSeen }) => `${entry}\t${level}\t${lastSeen}\n`);
      await writeAtomically(place(id, 'departed.gz'), await compress(Buffer.from(lines.join('')), LEVEL));
    },
    async prune(id, versions) {
      const kept = new Set(versions.map((version) => `${version}.gz`));
      const files = await readdir(place(id, '.')).catch(() => []);
      const gone = files.filter((file) => /^[0-9a-f]{16}\.gz$/.test(file) && !kept.has(file));
      await Promise.all(gone.map((file) => rm(place(id, file), { force: true })));
    },
  };
}

function readDeparted(bytes: Buffer): DepartedEntry[] {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [entry = '', level, lastSeen] = line.split('\t');
    return { entry, level: Number(level), lastSeen: Number(lastSeen) };
  });
}
