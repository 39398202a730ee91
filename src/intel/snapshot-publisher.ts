/** Compiles the active feeds again when they have changed, and activates the result. The compiler is loaded only when there is something to compile: most services only check. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AppliedFeed, DepartedEntry, Feed } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { currentVersion, type FeedState, type FeedVersion, withLoss } from './feed-state.ts';
import type { SnapshotRepository } from './repository.ts';
import { idOfFile } from './snapshot-container.ts';

export interface PublisherOptions {
  readonly archive: FeedArchive;
  readonly snapshots: SnapshotRepository;
  readonly baselineFile: string | URL;
  readonly feeds: readonly Feed[];
  /** Release of this program: another release may compile the same feeds to something else. */
  readonly release: string;
  readonly clock: () => number;
}

export interface Publication {
  readonly id: string;
  readonly feeds: number;
  readonly milliseconds: number;
}

export interface Publisher {
  /** Whether any source of the active snapshot has changed. */
  isDue(): Promise<boolean>;
  /** Compiles if so, else gives `undefined`. One at a time. */
  publish(): Promise<Publication | undefined>;
}

const DAY_MS = 86_400_000;

/** An active feed, before it is read. */
interface Due {
  readonly feed: Feed;
  readonly version: FeedVersion;
  readonly departed: readonly DepartedEntry[];
}

interface Ingredients {
  readonly due: readonly Due[];
  /** Id of the bundled snapshot. */
  readonly base: string;
  readonly release: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { archive, snapshots, baselineFile, feeds, release, clock } = options;

  async function inForce(): Promise<Due[]> {
    const enabled = feeds.filter((feed) => feed.enabled);
    const states = await archive.states(enabled);
    const all = await Promise.all(
      enabled.map(async (feed, at) => {
        const version = currentVersion(states[at] as FeedState);
        if (version === undefined) return [];
        return [
          { feed, version, departed: feed.category === 'abuse' ? await archive.departed(feed.id) : [] },
        ];
      }),
    );
    return all.flat();
  }

  /** `undefined` when its bytes are gone: it is fetched again at once. */
  async function apply({ feed, version, departed }: Due): Promise<AppliedFeed | undefined> {
    const raw = await archive.raw(feed.id, version.version);
    if (raw === undefined) {
      await archive.saveState(feed.id, withLoss(await archive.state(feed)));
      return undefined;
    }
    const { parseFeed } = await import('./feed-parse.ts');
    const parsed = parseFeed(feed.format, raw);
    const listed = new Set(departed.length > 0 ? parsed.entries : []);
    const faded = departed.filter(({ entry }) => !listed.has(entry));
    return { feed, version: version.version, fetchedAt: version.seenAt, parsed, departed: faded };
  }

  /** `undefined` when there is nothing to compile. */
  async function findWork(): Promise<{ due: Due[]; base: string } | undefined> {
    const [due, base, current] = await Promise.all([inForce(), idOfFile(baselineFile), snapshots.current()]);
    const done =
      current === undefined ? due.length === 0 : current.key === keyOf({ due, base, release, now: clock() });
    return done ? undefined : { due, base };
  }

  return {
    isDue: async () => (await findWork()) !== undefined,
    async publish() {
      const started = performance.now();
      const work = await findWork();
      if (work === undefined) return undefined;
      const { due, base } = work;
      const applied: AppliedFeed[] = [];
      const whole: Due[] = [];
      for (const version of due) {
        const feed = await apply(version);
        if (feed === undefined) continue;
        applied.push(feed);
        whole.push(version);
      }
      const [{ compileWithFeeds }, { readSnapshot }] = await Promise.all([
        import('./compile-feeds.ts'),
        import('./snapshot.ts'),
      ]);
      const { id, bytes } = compileWithFeeds(await readFile(baselineFile), applied, clock());
      // A snapshot that does not open must not become active.
      readSnapshot(bytes);
      await snapshots.publish(
        { id, key: keyOf({ due: whole, base, release, now: clock() }), base, at: clock() },
        bytes,
      );
      return { id, feeds: applied.length, milliseconds: Math.round(performance.now() - started) };
    },
  };
}

/** Hash of everything that a snapshot is compiled from. Entries that fade get new weights each day. */
function keyOf({ due, base, release, now }: Ingredients): string {
  const fades = due.some(({ departed }) => departed.length > 0);
  const day = fades ? Math.floor(now / DAY_MS) : 0;
  const rows = due.map(({ feed, version }) => [feed, version.version]);
  return createHash('sha256')
    .update(JSON.stringify([release, base, day, rows]))
    .digest('hex');
}
