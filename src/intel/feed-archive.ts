/** Decides what the kept versions of each feed, its state and its departed entries mean: unreadable data counts as absent. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { DepartedEntry } from './feed.ts';
import { type FeedState, keptVersions, newState, readState } from './feed-state.ts';
import type { FeedKey, FeedRecords } from './repository.ts';

/** The kept files of feeds. A file that cannot be read is also reported to `onDamage`. */
export interface FeedArchive {
  state(feed: FeedKey): Promise<FeedState>;
  /** States in the order of the argument. */
  states(feeds: readonly FeedKey[]): Promise<FeedState[]>;
  saveState(id: string, state: FeedState): Promise<void>;
  /** The publisher's bytes. `undefined` when they are gone or damaged. */
  raw(id: string, version: string): Promise<Uint8Array | undefined>;
  saveRaw(id: string, bytes: Uint8Array): Promise<void>;
  departed(id: string): Promise<DepartedEntry[]>;
  saveDeparted(id: string, entries: readonly DepartedEntry[]): Promise<void>;
  /** Removes all versions that the state does not name. */
  prune(id: string, state: FeedState): Promise<void>;
}

export interface ArchiveOptions {
  readonly records: FeedRecords;
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

export function createArchive({ records, onDamage }: ArchiveOptions): FeedArchive {
  /** `undefined` when there is nothing, or it cannot be used. */
  async function parse<B, T>(id: string, what: string, kept: B | undefined, make: (kept: B) => Promise<T>) {
    if (kept === undefined) return undefined;
    try {
      return await make(kept);
    } catch (error) {
      onDamage(id, `${what} cannot be used: ${(error as Error).message}`);
      return undefined;
    }
  }

  async function states(feeds: readonly FeedKey[]): Promise<FeedState[]> {
    const texts = await records.states(feeds);
    const stateOf = async ({ id, url }: FeedKey, at: number): Promise<FeedState> =>
      (await parse(id, 'its state', texts[at], async (text) => readState(text))) ?? newState(url);
    return Promise.all(feeds.map(stateOf));
  }

  return {
    states,
    state: async (feed) => (await states([feed]))[0] as FeedState,
    saveState: (id, state) =>
      records.saveState({ id, url: state.url }, JSON.stringify(state), keptVersions(state)),
    raw: async (id, version) =>
      parse(id, `its version ${version}`, await records.version(id, version), async (bytes) => {
        const raw = await decompress(bytes);
        if (versionOf(raw) !== version) throw new Error('its content is not what its name says');
        return raw;
      }),
    saveRaw: async (id, bytes) => records.saveVersion(id, versionOf(bytes), await compress(bytes, LEVEL)),
    departed: async (id) =>
      (await parse(id, 'its departed entries', await records.departed(id), async (bytes) =>
        readDeparted(await decompress(bytes)),
      )) ?? [],
    async saveDeparted(id, entries) {
      const lines = entries.map(({ entry, level, lastSeen }) => `${entry}\t${level}\t${lastSeen}\n`);
      await records.saveDeparted(id, await compress(Buffer.from(lines.join('')), LEVEL));
    },
    prune: (id, state) => records.prune(id, keptVersions(state)),
  };
}

function readDeparted(bytes: Buffer): DepartedEntry[] {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [entry = '', level, lastSeen] = line.split('\t');
    return { entry, level: Number(level), lastSeen: Number(lastSeen) };
  });
}
