/** Compiles the active feeds again when they have changed, and activates the result. The compiler is loaded only when there is something to compile: most services only check. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FeedFlips } from '../model/feed-status.ts';
import type { AppliedFeed, DepartedEntry, Feed } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { currentVersion, type FeedState, type FeedVersion, withLoss, withWait } from './feed-state.ts';
import type { SnapshotRepository } from './repository.ts';
import { idOfFile } from './snapshot-container.ts';

/** Compares the verdicts under a compiled snapshot with those under the active one. @returns the feeds that change too many */
export type ReviewSnapshot = (candidate: Uint8Array) => Promise<readonly FeedFlips[]>;

export interface PublisherOptions {
  readonly archive: FeedArchive;
  readonly snapshots: SnapshotRepository;
  readonly baselineFile: string | URL;
  readonly feeds: readonly Feed[];
  /** Release of this program: another release may compile the same feeds to something else. */
  readonly release: string;
  readonly clock: () => number;
  /** Default: every version that passed the gate is used. */
  readonly review?: ReviewSnapshot | undefined;
  /** Called for a version that waits for a person from now on. */
  readonly onWait?: ((feed: string, version: string) => void) | undefined;
}

export interface Publication {
  readonly id: string;
  readonly feeds: number;
  readonly milliseconds: number;
}

export interface Publisher {
  /** Whether any source of the active snapshot has changed. */
  isDue(): Promise<boolean>;
  /** Compiles if so, else gives `undefined`. Versions that change too many verdicts are left out and wait. One at a time. */
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

  async function compile({ due, base }: { readonly due: readonly Due[]; readonly base: string }) {
    const applied: AppliedFeed[] = [];
    const whole: Due[] = [];
    for (const version of due) {
      const feed = await apply(version);
      if (feed === undefined) continue;
      applied.push(feed);
      whole.push(version);
    }
    const { id, bytes } = await compileSnapshot(baselineFile, applied, clock());
    return { id, bytes, feeds: applied.length, key: keyOf({ due: whole, base, release, now: clock() }) };
  }

  return {
    isDue: async () => (await findWork()) !== undefined,
    async publish() {
      const started = performance.now();
      for (;;) {
        const work = await findWork();
        if (work === undefined) return undefined;
        const { id, bytes, feeds, key } = await compile(work);
        // Each pass leaves at least one version out.
        const flips = (await options.review?.(bytes)) ?? [];
        if (await letWait(flips, options)) continue;
        await snapshots.publish({ id, key, base: work.base, at: clock() }, bytes);
        return { id, feeds, milliseconds: Math.round(performance.now() - started) };
      }
    },
  };
}

async function compileSnapshot(
  baselineFile: string | URL,
  applied: readonly AppliedFeed[],
  now: number,
): Promise<{ id: string; bytes: Uint8Array }> {
  const [{ compileWithFeeds }, { readSnapshot }] = await Promise.all([
    import('./compile-feeds.ts'),
    import('./snapshot.ts'),
  ]);
  const compiled = compileWithFeeds(await readFile(baselineFile), applied, now);
  // A snapshot that does not open must not become active.
  readSnapshot(compiled.bytes);
  return compiled;
}

/** Lets versions wait that change too many verdicts. @returns whether any waits from now on */
async function letWait(
  flips: readonly FeedFlips[],
  { archive, feeds, clock, onWait }: PublisherOptions,
): Promise<boolean> {
  let isAny = false;
  for (const { feed: id, inUse, ...counts } of flips) {
    const feed = feeds.find((known) => known.id === id);
    const state = feed && (await archive.state(feed));
    if (state === undefined || state.current === state.chosen) continue;
    const waiting = withWait(state, inUse, counts, clock());
    if (waiting === undefined) continue;
    await archive.saveState(id, waiting);
    onWait?.(id, state.current as string);
    isAny = true;
  }
  return isAny;
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
