/** Watches the installation while the service runs: rounds in the background, with the log, the metric, and an end of old alerts. */
import type { Logger } from 'pino';
import type { Alert, AlertKind } from '../model/alert.ts';
import { ALERT_KINDS } from '../model/alert.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import { createPruner, type Prune, type Pruner } from '../store/pruner.ts';
import { keptFrom, type Retention } from '../store/retention.ts';
import type { AssessmentStore } from '../store/store.ts';
import { type AlertWatchOptions, createAlertWatch } from './alert-watch.ts';
import { createWatchCampaigns, createWatchQuota, createWatchSharedAddresses } from './watch-conditions.ts';
import { createWatchOutcomes } from './watch-outcomes.ts';
import { createWatchShadow, createWatchShares } from './watch-shares.ts';
import { createWatchSignups, type WatchSignupsOptions } from './watch-signups.ts';

export interface LiveAlertsOptions
  extends Pick<AlertWatchOptions, 'directory' | 'makeId' | 'distrusted' | 'feeds' | 'backups'>,
    Pick<WatchSignupsOptions, 'isCrowded'> {
  readonly store: AlertStore &
    HistoryStore &
    Pick<CampaignStore, 'campaigns'> &
    Pick<OutcomeStore, 'countOutcomes'> &
    Pick<AssessmentStore, 'creditsUsed'>;
  readonly sharedAddresses: Parameters<typeof createWatchSharedAddresses>[0];
  readonly metrics: { alertsOpen(kind: AlertKind, count: number): void };
  readonly log: Pick<Logger, 'warn' | 'info' | 'error'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Time that closed alerts are kept; `null`: for good. */
  readonly retention: Retention | null;
  /** Days that their ranges, domains and sessions are kept; `null`: as long as they. */
  readonly personalDays: number | null;
}

const ROUND_MS = 60_000;
/** Pause between two looks at what this process knows by itself: a change of that is told at once. */
const POLL_MS = 5_000;
const PRUNE_MS = 60_000;

/** Is started and closed as what removes old rows is. */
export function createLiveAlerts(options: LiveAlertsOptions): Pruner {
  const { clock, log } = options;
  const watch = createAlertWatch(watchOptions(options));
  const pruner = createPruner({
    prune: pruneAlerts(options),
    random: Math.random,
    onFault,
    idleMs: PRUNE_MS,
  });
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  let nextAt = 0;
  let known = '';

  function onFault(error: Error): void {
    if (!ending.signal.aborted) log.error({ err: error }, 'alerts could not be watched');
  }

  function plan(): void {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      round = poll().catch(onFault).then(plan);
    }, POLL_MS).unref();
  }

  async function poll(): Promise<void> {
    const now = clock();
    const state = stateOf(options);
    if (state === known && now < nextAt && nextAt - now <= ROUND_MS) return;
    known = state;
    nextAt = now + ROUND_MS;
    await watch.round(now, ending.signal);
  }

  return {
    start() {
      plan();
      pruner.start();
    },
    async close() {
      ending.abort();
      clearTimeout(timer);
      await round;
      await pruner.close();
    },
  };
}

/** State that this process knows by itself, as text. */
function stateOf({ sharedAddresses, distrusted, feeds, backups }: LiveAlertsOptions): string {
  const shared = sharedAddresses().map(({ keyId, kind }) => `${keyId} ${kind}`);
  const waiting = feeds().filter(({ condition }) => condition === 'waiting');
  const backup = String(backups()?.missingFrom);
  return [
    ...shared,
    ...distrusted().map(({ source }) => source),
    ...waiting.map(({ id }) => id),
    backup,
  ].join();
}

function watchOptions(options: LiveAlertsOptions): AlertWatchOptions {
  const { metrics, log } = options;
  return {
    ...options,
    ...liveWatches(options),
    onOpened: (alert) => log.warn(fieldsOf(alert), 'unusual: an alert is open'),
    onClosed: (alert) => log.info(fieldsOf(alert), 'usual again: an alert is closed'),
    onOpen(alerts) {
      for (const kind of ALERT_KINDS)
        metrics.alertsOpen(kind, alerts.filter((alert) => alert.kind === kind).length);
    },
    onFault: (error) => log.error({ err: error }, 'an account could not be watched'),
  };
}

export function liveWatches(
  options: Pick<LiveAlertsOptions, 'store' | 'isCrowded' | 'sharedAddresses'>,
): Pick<AlertWatchOptions, 'watches' | 'slowWatches'> {
  const { store, sharedAddresses } = options;
  return {
    watches: [
      createWatchSignups(options),
      createWatchCampaigns(store),
      createWatchSharedAddresses(sharedAddresses),
    ],
    slowWatches: [
      createWatchShares(options),
      createWatchShadow(options),
      createWatchQuota(store),
      createWatchOutcomes(options),
    ],
  };
}

/** Fields of a log line: nothing of a person. */
function fieldsOf({ id: alert, accountId: account, kind, subject, count, usual }: Alert) {
  return { alert, ...(account && { account }), kind, ...(subject && { subject }), count, usual };
}

function pruneAlerts({ store, clock, retention, personalDays }: LiveAlertsOptions): Prune {
  return async (maxPruned) => {
    const now = clock();
    const removed = retention === null ? 0 : await store.pruneAlerts(keptFrom(retention, now), maxPruned);
    if (personalDays === null) return removed;
    const blanked = await store.blankOldAlerts(keptFrom({ days: personalDays }, now), maxPruned);
    return Math.max(removed, blanked);
  };
}
