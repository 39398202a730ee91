/** Wires the service together; only this room names adapters. */
import type { Logger } from 'pino';
import { createDirectory, type Directory } from '../accounts/directory.ts';
import type { HashKeys } from '../accounts/hash-keys.ts';
import type { Config } from '../config/config.ts';
import type { Events, EventsForTests } from '../events/events.ts';
import { type AccountLists, createAccountLists } from '../evidence/list-accounts.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import { wireAccountDeletion } from '../installation/account-deletion.ts';
import { applyErasuresAtStart } from '../installation/apply-erasures.ts';
import { type DataFolder, lockDataFolder, reportCutOff } from '../installation/data-folder.ts';
import { createErasureFollower, type ErasureFollower } from '../installation/erasure-follower.ts';
import { readFeedSettings } from '../intel/feed-settings.ts';
import type { LiveIntel } from '../intel/live-intel.ts';
import type { BackupState } from '../model/backup-state.ts';
import { monthOf } from '../platform/month.ts';
import { type Clocks, createClocks } from '../platform/steady-clock.ts';
import { createTracing, type Tracing } from '../platform/tracing.ts';
import { readVersion } from '../platform/version.ts';
import { createAssessSignup } from '../signup/assess-signup.ts';
import { createIdempotency } from '../signup/idempotency.ts';
import { createQuota } from '../signup/quota.ts';
import { createRateLimiter } from '../signup/rate-limit.ts';
import { type ChangePoller, createChangePoller } from '../store/change-poller.ts';
import { createOutageLog } from '../store/outage-log.ts';
import { createPruner, createPruners, type Pruner, prunerFault } from '../store/pruner.ts';
import type { SqliteStoreForTests } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import type { TakeBack } from '../takeback/take-back.ts';
import type { Campaigns } from '../waves/campaigns.ts';
import { wireAlerts } from './alerts.ts';
import { type WiredChallenges, wireChallenges } from './challenges.ts';
import { type OpenCountersOptions, type OpenedCounters, openCounters } from './counters.ts';
import { dashboardServices } from './dashboard-services.ts';
import { wireNotifications } from './events.ts';
import { type WiredEvidence, wireEvidence } from './evidence.ts';
import { type Ports, wirePorts } from './http.ts';
import { wireIntel } from './intel.ts';
import { wireRecall } from './recall.ts';
import { openStorage, type Storage, storageReports } from './storage.ts';
import { wireWaves } from './waves.ts';

/** Velocity counts a day; a clock that is set back further was wrong before. */
const DAY_MS = 86_400_000;
/** A command waits for it. */
const ERASURES_MS = 300;

export interface Service {
  readonly store: Store;
  /** Listens; operations are refused as unavailable until `start`. Returns the URL. @throws when it cannot listen */
  listen(): Promise<string>;
  /** Reads the counts and lists that must survive a restart; then operations are answered. */
  start(): Promise<void>;
  /** Answers and stores accepted requests, then closes everything. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Whether to start without the secret that the data were hashed with. Default: no. */
  readonly newSecret?: boolean;
  /** Scheduled backups, which the caller makes. */
  readonly backups?: () => BackupState | null;
  readonly forTests?: ServiceForTests;
}

/** Default of each: as callers of a service expect. */
interface ServiceForTests extends Pick<OpenCountersOptions, 'deadlines'> {
  readonly storage?: SqliteStoreForTests;
  /** Time for which other processes may not know of the deletion of an account, milliseconds. */
  readonly deletionGraceMs?: number;
  /** Whether the strict reader has each connection first. */
  readonly strictReader?: boolean;
  readonly events?: EventsForTests;
}

export async function wireService(
  config: Config,
  plainLog: Logger,
  options: ServiceOptions = {},
): Promise<Service> {
  const opened: Closable[] = [];
  try {
    return await wireParts(config, plainLog, options, opened);
  } catch (error) {
    // Threads, timers and locks would outlive what failed.
    for (const part of opened.reverse()) await part.close();
    throw error;
  }
}

interface Closable {
  close(): unknown;
}

