/** Decides what can be done with the feeds of an installation, for the service's thread and for the command line. */
import type { FeedStatus } from '../model/feed-status.ts';
import { readVersion } from '../platform/version.ts';
import type { Feed } from './feed.ts';
import { createArchive, type FeedArchive } from './feed-archive.ts';
import type { FeedRound, RoundActions, RoundOptions } from './feed-round.ts';
import { isDue } from './feed-schedule.ts';
import type { FeedState } from './feed-state.ts';
import { feedStatus } from './feed-status.ts';
import type { FeedRecords } from './repository.ts';
import { createPublisher, type PublisherOptions } from './snapshot-publisher.ts';

export interface FeedManager {
  status(): Promise<FeedStatus[]>;
  /** The enabled feeds that are due, and when the first of all is or was due, milliseconds since the epoch. */
  due(): Promise<{ feeds: Feed[]; nextAt: number }>;
  /** Whether the active versions have changed since the snapshot was compiled. */
  isPublishDue(): Promise<boolean>;
  /** Runs `work` while nobody else changes feeds or snapshots, on any node; `undefined` at once if somebody else does. */
  tryRound<T extends NonNullable<unknown>>(work: (round: FeedRound) => Promise<T>): Promise<T | undefined>;
}

export interface FeedManagerOptions
  extends Omit<RoundOptions, 'archive' | 'publisher' | 'release'>,
    Pick<PublisherOptions, 'review' | 'onWait'> {
  /** Feeds that this machine kept before it shared them with others: an empty repository starts with them. */
  readonly origin?: FeedRecords | undefined;
  readonly baselineFile: string | URL;
  /** Called for files that cannot be used. */
  readonly onDamage: (feed: string, what: string) => void;
}

export function createFeedManager(options: FeedManagerOptions): FeedManager {
  const { repository, feeds, clock, onDamage } = options;
  const { snapshots } = repository;
  const release = readVersion();
  const archive = createArchive({ records: repository.feeds, onDamage });
  const origin = options.origin && createArchive({ records: options.origin, onDamage });
  const publisher = createPublisher({ ...options, archive, snapshots, release });
  let actions: Promise<RoundActions> | undefined;
  /** Loaded at the first round: a service that fetches nothing needs none of it. */
  const loadActions = () => {
    actions ??= import('./feed-round.ts').then(({ createRoundActions }) =>
      createRoundActions({ ...options, archive, publisher, release }),
    );
    return actions;
  };

  return {
    async status() {
      const states = await archive.states(feeds);
      return feeds.map((feed, at) => feedStatus(feed, states[at] as FeedState, clock()));
    },
    async due() {
      const enabled = feeds.filter((feed) => feed.enabled);
      const states = await archive.states(enabled);
      const now = clock();
      const times = enabled.map((feed, at) => {
        const { url, dueAt } = states[at] as FeedState;
        return url !== feed.url || isDue(feed, dueAt, now) ? Math.min(dueAt, now) : dueAt;
      });
      return {
        feeds: enabled.filter((_, at) => (times[at] as number) <= now),
        nextAt: Math.min(...times, Number.MAX_SAFE_INTEGER),
      };
    },
    isPublishDue: publisher.isDue,
    tryRound: (work) =>
      repository.lock.tryHold(async (lost) => {
        if (origin !== undefined) await adoptFeeds(origin, archive, feeds);
        return work({ ...(await loadActions()), lost });
      }),
  };
}

/** Copies feeds with their versions, rollbacks and refusals, if no feed is known yet. */
async function adoptFeeds(from: FeedArchive, to: FeedArchive, feeds: readonly Feed[]): Promise<void> {
  const isKnown = ({ current, dueAt }: FeedState) => current !== null || dueAt > 0;
  if ((await to.states(feeds)).some(isKnown)) return;
  const states = await from.states(feeds);
  for (const [at, { id }] of feeds.entries()) {
    const state = states[at] as FeedState;
    if (!isKnown(state)) continue;
    for (const { version } of state.versions) {
      const raw = await from.raw(id, version);
      if (raw !== undefined) await to.saveRaw(id, raw);
    }
    await to.saveDeparted(id, await from.departed(id));
    await to.saveState(id, state);
  }
}
