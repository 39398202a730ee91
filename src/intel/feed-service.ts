/** Offers what commands, `gatehouse doctor` and the wiring do with the feeds of an installation, over the bundled snapshot. */
import { type BuildId, readBuildId } from './build-id.ts';
import { BASELINE_FILE } from './bundled-snapshot.ts';
import type { Feed } from './feed.ts';
import { createFeedAdmin, type FeedAdmin, type FeedAdminOptions } from './feed-admin.ts';
import { createFeedManager, type FeedManager, type FeedManagerOptions } from './feed-manager.ts';
import { createFeedWatch, type FeedWatch } from './feed-watch.ts';
import type { Intel } from './intel.ts';
import type { SnapshotRepository } from './repository.ts';
import { openSnapshot } from './snapshot.ts';
import { openCurrent } from './snapshot-follower.ts';

export interface FeedService {
  status: FeedManager['status'];
  /** Changes feeds for a person. */
  admin(people: Pick<FeedAdminOptions, 'onReport' | 'onWait'>): FeedAdmin;
  /** @param fetching whether feeds are fetched at all */
  watch(fetching: boolean): FeedWatch;
}

export type FeedServiceOptions = Pick<
  FeedManagerOptions,
  'repository' | 'origin' | 'feeds' | 'proxies' | 'clock' | 'onDamage'
>;

export function createFeedService(options: FeedServiceOptions): FeedService {
  const { repository, feeds } = options;
  const baselineFile = BASELINE_FILE;
  const manager = createFeedManager({ ...options, baselineFile, random: Math.random });
  return {
    status: manager.status,
    admin: (people) => createFeedAdmin({ manager, feeds, ...people }),
    watch: (fetching) =>
      createFeedWatch({ manager, snapshots: repository.snapshots, baselineFile, fetching }),
  };
}

/** Id of the build with these feeds: nodes that have the same share feeds and snapshots. @throws when there is no bundled snapshot */
export function buildIdOf(feeds: readonly Feed[]): Promise<BuildId> {
  return readBuildId(BASELINE_FILE, feeds);
}

/** The active snapshot, or the bundled one if that cannot be read. @param onFault called with the reason */
export function openActive(
  snapshots: Pick<SnapshotRepository, 'newest' | 'read'>,
  onFault?: (why: string) => void,
): Promise<Intel> {
  return openCurrent(snapshots, BASELINE_FILE, onFault);
}

/** The snapshot that this version brings, whatever an installation has. */
export function openBundled(): Promise<Intel> {
  return openSnapshot(BASELINE_FILE);
}