/** @param opened gets each part that has to be closed if a later one fails */
async function wireParts(
  config: Config,
  plainLog: Logger,
  options: ServiceOptions,
  opened: Closable[],
): Promise<Service> {
  const outages = createOutageLog(plainLog, () => store.verifyCommits());
  const { log } = outages;
  const { newSecret = false, backups = () => null, forTests = {} } = options;
  const { storage, deadlines, deletionGraceMs: graceMs, strictReader = true } = forTests;
  const clocks = createClocks();
  const reports = openReports(config);
  const { metrics } = reports;
  const feeds = readFeedSettings(config.feedsFile ?? undefined);
  const folder = await takeFolder(config, clocks, log, opened);
  let onCommit = () => {};
  const { store, secret, fingerprint, addressHashes, hashKeys } = await openStorage(config, {
    ...storageReports(metrics, outages, newSecret, () => onCommit()),
    patientClock: () => Math.min(clocks.patient(), clocks.wall()),
    forTests: storage,
  });
  opened.push(store);
  await beginStoredMonth(store, clocks);
  metrics.databasePools(store.connectionPools);
  const intel = await wireIntel({ config, feeds, metrics, log, clock: clocks.patient });
  opened.push(intel);
  const directory = createDirectory(store, (accountIds) => deletion.follow(accountIds));
  const ownLists = createAccountLists(store, addressHashes.older);
  const common = { ...config, store, clock: clocks.wall, fingerprint, metrics, log };
  const { counters, ...counting } = await openCounters({ ...common, deadlines });
  opened.push(counting);
  const shared = { config, store, ...reports, clocks, log, secret, fingerprint, addressHashes, directory };
  const { campaigns, mailboxes } = wireWaves({ ...shared, olderHashes: addressHashes.older });
  onCommit = campaigns.committed;
  const evidence = wireEvidence({ ...shared, intel: intel.current, ownLists, campaigns, mailboxes });
  const state: ServiceState = { changes: undefined, stopping: false };
  const stopping = () => state.stopping;
  const deletion = wireAccountDeletion({ ...shared, evidence, counting, stopping, graceMs });
  const challenges = wireChallenges({ config, store, secret, clock: clocks.wall, log, metrics });
  const { refreshHostDecisions: forgetMemory } = evidence;
  const people = { store, log, stopping, forgetMemory, clock: clocks.wall, mailboxes: config, secret };
  const erasures = createErasureFollower({ ...people, hashes: addressHashes });
  const news = wireNotifications({ ...shared, forTests: forTests.events });
  const signup = wireSignup({ ...shared, hashKeys, evidence, challenges, ownLists, counters });
  const administration = { ...config, ...people, intel, addressHashes, erasures, fetching: config.feeds };
  const ports = await wirePorts({
    ...shared,
    ...signup,
    challenges,
    ...news,
    strictReader,
    ready: () => state.changes?.isFresh(clocks.steady()) === true,
    becomeReady: async () => (await state.changes?.becomeFresh()) === true,
    stopping,
    distrusted: evidence.distrusted,
    gatherFromMemory: evidence.gatherFromMemory,
    sharedAddresses: () => evidence.sharedAddresses.list(clocks.wall()),
    services: dashboardServices(administration),
  });
  const pruners = [
    ...createPruners(store, clocks.patient, log),
    deletion.pruner,
    wireAlerts({ ...shared, intel, evidence, backups }),
    wireRecall({ ...shared, intel, ownLists, campaigns, mailHosts: evidence.mailHosts }),
    ...followErasures(config, erasures, log),
  ];
  const applyErasures = () => applyErasuresAtStart(shared).then(erasures.skipNoted);
  const stored = { folder, store, hashKeys, directory, ownLists, campaigns, pruners, applyErasures };
  return serviceOf({ ...stored, intel, counting, evidence, challenges, ...news, ports }, state, clocks, log);
}

/** Metrics and spans: with an SDK, each gatherer that is timed for the metrics is a span, too. */
function openReports({ metricsPort }: Config): { readonly metrics: Metrics; readonly tracing: Tracing } {
  const version = readVersion();
  const metrics = createMetrics({ version, namesAccounts: metricsPort !== null });
  const tracing = createTracing(version);
  const { ended } = tracing;
  if (ended === undefined) return { metrics, tracing };
  const gatherer: Metrics['gatherer'] = (name, milliseconds) => {
    metrics.gatherer(name, milliseconds);
    ended(`gather ${name}`, milliseconds);
  };
  return { metrics: { ...metrics, gatherer }, tracing };
}

/** A clock that was set back over the end of a month, perhaps while nothing ran, charges no month that has ended. */
async function beginStoredMonth(store: Store, { wall, beginMonth }: Clocks): Promise<void> {
  const ahead = wall() + DAY_MS;
  if (monthOf(ahead) !== monthOf(wall()) && (await store.isMonthBegun(monthOf(ahead)))) beginMonth(ahead);
}

async function takeFolder(
  { dataDir }: Config,
  { wall }: Clocks,
  log: Logger,
  opened: Closable[],
): Promise<DataFolder> {
  const folder = await lockDataFolder(dataDir, wall);
  opened.push({ close: folder.release });
  reportCutOff(folder, log);
  return folder;
}

/** Follows erasures, except with PostgreSQL: there commands erase by themselves. */
function followErasures({ databaseUrl }: Config, { follow: prune }: ErasureFollower, log: Logger): Pruner[] {
  if (databaseUrl !== null) return [];
  return [createPruner({ prune, random: Math.random, onFault: prunerFault(log), idleMs: ERASURES_MS })];
}

