/** Decides what of the life of feeds and snapshots is logged and counted. */
import type { Logger } from 'pino';
import { toTimestamp } from './contract/timestamp.ts';
import type { Metrics } from './http/metrics.ts';
import type { LiveEvent } from './intel/refresh/live-intel.ts';
import type { FeedReport } from './intel/refresh/refresh-feeds.ts';

type Failed = Extract<FeedReport, { outcome: 'failed' }>;

/**
 * Refusals and failures are warnings when they begin: the last good version stays in force.
 * @param fetching where nothing is fetched, a feed that was never brought in is missed by nobody, and not measured
 */
export function createFeedEventLogger(
  metrics: Pick<Metrics, 'feeds' | 'feedOutcome' | 'snapshotSwapped'>,
  log: Logger,
  fetching: boolean,
): (event: LiveEvent) => void {
  /** What last went wrong with each feed, as long as it does. */
  const troubles = new Map<string, string>();
  let begun: Failed[] = [];

  function takeReport(report: FeedReport): void {
    const { feed, outcome } = report;
    metrics.feedOutcome(feed, outcome);
    const before = troubles.get(feed);
    if (outcome === 'failed') {
      troubles.set(feed, outcome);
      // Without a network all fail at once: the round tells of them together.
      if (before !== outcome) begun.push(report);
      log.debug(report, 'a feed was not fetched');
    } else if (outcome === 'refused') {
      troubles.set(feed, report.why);
      log[before === report.why ? 'debug' : 'warn'](report, 'a feed was refused');
    } else {
      troubles.delete(feed);
      log[outcome === 'unchanged' ? 'debug' : 'info'](report, `a feed was ${outcome}`);
    }
  }

  function endRound(): void {
    const [one] = begun;
    if (one === undefined) return;
    const feeds = begun.map(({ feed }) => feed);
    const retryAt = Math.min(...begun.map((failed) => failed.retryAt ?? Number.POSITIVE_INFINITY));
    const again = Number.isFinite(retryAt) ? `, tried again from ${toTimestamp(retryAt)} on` : '';
    const many = feeds.length === 1 ? '1 feed' : `${feeds.length} feeds`;
    begun = [];
    log.warn(
      { feeds },
      `${many} could not be fetched, ${one.feed}: ${one.why}; the last good versions stay active${again}; GATEHOUSE_FEEDS=off fetches none`,
    );
  }

  return (event) => {
    if (event.kind === 'status')
      metrics.feeds(event.status.filter(({ version }) => fetching || version !== null));
    else if (event.kind === 'report') takeReport(event.report);
    else if (event.kind === 'round') endRound();
    else if (event.kind === 'fault') log.error(`feeds: ${event.why}`);
    else if (event.kind === 'published') log.info(event.publication, 'a snapshot was compiled');
    else {
      metrics.snapshotSwapped(event.milliseconds);
      log.info({ snapshot: event.id }, 'a snapshot took over');
    }
  };
}
