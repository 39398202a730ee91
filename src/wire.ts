/** Wires the parts together: the only file that names an adapter. */
import type { FastifyInstance } from 'fastify';
import pino, { type Logger } from 'pino';
import { createDirectory } from './accounts/directory.ts';
import { createSignIn } from './accounts/people/sign-in.ts';
import { createQuota } from './accounts/quota.ts';
import { createFingerprint, type Fingerprint } from './address/fingerprint.ts';
import { networkOf, parseIp } from './address/ip.ts';
import { createAssess } from './assess/assess.ts';
import { assessAtTerminal } from './assess/terminal.ts';
import type { Config } from './config.ts';
import { createMakeId } from './contract/identifiers.ts';
import { createDomainAge } from './evidence/domain-age.ts';
import { createGather } from './evidence/gather.ts';
import { createMailExchange, type MailExchangeLookup } from './evidence/mail-exchange.ts';
import { createDurableAges, type Texts } from './evidence/rdap/durable-ages.ts';
import { createMetrics } from './http/metrics/metrics.ts';
import { createServer } from './http/server.ts';
import { BASELINE_FILE } from './intel/baseline.ts';
import { readFeedSettings } from './intel/feeds/feed-settings.ts';
import { createAccountLists } from './intel/lists/account-lists.ts';
import { createLiveIntel } from './intel/refresh/live-intel.ts';
import { readSecret } from './store/secret.ts';
import { openSqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite.ts';
import type { Store } from './store/store.ts';
import { wireAsides } from './wire/asides.ts';
import { createDesk } from './wire/desk.ts';
import { type ChangesFollowed, followChanges } from './wire/follow-changes.ts';
import { closeDrained, listen } from './wire/listen.ts';
import { openCounters } from './wire/open-counters.ts';
import { openIntel, sharingOf } from './wire/share-feeds.ts';
import { tellError } from './wire/tell-error.ts';
import { tellOfFeeds } from './wire/tell-of-feeds.ts';

export type { TerminalAssessment } from './assess/terminal.ts';

const SURELY_THERE = 'gmail.com';
/** A person at a terminal waits longer for a registry than a signup form does. */
const TERMINAL_DEADLINE_MS = 1_500;

export interface Service {
  readonly app: FastifyInstance;
  readonly store: Store;
  /** Listens; operations are refused as unavailable until `start`. Returns the URL. @throws when it cannot */
  listen(): Promise<string>;
  /** Reads what a restart must not forget; answers from then on. */
  start(): Promise<void>;
  /** Answers what was accepted, stores it, and lets go of everything. */
  close(): Promise<void>;
}

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const serializers = { err: tellError };
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers });
}

/** What one assessment at the terminal needs: real evidence with patient deadlines, nothing stored. */
export async function wireTerminal(config: Config) {
  const clock = Date.now;
  const ignore = () => {};
  const intel = await openIntel(config);
  const mailExchange = createMailExchange({ servers: config.dnsServers, clock, onOutcome: ignore });
  const domainAge = createDomainAge({
    bootstrapUrl: config.rdapBootstrapUrl ?? undefined,
    cache: createDurableAges(forgetful()),
    deadlineMs: TERMINAL_DEADLINE_MS,
    clock,
    onOutcome: ignore,
  });
  const ownLists = { find: () => null };
  const asides = wireAsides(config, clock, forgetful(), { dnsbl: ignore, abuseIpDb: ignore });
  const gather = createGather({
    intel: () => intel,
    mailExchange,
    domainAge,
    ownLists,
    ...asides,
    observe: ignore,
  });
  return {
    assess: (request: { email: string; ip: string | null }) => assessAtTerminal(request, gather, clock()),
    close() {
      mailExchange.close();
      domainAge.close();
      asides.close();
    },
  };
}

/** Where everything of an installation is kept, and how its addresses are hashed. */
export interface Storage {
  readonly store: Store;
  readonly secret: Buffer;
  readonly fingerprint: Fingerprint;
}