/** One signup from its first step to its last, and what other operations share with it. */
function wireSignup({
  config,
  store,
  fingerprint,
  hashKeys,
  evidence,
  challenges,
  ownLists,
  counters,
  metrics,
  tracing,
  log,
  clocks,
}: Pick<Parts, 'store' | 'evidence' | 'hashKeys' | 'challenges' | 'ownLists'> &
  Pick<Storage, 'fingerprint'> &
  Pick<OpenedCounters, 'counters'> & {
    readonly config: Config;
    readonly metrics: Metrics;
    readonly tracing: Tracing;
    readonly log: Logger;
    readonly clocks: Clocks;
  }) {
  const quota = createQuota(store);
  const rateLimiter = createRateLimiter({
    counters,
    quota,
    onCounted: (milliseconds) => metrics.gatherer('velocity', milliseconds),
  });
  const idempotency = createIdempotency({
    store,
    fingerprint,
    clock: clocks.calendar,
    onReplay: metrics.idempotentReplay,
    onFault: (error) => log.error({ err: error }, 'an idempotency key could not be released'),
  });
  const assessSignup = createAssessSignup({
    rateLimiter,
    quota,
    idempotency,
    hashes: hashKeys.hashes,
    partialUntil: () => hashKeys.rotatedAt() + DAY_MS,
    gather: tracing.step('gather', evidence.gather),
    noteAddress: evidence.sharedAddresses.note,
    offerChallenge: challenges.offer,
    record: tracing.step('record', store.record),
    storeEmails: config.storeEmails,
    onListed: ({ id }, at) => ownLists.noteHit(id, at),
    onMember: metrics.campaignMember,
    onAssessed: metrics.reasons,
  });
  return { assessSignup, rateLimiter, idempotency };
}

/** The state that the start and the end of a service change. */
interface ServiceState {
  /** Poller, `undefined` before the start. */
  changes: ChangePoller | undefined;
  stopping: boolean;
}

/** The started parts, in order, which are closed again. */
interface Parts {
  readonly folder: DataFolder;
  readonly store: Store;
  readonly hashKeys: HashKeys;
  readonly intel: LiveIntel;
  readonly pruners: readonly Pruner[];
  readonly directory: Directory;
  readonly ownLists: AccountLists;
  readonly campaigns: Campaigns;
  readonly counting: Omit<OpenedCounters, 'counters'>;
  readonly evidence: WiredEvidence;
  readonly challenges: WiredChallenges;
  readonly events: Events;
  readonly takeBack: TakeBack;
  readonly ports: Ports;
  /** Call it before anything of a person who was erased could be shown again. */
  readonly applyErasures: () => Promise<unknown>;
}

function serviceOf(parts: Parts, state: ServiceState, clocks: Clocks, log: Logger): Service {
  const { folder, store, intel, directory, ownLists, campaigns, counting, evidence, ports } = parts;
  const { events, takeBack } = parts;
  const onUnstored = (what: string) => (error: Error) =>
    log.error({ err: error }, `${what} could not be stored`);
  return {
    store,
    async listen() {
      const url = await ports.open();
      folder.noteUrl(url);
      return url;
    },
    async start() {
      await parts.applyErasures();
      await directory.refresh();
      await ownLists.refresh();
      await campaigns.start();
      await evidence.refreshHostDecisions();
      await counting.start();
      directory.noteUses(onUnstored('the last use of keys'));
      ownLists.keepHits(onUnstored('the hit counts of list entries'));
      state.changes = createChangePoller({
        parts: [
          { name: 'accounts', refresh: directory.refresh },
          { name: 'own lists', refresh: ownLists.refresh },
          { name: 'waves of signups', refresh: campaigns.refresh, mayBeOld: true },
          { name: 'addresses of mailboxes', refresh: evidence.mailboxes.refresh, mayBeOld: true },
          { name: 'keys of address hashes', refresh: parts.hashKeys.refresh, mayBeOld: true },
          { name: 'decisions about mail hosts', refresh: evidence.refreshHostDecisions, mayBeOld: true },
        ],
        onHint: store.onChange,
        commitMark: store.commitMark,
        clock: clocks.steady,
        onFault: (name, error) => log.error({ err: error }, `${name} could not be read`),
      });
      intel.start();
      await evidence.start();
      for (const pruner of parts.pruners) pruner.start();
      await Promise.all([events.start(), takeBack.start()]);
      store.endStart();
    },
    async close() {
      state.stopping = true;
      await Promise.all([ports.close(), intel.close()]);
      await evidence.close();
      parts.challenges.close();
      await Promise.all([events.close(), takeBack.close()]);
      await Promise.all(parts.pruners.map((pruner) => pruner.close()));
      await counting.close();
      await state.changes?.close();
      await directory.close();
      await ownLists.close();
      await campaigns.close();
      await store.close();
      folder.release();
    },
  };
}
