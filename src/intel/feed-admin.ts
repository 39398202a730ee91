/** Decides how people change feeds from the command line and the dashboard: each change is one round, which waits for the one under way. */
import { setTimeout } from 'node:timers/promises';
import type { Feed } from './feed.ts';
import type { BundleEntry } from './feed-bundle.ts';
import type { FeedManager } from './feed-manager.ts';
import type { FeedReport } from './feed-refresh.ts';
import type { FeedRound } from './feed-round.ts';
import type { Publication } from './snapshot-publisher.ts';

export interface FeedOutcome {
  readonly reports: readonly FeedReport[];
  /** `undefined` when nothing had to be compiled. */
  readonly publication: Publication | undefined;
}

export interface PublishOptions {
  /** Leaves it to the service to compile the new versions: it compares verdicts before it uses them. Default: they are used at once. */
  readonly isLeftToService?: boolean;
}

export interface RefreshOptions extends PublishOptions {
  /** Whether to take versions whose size alone is out of bounds. */
  readonly anySize?: boolean;
}

/** Each method @throws when it cannot be done, or when another update does not end in time. */
export interface FeedAdmin {
  refresh(ids: readonly string[], options?: RefreshOptions): Promise<FeedOutcome>;
  /** Returns a feed to its version before. */
  rollBack(id: string): Promise<FeedOutcome>;
  /** Uses the version of a feed that waits for a person, or that was not taken. */
  use(id: string): Promise<FeedOutcome>;
  /** Keeps the version before it. */
  keep(id: string): Promise<FeedOutcome>;
  /** Reads the files that `export` wrote to a folder. */
  import(folder: string, options?: PublishOptions): Promise<FeedOutcome>;
  /** Writes every active feed to a folder. */
  export(folder: string): Promise<BundleEntry[]>;
}

export interface FeedAdminOptions {
  readonly manager: Pick<FeedManager, 'tryRound'>;
  readonly feeds: readonly Feed[];
  readonly onReport: (report: FeedReport) => void;
  /** Called when another update is under way, and every ten seconds while it is. */
  readonly onWait: () => void;
  /** Max. wait for the round under way. Default three minutes: a round fetches for some thirty seconds, then ends the fetches it began. */
  readonly waitMs?: number;
}

const WAIT_MS = 180_000;
const REMINDER_MS = 10_000;
const POLL_MS = 100;

export function createFeedAdmin(options: FeedAdminOptions): FeedAdmin {
  const { manager, feeds, onReport, onWait, waitMs = WAIT_MS } = options;

  async function inRound<T extends NonNullable<unknown>>(work: (round: FeedRound) => Promise<T>): Promise<T> {
    const started = performance.now();
    for (let nextReminder = started; ; ) {
      const result = await manager.tryRound(work);
      if (result !== undefined) return result;
      const now = performance.now();
      if (now - started > waitMs) {
        throw new Error(
          'another node or command is still updating the feeds; try again in a minute, or end a `gatehouse intel` command that hangs',
        );
      }
      if (now >= nextReminder) {
        onWait();
        nextReminder = now + REMINDER_MS;
      }
      await setTimeout(POLL_MS);
    }
  }

  /** Also activates the changes. */
  const change = (
    work: (round: FeedRound) => Promise<readonly FeedReport[]>,
    { isLeftToService = false }: PublishOptions = {},
  ): Promise<FeedOutcome> =>
    inRound(async (round) => ({
      reports: await work(round),
      publication: isLeftToService ? undefined : await round.publish(),
    }));

  const decide = (id: string, choice: 'rollBack' | 'use' | 'keep') =>
    change(async (round) => {
      for (const feed of feeds.filter((feed) => feed.id === id)) await round[choice](feed);
      return [];
    });

  return {
    refresh: (ids, { anySize = false, ...publish } = {}) =>
      change((round) => {
        const named = feeds.filter(({ id, enabled }) => enabled && ids.includes(id));
        return round.refresh(named, { anySize, signal: round.lost, onReport });
      }, publish),
    rollBack: (id) => decide(id, 'rollBack'),
    use: (id) => decide(id, 'use'),
    keep: (id) => decide(id, 'keep'),
    import: (folder, publish) => change((round) => round.import(folder, onReport), publish),
    export: (folder) => inRound((round) => round.export(folder)),
  };
}
