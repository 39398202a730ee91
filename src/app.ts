/** Wires the service together; only this room names adapters. */
import type { Logger } from 'pino';
import { createDirectory } from './accounts/directory.ts';
import { createKnownDevices } from './accounts/known-device.ts';
import { createQuota } from './accounts/quota.ts';
import { createSessionClock } from './accounts/session-clock.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { networkOf, parseIp } from './address/ip.ts';
import { type ChangePoller, createChangePoller } from './app-change-poller.ts';
import { openCounters } from './app-counters.ts';
import { dashboardServices } from './app-dashboard-services.ts';
import { holdDataFolder } from './app-data-folder.ts';
import { createFeedEventLogger } from './app-feed-event-logger.ts';
import { readReports } from './app-good-reports.ts';
import { openIntel } from './app-intel-repository.ts';
import { listen, type OpenPort, readMaxConnections } from './app-listen.ts';
import { wireReputation } from './app-reputation.ts';
import { createSourceTrust } from './app-source-trust.ts';
import { openStorage } from './app-storage.ts';
import { createAssess } from './assess/assess.ts';
import type { Config } from './config.ts';
import { createMakeId } from './contract/identifiers.ts';
import type { TextCache } from './evidence/cached-texts.ts';
import { createDomainAge } from './evidence/domain-age.ts';
import { createGather } from './evidence/gather.ts';
import { createGoodReports } from './evidence/good-reports.ts';
import { createMailExchange } from './evidence/mail-exchange.ts';
import { createMetrics } from './http/metrics.ts';
import { createMetricsServer } from './http/metrics-server.ts';
import { createToErrorResponse } from './http/problems.ts';
import { createServer } from './http/server.ts';
import { readFeedSettings } from './intel/feeds/feed-settings.ts';
import { createAccountLists } from './intel/lists/account-lists.ts';
import { createLiveIntel } from './intel/refresh/live-intel.ts';
import { createTypingMistakes } from './intel/typing-mistake.ts';
import { createSteadyClock } from './steady-clock.ts';
import { createCachePruner } from './store/knowledge-pruner.ts';
import type { Store } from './store/store.ts';
import { readVersion } from './version.ts';

