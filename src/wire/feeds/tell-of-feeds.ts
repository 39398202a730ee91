/** Decides what of the life of feeds and snapshots is logged and counted. */
import type { Logger } from 'pino';
import type { Metrics } from '../../http/metrics/metrics.ts';
import type { LiveEvent } from '../../intel/refresh/live-intel.ts';

/** Refusals and failures are warnings: the last good version stays in force. */
export function tellOfFeeds(event: LiveEvent, metrics: Metrics, log: Logger): void {
  if (event.kind === 'status') metrics.feeds(event.status);
  else if (event.kind === 'fault') log.error(`feeds: ${event.why}`);
  else if (event.kind === 'lead')
    log.info(`this node ${event.leads ? 'keeps' : 'no longer keeps'} the feeds for all`);
  else if (event.kind === 'published') log.info(event.publication, 'a snapshot was compiled');
  else if (event.kind === 'swapped') {
    metrics.snapshotSwapped(event.milliseconds);
    log.info({ snapshot: event.id }, 'a snapshot took over');
  } else {
    const { feed, outcome } = event.report;
    metrics.feedOutcome(feed, outcome);
    const bad = outcome === 'refused' || outcome === 'failed';
    log[bad ? 'warn' : outcome === 'unchanged' ? 'debug' : 'info'](
      event.report,
      `a feed was ${outcome === 'failed' ? 'not fetched' : outcome}`,
    );
  }
}