/** @throws when it cannot be used, or its addresses were hashed with another secret than the given one */
export async function openStorage(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'retentionMonths' | 'secret'>,
  told: Pick<SqliteStoreOptions, 'onBatch' | 'onFault'> = {},
): Promise<Storage> {
  const { dataDir, databaseUrl: url, retentionMonths } = config;
  if (url === null) {
    // What may be refused comes before the store starts its threads.
    const secret = readSecret(dataDir, config.secret);
    const store = openSqliteStore({ directory: dataDir, ...told });
    return { store, secret, fingerprint: createFingerprint(secret) };
  }
  // Not at the top: a service without these servers starts without what speaks to them.
  const { openPostgresStore } = await import('./store/postgres/postgres.ts');
  const store = await openPostgresStore({ url, retentionMonths, ...told });
  try {
    const secret = await store.secret(config.secret ?? undefined);
    return { store, secret, fingerprint: createFingerprint(secret) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export async function wireService(config: Config, log: Logger): Promise<Service> {
  const clock = Date.now;
  const metrics = createMetrics();
  const feeds = readFeedSettings(config.feedsFile ?? undefined);
  const { store, secret, fingerprint } = await openStorage(config, {
    onBatch: metrics.commit,
    onFault: (error) => log.error({ err: error }, 'the store failed'),
  });
  const intel = await createLiveIntel({
    dataDir: config.dataDir,
    baselineFile: BASELINE_FILE,
    feeds,
    fetching: config.feeds,
    ...sharingOf(config),
    onEvent: (event) => tellOfFeeds(event, metrics, log),
  });
  const texts: Texts = { get: store.knowledge, put: store.keepKnowledge };
  const directory = createDirectory(store);
  const quota = createQuota(store);
  const ownLists = createAccountLists(store);
  const { counters, ...counting } = await openCounters({ ...config, store, clock, metrics, log });
  const mailExchange = createMailExchange({ servers: config.dnsServers, clock, onOutcome: metrics.dns });
  const domainAge = createDomainAge({
    bootstrapUrl: config.rdapBootstrapUrl ?? undefined,
    cache: createDurableAges(texts),
    clock,
    onOutcome: metrics.rdap,
  });
  const asides = wireAsides(config, clock, texts, metrics);
  const gather = createGather({
    intel: intel.current,
    mailExchange,
    domainAge,
    ownLists,
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
  let changes: ChangesFollowed | undefined;
  let stopping = false;
  const app = createServer({
    assess,
    store,
    directory,
    quota,
    counters,
    metrics,
    log,
    makeId: createMakeId(),
    clock,
    ready: () => changes?.isSound(clock()) === true,
    stopping: () => stopping,
    trustProxy: config.trustProxy,
    dashboard: {
      signIn: createSignIn({ store, secret }),
      publicUrl: config.publicUrl,
      networkOf: clientNetwork,
      desk: createDesk({ ...config, intel, fetching: config.feeds, fingerprint }),
    },
  });

  return {
    app,
    store,
    listen: () => listen(app, config),
    async start() {
      await directory.refresh();
      await ownLists.refresh();
      await counting.start();
      directory.noteUses((error) => log.error({ err: error }, 'the use of keys could not be stored'));
      ownLists.keepHits((error) => log.error({ err: error }, 'the hits of lists could not be stored'));
      changes = followChanges({
        parts: [
          { name: 'accounts', refresh: directory.refresh },
          { name: 'own lists', refresh: ownLists.refresh },
        ],
        onHint: store.onChange,
        clock,
        onFault: (name, error) => log.error({ err: error }, `${name} could not be read`),
      });
      intel.start();
      void warnOfBadResolver(mailExchange, log);
    },
    async close() {
      stopping = true;
      await Promise.all([closeDrained(app), intel.close()]);
      mailExchange.close();
      domainAge.close();
      asides.close();
      await counting.close();
      await changes?.close();
      await directory.close();
      await ownLists.close();
      await store.close();
    },
  };
}

/** A resolver that denies what everybody can reach would have every signup judged by its lie. */
async function warnOfBadResolver(mailExchange: MailExchangeLookup, log: Logger): Promise<void> {
  const { status } = await mailExchange.lookup(SURELY_THERE);
  if (status === 'valid') return;
  const finding =
    status === 'unknown' ? 'no resolver answers' : `the resolver denies that ${SURELY_THERE} takes mail`;
  log.warn({ mx_status: status }, `${finding}: check GATEHOUSE_DNS_SERVERS`);
}

/** What attempts to sign in are counted by: an address of version 6 speaks for its /64. */
function clientNetwork(ip: string): string {
  const address = parseIp(ip);
  return address === undefined ? ip : networkOf(address);
}

/** Texts for one command: nothing outlives it. */
function forgetful(): Texts {
  const texts = new Map<string, { text: string; expiresAt: number }>();
  return {
    get: (name) => texts.get(name),
    put: (name, text, expiresAt) => texts.set(name, { text, expiresAt }),
  };
}
