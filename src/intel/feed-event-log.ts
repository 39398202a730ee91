/** Decides what operators are told of feeds and snapshots, in the log and in the metrics. */
import type { Logger } from 'pino';
import type { FeedStatus } from '../model/feed-status.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { ThreadEvent } from './live-thread-messages.ts';

/** Everything but the bytes of a snapshot; `swapped` comes once the snapshot is active. */
export type LiveEvent =
  | Exclude<ThreadEvent, { kind: 'snapshot' | 'review' | 'done' | 'idle' }>
  | { readonly kind: 'swapped'; readonly id: string; readonly milliseconds: number };

type FeedReport = Extract<LiveEvent, { kind: 'report' }>['report'];
type FetchFailure = Extract<FeedReport, { outcome: 'failed' }>;

export interface FeedEventLogOptions {
  readonly metrics: {
    feeds(status: readonly FeedStatus[]): void;
    feedOutcome(feed: string, outcome: string): void;
    snapshotSwapped(milliseconds: number): void;
  };
  readonly log: Logger;
  /**
   * Whether feeds are fetched. Otherwise snapshots that the command line makes are still used, and a feed without any
   * version is not reported as missing in the metrics.
   */
  readonly fetching: boolean;
  /** Called where the database that nodes share feeds in does not answer. */
  readonly onStoreAway: (why: string) => void;
}

/** Rejected updates and failures are warnings when they begin: the last good version stays active. */
export function createFeedEventLog({
  metrics,
  log,
  fetching,
  onStoreAway,
}: FeedEventLogOptions): (event: LiveEvent) => void {
  /** The present problem of each feed that has one. */
  const troubles = new Map<string, string>();
  /** Failures that began in this round. */
  let newFailures: FetchFailure[] = [];

  function logReport(report: FeedReport): void {
    const { feed, outcome } = report;
    metrics.feedOutcome(feed, outcome);
    const before = troubles.get(feed);
    if (outcome === 'failed') {
      troubles.set(feed, outcome);
      // Without a network all fail at once: they are logged together at the end of the round.
      if (before !== outcome) newFailures.push(report);
      log.debug(report, 'a feed was not fetched');
    } else if (outcome === 'refused') {
      troubles.set(feed, report.why);
      log[before === report.why ? 'debug' : 'warn'](report, 'a feed update was rejected');
    } else if (outcome === 'waiting') {
      troubles.set(feed, report.version);
      log[before === report.version ? 'debug' : 'warn'](
        report,
        'a feed update changes many verdicts: it waits until an operator decides',
      );
    } else {
      troubles.delete(feed);
      log[outcome === 'unchanged' ? 'debug' : 'info'](report, `a feed was ${outcome}`);
    }
  }

  function endRound(): void {
    const [first] = newFailures;
    if (first === undefined) return;
    const feeds = newFailures.map(({ feed }) => feed);
    const retryAt = Math.min(...newFailures.map((failed) => failed.retryAt ?? Number.POSITIVE_INFINITY));
    const again = Number.isFinite(retryAt) ? `, next try at ${toTimestamp(retryAt)}` : '';
    const many = feeds.length === 1 ? '1 feed' : `${feeds.length} feeds`;
    newFailures = [];
    log.warn(
      { feeds },
      `${many} could not be fetched, ${first.feed}: ${first.why}; the last good versions stay active${again}; GATEHOUSE_FEEDS=off fetches none`,
    );
  }

  return (event) => {
    if (event.kind === 'status')
      metrics.feeds(event.status.filter(({ version }) => fetching || version !== null));
    else if (event.kind === 'report') logReport(event.report);
    else if (event.kind === 'round') endRound();
    else if (event.kind === 'fault' && event.isStoreAway === true) onStoreAway(event.why);
    else if (event.kind === 'fault') log.error(`feeds: ${event.why}`);
    else if (event.kind === 'published') log.info(event.publication, 'a snapshot was compiled');
    else {
      metrics.snapshotSwapped(event.milliseconds);
      log.info({ snapshot: event.id }, 'a new snapshot is active');
    }
  };
}
