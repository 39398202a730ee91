/** Opens the feeds of an installation for one command, and prints what became of them. */
import { type Config, readConfig } from '../config/config.ts';
import type { FeedService } from '../intel/feed-service.ts';
import { type FeedTable, readFeedSettings } from '../intel/feed-settings.ts';
import { auditEntry, requireInstallation, withStore } from './installation.ts';
import { type OutputOptions, printJson, printMany, printProgress, wantsJson } from './output.ts';

type FeedAdmin = ReturnType<FeedService['admin']>;
type FeedOutcome = Awaited<ReturnType<FeedAdmin['refresh']>>;
type FeedReport = FeedOutcome['reports'][number];

export interface OpenFeeds {
  readonly config: Config;
  readonly feeds: FeedTable;
  readonly admin: FeedAdmin;
  readonly status: FeedService['status'];
}

/** Opens the feeds of the installation for the time of `work`. */
export async function withFeeds(work: (open: OpenFeeds) => Promise<void>): Promise<void> {
  const [{ createFeedService }, { refuseNewer }, intel] = await Promise.all([
    import('../intel/feed-service.ts'),
    import('../operate/newer-data.ts'),
    import('../wiring/intel-place.ts'),
  ]);
  const config = readConfig();
  requireInstallation(config);
  // `prepareDatabase` says so of PostgreSQL.
  if (config.databaseUrl === null) await refuseNewer(config);
  const feeds = readFeedSettings(config.feedsFile ?? undefined);
  await intel.prepareDatabase(config.databaseUrl);
  const repository = await intel.openInstallationIntel({ ...config, feeds });
  const service = createFeedService({
    repository,
    origin: intel.originOf(config),
    feeds,
    proxies: config,
    clock: Date.now,
    onDamage: (feed, what) => printProgress(`${feed}: ${what}`),
  });
  const onWait = () => printProgress('waiting for the feed update of another node or command to end');
  const admin = service.admin({ onReport: printReport, onWait });
  try {
    await work({ config, feeds, admin, status: service.status });
  } finally {
    await repository.close();
  }
}

/** Feeds are kept outside the store, so the operators' audit log has the command before it begins. */
export function recordCommand(action: string, target: string, detail = ''): Promise<void> {
  return withStore((store) => store.audit(auditEntry(null, `intelligence.${action}`, target, detail)));
}

/** @throws when there is no such feed, or it is off */
export function findFeed(feeds: FeedTable, id: string): FeedTable[number] {
  const feed = feeds.find((candidate) => candidate.id === id);
  if (feed === undefined) throw new Error(`no feed ${id}; \`gatehouse intel status\` shows them`);
  if (!feed.enabled) throw new Error(`the feed ${id} is disabled; GATEHOUSE_FEEDS_FILE can enable it`);
  return feed;
}

/**
 * Prints the outcome of each feed, or `empty`. @throws when one of them failed or was rejected
 * @param isLeftToService whether the service compares and uses the new versions
 */
export function printReports(
  { reports, publication }: FeedOutcome,
  options: OutputOptions,
  empty: string,
  isLeftToService: boolean,
): void {
  if (isLeftToService) printProgress(LEFT_TO_SERVICE);
  else {
    printPublication(publication);
    if (publication !== undefined) printProgress(NOT_COMPARED);
  }
  const rows = reports.map(toRow);
  if (wantsJson(options)) printJson({ feeds: rows, snapshot: publication?.id ?? null });
  else printMany(rows, options, empty);
  const bad = reports.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused');
  if (bad.length === 0) return;
  const names = bad.map(({ feed, outcome }) => `${feed} ${outcome}`).join(', ');
  throw new Error(`${bad.length} of ${reports.length} feeds are not up to date: ${names}`);
}

const LEFT_TO_SERVICE =
  'not used yet: the service compares verdicts first; `gatehouse intel status` shows the result';
const NOT_COMPARED =
  'verdicts were not compared before; with --compare the service does that, and too many changes wait for you';

export function printPublication(publication: FeedOutcome['publication']): void {
  if (publication === undefined) {
    printProgress('the active snapshot needs no change');
    return;
  }
  const { id, feeds, milliseconds } = publication;
  printProgress(
    `snapshot ${id} compiled with ${feeds} feeds in ${milliseconds} ms; a running service switches to it`,
  );
}

function printReport(report: FeedReport): void {
  const { entries, why } = toRow(report);
  const more = why ?? (entries === null ? '' : `${entries} entries`);
  printProgress(`${report.feed}: ${report.outcome}${more === '' ? '' : `, ${more}`}`);
}

function toRow(report: FeedReport) {
  const { feed, outcome } = report;
  return {
    id: feed,
    outcome,
    version: 'version' in report ? report.version : null,
    entries: 'entries' in report ? report.entries : null,
    why: 'why' in report ? report.why : null,
  };
}
