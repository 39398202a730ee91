/** Opens the feeds of an installation for one command, and shows them with the names of the command line. */
import { type Config, readConfig } from '../config.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import { BASELINE_FILE } from '../intel/baseline.ts';
import type { Feed } from '../intel/feed.ts';
import type { FeedAdmin, FeedOutcome } from '../intel/feed-admin.ts';
import type { FeedManager } from '../intel/feed-manager.ts';
import type { FeedReport } from '../intel/feed-refresh.ts';
import { readFeedSettings } from '../intel/feed-settings.ts';
import type { Publication } from '../intel/snapshot-publisher.ts';
import type { FeedStatus } from '../model/feed-status.ts';
import { auditEntry } from './audit-entry.ts';
import { type OutputRow, printJson, printMany, wantsJson } from './output.ts';
import { withStore } from './records.ts';
import { requireInstallation } from './require-installation.ts';

export interface OpenFeeds {
  readonly config: Config;
  readonly feeds: readonly Feed[];
  readonly admin: FeedAdmin;
  readonly status: FeedManager['status'];
}

/** Opens the feeds of the installation for the time of `work`. */
export async function withFeeds(work: (open: OpenFeeds) => Promise<void>): Promise<void> {
  const [{ createFeedAdmin }, { createFeedManager }, intel] = await Promise.all([
    import('../intel/feed-admin.ts'),
    import('../intel/feed-manager.ts'),
    import('../app-intel-repository.ts'),
  ]);
  const config = readConfig();
  requireInstallation(config);
  const feeds = readFeedSettings(config.feedsFile ?? undefined);
  await intel.prepareDatabase(config.databaseUrl);
  const repository = await intel.openInstallationIntel({ ...config, feeds });
  const manager = createFeedManager({
    repository,
    origin: intel.originOf(config),
    baselineFile: BASELINE_FILE,
    feeds,
    clock: Date.now,
    random: Math.random,
    onDamage: (feed, what) => progress(`${feed}: ${what}`),
  });
  const onWait = () => progress('waiting for the feed update of another node or command to end');
  const admin = createFeedAdmin({ manager, feeds, onReport: printReport, onWait });
  try {
    await work({ config, feeds, admin, status: manager.status });
  } finally {
    await repository.close();
  }
}

/** Feeds are kept outside the store, so the operators' audit log has the command before it begins. */
export function recordAct(action: string, target: string, detail = ''): Promise<void> {
  return withStore((store) => store.audit(auditEntry(null, `intelligence.${action}`, target, detail)));
}

/** @throws when there is no such feed, or it is off */
export function findFeed(feeds: readonly Feed[], id: string): Feed {
  const feed = feeds.find((candidate) => candidate.id === id);
  if (feed === undefined) throw new Error(`no feed ${id}; \`gatehouse intel status\` shows them`);
  if (!feed.enabled) throw new Error(`the feed ${id} is off; GATEHOUSE_FEEDS_FILE can switch it on`);
  return feed;
}

/** On stderr, beside the result. */
export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function showReport(report: FeedReport): OutputRow {
  const { feed, outcome } = report;
  return {
    id: feed,
    outcome,
    version: 'version' in report ? report.version : null,
    entries: 'entries' in report ? report.entries : null,
    why: 'why' in report ? report.why : null,
  };
}

function printReport(report: FeedReport): void {
  const { entries, why } = showReport(report);
  const more = why ?? (entries === null ? '' : `${entries} entries`);
  progress(`${report.feed}: ${report.outcome}${more === '' ? '' : `, ${more}`}`);
}

/** Prints the outcome of each feed, or `empty`. @throws when one of them failed or was refused */
export function printReports(
  { reports, publication }: FeedOutcome,
  options: { json?: true },
  empty: string,
): void {
  const rows = reports.map(showReport);
  if (wantsJson(options)) printJson({ feeds: rows, snapshot: publication?.id ?? null });
  else printMany(rows, options, empty);
  const bad = reports.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused');
  if (bad.length === 0) return;
  const names = bad.map(({ feed, outcome }) => `${feed} ${outcome}`).join(', ');
  throw new Error(`${bad.length} of ${reports.length} feeds are not up to date: ${names}`);
}

export function printPublication(publication: Publication | undefined): void {
  if (publication === undefined) {
    progress('the active snapshot needs no change');
    return;
  }
  const { id, feeds, milliseconds } = publication;
  progress(
    `snapshot ${id} compiled with ${feeds} feeds in ${milliseconds} ms; a running service switches to it`,
  );
}

export function showStatus(status: FeedStatus, now: number) {
  const time = (at: number | null) => (at === null ? null : toTimestamp(at));
  const { refusal } = status;
  return {
    id: status.id,
    state: status.condition,
    version: status.version,
    fetched_at: time(status.fetchedAt),
    confirmed_at: time(status.seenAt),
    age_seconds: status.seenAt === null ? null : Math.max(0, Math.round((now - status.seenAt) / 1000)),
    entries: status.version === null ? null : status.entries,
    last_failure: status.failure,
    last_refusal: refusal && { at: time(refusal.at), why: refusal.why, version: refusal.version },
    held: status.held,
    licence: status.licence,
    url: status.url,
  };
}
