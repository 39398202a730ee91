/** Decides how feeds are brought up to date: a few at a time, each on its own. */
import type { Feed } from './feed.ts';
import type { Admit, AdmitResult } from './feed-admit.ts';
import type { FeedArchive } from './feed-archive.ts';
import type { Download, Fetcher } from './feed-download.ts';
import type { Schedule } from './feed-schedule.ts';
import {
  type FeedState,
  forAddress,
  isSetAside,
  isWaiting,
  withConfirmation,
  withFailure,
} from './feed-state.ts';

/** Result of a round for one feed. */
export type FeedReport = { readonly feed: string } & (
  | AdmitResult
  | {
      readonly outcome: 'failed';
      readonly why: string;
      /** Time at which it is tried again, milliseconds since the epoch; absent if it was not fetched. */
      readonly retryAt?: number;
    }
);

export interface RefreshRun {
  /** Takes versions whose size alone is out of bounds. */
  readonly anySize?: boolean;
  readonly signal?: AbortSignal;
  /** No fetch begins after so many milliseconds; the rest stays due. Default: all are fetched. */
  readonly maxMs?: number;
  readonly onReport?: (report: FeedReport) => void;
}

export type RefreshFeeds = (feeds: readonly Feed[], run?: RefreshRun) => Promise<FeedReport[]>;

export interface RefreshFeedsOptions {
  readonly archive: FeedArchive;
  readonly admit: Admit;
  readonly download: Fetcher;
  readonly schedule: Schedule;
  readonly clock: () => number;
}

const MAX_FETCHES = 4;

export function createRefreshFeeds(options: RefreshFeedsOptions): RefreshFeeds {
  const { archive, admit, download, schedule, clock } = options;

  async function refreshOne(feed: Feed, { anySize = false, signal }: RefreshRun): Promise<FeedReport> {
    const known = forAddress(await archive.state(feed), feed.url);
    const here = known.current !== null && (await archive.raw(feed.id, known.current)) !== undefined;
    const validators = here ? known : { etag: null, lastModified: null };
    const got = await download(feed.url, validators, { signal, firstBytes: feed.firstBytes });
    return admitDownload(feed, got, anySize);
  }

  async function admitDownload(feed: Feed, got: Download, anySize: boolean): Promise<FeedReport> {
    const { report, state } = await judge(feed, got, anySize);
    const turn = report.outcome === 'failed' || report.outcome === 'refused' ? report.outcome : 'good';
    const dueAt = schedule.next(feed, turn, state.failures);
    await archive.saveState(feed.id, { ...state, dueAt });
    await archive.prune(feed.id, state);
    return report.outcome === 'failed' ? { ...report, retryAt: dueAt } : report;
  }

  async function judge(
    feed: Feed,
    got: Download,
    anySize: boolean,
  ): Promise<{ report: FeedReport; state: FeedState }> {
    if (got.kind === 'changed') {
      const { result, state } = await admit(feed, { ...got, fetchedAt: clock(), anySize });
      return { report: { feed: feed.id, ...result }, state };
    }
    const state = forAddress(await archive.state(feed), feed.url);
    if (got.kind === 'failed') {
      return {
        report: { feed: feed.id, outcome: 'failed', why: got.why },
        state: withFailure(state, got.why),
      };
    }
    return { report: { feed: feed.id, ...unchanged(state) }, state: withConfirmation(state, clock()) };
  }

  return async (feeds, run = {}) => {
    const reports: FeedReport[] = [];
    const waiting = [...feeds];
    const until = performance.now() + (run.maxMs ?? Number.POSITIVE_INFINITY);
    const work = async () => {
      for (let feed = waiting.shift(); feed !== undefined; feed = waiting.shift()) {
        if (run.signal?.aborted === true || performance.now() > until) return;
        const report = await refreshOne(feed, run);
        reports.push(report);
        run.onReport?.(report);
      }
    };
    // The caller releases a lock afterwards: no work may go on after that.
    const ends = await Promise.allSettled(Array.from({ length: MAX_FETCHES }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return reports;
  };
}

/** The publisher still has the same version. */
function unchanged(state: FeedState): AdmitResult {
  const { held, review } = state;
  if (review !== null && isSetAside(state))
    return { outcome: isWaiting(state) ? 'waiting' : 'held', version: review.version.version };
  const version = held.at(-1);
  return version === undefined ? { outcome: 'unchanged' } : { outcome: 'held', version };
}