export interface Service {
  readonly store: Store;
  /** Listens; operations are refused as unavailable until `start`. Returns the URL. @throws when it cannot */
  listen(): Promise<string>;
  /** Reads what a restart must not forget; answers from then on. */
  start(): Promise<void>;
  /** Answers what was accepted, stores it, and lets go of everything. */
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** @param newSecret whether to go on without the secret that data were made with */
export async function wireService(config: Config, log: Logger, newSecret = false): Promise<Service> {
  const clock = Date.now;
  const steady = createSteadyClock({ wall: clock, monotonic: () => performance.now() });
  // What it stamps outlives the process, or is lost with it: a jump that is taken back soon must not count.
  const patient = createSteadyClock({ wall: clock, monotonic: () => performance.now(), patienceMs: HOUR_MS });
  const metrics = createMetrics({ version: readVersion(), namesAccounts: config.metricsPort !== null });
  const feeds = readFeedSettings(config.feedsFile ?? undefined);
  const folder = await holdDataFolder(config.dataDir, clock);
  const { store, secret, fingerprint } = await openStorage(config, {
    warm: true,
    onBatch: metrics.commit,
    onFault: (error) => log.error({ err: error }, 'the store failed'),
    onDeath: metrics.threadDeath,
    newSecret: newSecret ? { onLoss: (loss) => log.warn(`the secret was replaced: ${loss}`) } : undefined,
    onNewSecret: () =>
      log.warn('secret.key was missing: created a new one, because no data needs the old one'),
    onCommitHealth(canCommit, error) {
      if (canCommit) log.warn('commits succeed again');
      else log.error({ err: error }, 'nothing could be committed for 5 seconds: /readyz answers 503');
    },
    onWait: () => log.info('waiting for another node that migrates the database'),
  });
  metrics.databasePools(store.connectionPools);
  const onEvent = createFeedEventLogger(metrics, log, config.feeds);
  const intel = createLiveIntel({
    initial: await openIntel(config, (why) => onEvent({ kind: 'fault', why })),
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    feeds,
    fetching: config.feeds,
    thread: new URL('./app-intel-thread.js', import.meta.url),
    onEvent,
  });
  const texts: TextCache = {
    get: store.knowledge,
    read: store.readKnowledge,
    put: store.keepKnowledge,
  };
  const pruner = createCachePruner({
    store,
    clock: patient,
    random: Math.random,
    onFault: (error) => log.error({ err: error }, 'expired cache entries could not be removed'),
  });
  const directory = createDirectory(store);
  const quota = createQuota(store);
  const ownLists = createAccountLists(store);
  const { counters, ...counting } = await openCounters({
    ...config,
    store,
    clock,
    fingerprint,
    metrics,
    log,
  });
  const sources = createSourceTrust({ metrics, log });
  const mailExchange = createMailExchange({
    servers: config.dnsServers,
    canaryDomains: config.canaryDomains,
    onCanary: sources.onChange,
    clock: steady,
    onOutcome: metrics.dns,
    onRefused: metrics.dnsRefused,
  });
  const domainAge = createDomainAge({
    bootstrapUrl: config.rdapBootstrapUrl ?? undefined,
    texts,
    canaryDomains: config.canaryDomains,
    onCanary: sources.onChange,
    clock: patient,
    onOutcome: metrics.rdap,
  });
  const asides = wireReputation(
    config,
    patient,
    texts,
    store,
    metrics,
    mailExchange.canary,
    sources.onChange,
  );
  sources.watch(mailExchange.canary, domainAge.canary, ...asides.canaries);
  const gather = createGather({
    intel: intel.current,
    mailExchange,
    domainAge,
    ownLists,
    typingMistakes: createTypingMistakes(),
    goodReports: createGoodReports({
      read: (account) => readReports(store, account, clock()),
      clock: steady,
    }),
    ...asides,
    observe: metrics.gatherer,
  });
  const assess = createAssess({
    gather,
    record: store.record,
    fingerprint,
    storeEmails: config.storeEmails,
    onListed: ({ id }, at) => ownLists.noteHit(id, at),
  });
  let changes: ChangePoller | undefined;
  let stopping = false;
  const isReady = () => changes?.isFresh(steady()) === true;
  const sessionClock = createSessionClock({ wall: clock, monotonic: () => performance.now() });
  const signIn = createSignIn({
    store,
    secret,
    clock: sessionClock,
    onFault: (error) => log.warn({ err: error }, 'the last use of a session could not be saved'),
  });
  const makeId = createMakeId();
  const server = createServer({
    assess,
    store,
    directory,
    quota,
    counters,
    metrics,
    metricsElsewhere: config.metricsPort !== null,
    log,
    makeId,
    clock,
    ready: isReady,
    becomeReady: async () => (await changes?.becomeSound()) === true,
    stopping: () => stopping,
    canCommit: store.canCommit,
    distrusted: sources.distrusted,
    trustProxy: config.trustProxy,
    maxConnections: await readMaxConnections(),
    publicUrl: config.publicUrl,
    dashboard: {
      signIn,
      devices: createKnownDevices({ secret, clock: sessionClock.now, passwordHashOf: signIn.passwordHashOf }),
      sessionClock,
      networkOf: clientNetwork,
      services: dashboardServices({ ...config, store, clock, intel, fetching: config.feeds, fingerprint }),
    },
  });

  const metricsServer = createMetricsServer({
    ready: () => isReady() && !stopping,
    canCommit: store.canCommit,
    distrusted: sources.distrusted,
    metrics,
    toErrorResponse: createToErrorResponse(log),
    makeId,
    clock,
    stopping: () => stopping,
  });

  const ports: OpenPort[] = [];
  async function open(...parts: Parameters<typeof listen>): Promise<string> {
    const port = await listen(...parts);
    ports.push(port);
    return port.url;
  }

  return {
    store,
    async listen() {
      const { host, metricsPort } = config;
      if (metricsPort !== null) {
        const url = await open(metricsServer, { host, port: metricsPort }, 'GATEHOUSE_METRICS_PORT');
        log.info({ url: `${url}/metrics` }, 'metrics and health');
      }
      const url = await open(server, config);
      folder.noteUrl(url);
      return url;
    },
    async start() {
      await directory.refresh();
      await ownLists.refresh();
      await asides.mailHosts.refresh();
      await counting.start();
      directory.noteUses((error) => log.error({ err: error }, 'the last use of keys could not be stored'));
      ownLists.keepHits((error) =>
        log.error({ err: error }, 'the hit counts of list entries could not be stored'),
      );
      changes = createChangePoller({
        parts: [
          { name: 'accounts', refresh: directory.refresh },
          { name: 'own lists', refresh: ownLists.refresh },
          { name: 'decisions about mail hosts', refresh: () => asides.mailHosts.refresh(), mayBeOld: true },
        ],
        onHint: store.onChange,
        clock: steady,
        onFault: (name, error) => log.error({ err: error }, `${name} could not be read`),
      });
      intel.start();
      sources.start();
      pruner.start();
    },
    async close() {
      stopping = true;
      await Promise.all([...ports.map((port) => port.close()), intel.close()]);
      mailExchange.close();
      domainAge.close();
      await asides.close();
      await pruner.close();
      await counting.close();
      await changes?.close();
      await directory.close();
      await ownLists.close();
      await store.close();
      folder.release();
    },
  };
}

/** What failed sign-ins are counted by: an address of version 6 speaks for its /64. */
function clientNetwork(ip: string): string {
  const address = parseIp(ip);
  return address === undefined ? ip : networkOf(address);
}
