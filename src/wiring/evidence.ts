/** Wires the sources of evidence: DNS, RDAP, reputation and mail hosts, for a service or for one assessment at the terminal. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { createDomainOutcomes, readDomainOutcomes } from '../evidence/domain-outcomes.ts';
import { createRememberingGatherEmail, type EmailMemoryOptions } from '../evidence/email-memory.ts';
import { createGather, type Gather, type GatherOptions } from '../evidence/gather.ts';
import { createGatherEmail, type EmailGatherers } from '../evidence/gather-email.ts';
import { createGoodReports } from '../evidence/good-reports.ts';
import { type KeptSharedAddresses, keepSharedAddresses } from '../evidence/kept-shared-addresses.ts';
import type { AccountLists } from '../evidence/list-accounts.ts';
import type { HostDecisionSource } from '../evidence/mail-host-decisions.ts';
import { UNASSOCIATED } from '../evidence/mail-host-facts.ts';
import { createMailHosts, type MailHosts } from '../evidence/mail-hosts.ts';
import { createSourceTrust, type SourceTrust } from '../evidence/source-trust.ts';
import type { Canary } from '../evidence/sources/canary.ts';
import { createDnsClient } from '../evidence/sources/dns-client.ts';
import { createDomainAge } from '../evidence/sources/domain-age.ts';
import { createMailExchange } from '../evidence/sources/mail-exchange.ts';
import { createUpstreams } from '../evidence/sources/reputation.ts';
import { readReports } from '../evidence/stored-reports.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Intel } from '../intel/intel.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import { EMPTY_EMAIL } from '../model/evidence.ts';
import type { TextCache } from '../model/text-cache.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import type { Store } from '../store/store.ts';
import type { Campaigns } from '../waves/campaigns.ts';
import type { Mailboxes } from '../waves/mailboxes.ts';

export interface WiredEvidence {
  readonly gather: Gather;
  /** Lists and the form of the address alone: it asks no source, waits for nothing and costs nothing. */
  readonly gatherFromMemory: Gather;
  readonly distrusted: SourceTrust['distrusted'];
  /** Keys and hooks whose signups all have one address. */
  readonly sharedAddresses: Pick<KeptSharedAddresses, 'note' | 'list'>;
  /** Mailboxes with several addresses within the last months. */
  readonly mailboxes: Pick<Mailboxes, 'refresh' | 'learned'>;
  /** Mail hosts, for signups that are judged again. */
  readonly mailHosts: Pick<MailHosts, 'load' | 'consult'>;
  /** Reads what operators decided about mail hosts. @throws when it cannot be read */
  refreshHostDecisions(): Promise<void>;
  /** Forgets what an account saw that was deleted. */
  removeAccount(account: string): void;
  /** Starts the checks that the sources answer correctly, and reads what the last run knew. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface EvidenceOptions {
  readonly config: Config;
  readonly store: Store;
  readonly intel: () => Intel;
  readonly ownLists: AccountLists;
  readonly campaigns: Campaigns;
  readonly mailboxes: Mailboxes;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly clocks: Clocks;
}

/** Max. time that a signup waits for reputation. */
const REPUTATION_MS = 150;

export function wireEvidence(options: EvidenceOptions): WiredEvidence {
  const { config, store, intel, ownLists, campaigns, mailboxes, metrics, log, clocks } = options;
  const trust = createSourceTrust({ metrics, log });
  const read = (account: string) => readReports(store, account, clocks.wall());
  const { gather, gatherFromMemory, mailHosts, canaries, close } = wireSources({
    config,
    intel,
    ownLists,
    campaigns,
    mailboxes,
    goodReports: createGoodReports({ read, clock: clocks.steady }),
    outcomes: createDomainOutcomes({
      read: (account) => readDomainOutcomes(store, account, clocks.wall()),
      clock: clocks.steady,
    }),
    texts: store.cache,
    decisions: store,
    clocks,
    metrics,
    onCanary: trust.onChange,
  });
  trust.watch(...canaries);
  const sharedAddresses = keepSharedAddresses({ texts: store.cache, metrics, log, clock: clocks.wall });
  return {
    gather,
    gatherFromMemory,
    distrusted: trust.distrusted,
    sharedAddresses,
    mailboxes,
    mailHosts,
    refreshHostDecisions: () => mailHosts.refresh(),
    removeAccount(account) {
      mailHosts.removeAccount(account);
      sharedAddresses.removeAccount(account);
      campaigns.removeAccount(account);
      mailboxes.removeAccount(account);
    },
    async start() {
      trust.start();
      await sharedAddresses.start();
      await mailboxes.start();
    },
    async close() {
      sharedAddresses.close();
      await mailboxes.close();
      await close();
    },
  };
}

export interface SourcesOptions
  extends Pick<GatherOptions, 'intel' | 'ownLists' | 'campaigns' | 'mailboxes' | 'outcomes'>,
    Pick<EmailGatherers, 'goodReports'> {
  readonly config: Config;
  readonly texts: TextCache;
  readonly decisions: HostDecisionSource;
  readonly clocks: Pick<Clocks, 'steady' | 'patient'>;
  readonly metrics: Pick<Metrics, 'dns' | 'dnsRefused' | 'rdap' | 'abuseIpDb' | 'dnsbl' | 'gatherer'>;
  readonly onCanary: (canary: Canary) => void;
  /** Max. time that an assessment waits for a registry. */
  readonly rdapDeadlineMs?: number;
}

export function wireSources(options: SourcesOptions) {
  const { config, texts, clocks, metrics, onCanary, rdapDeadlineMs } = options;
  const { canaryDomains } = config;
  const mailExchange = createMailExchange({
    servers: config.dnsServers,
    canaryDomains,
    onCanary,
    clock: clocks.steady,
    onOutcome: metrics.dns,
    onRefused: metrics.dnsRefused,
  });
  const domainAge = createDomainAge({
    bootstrapUrl: config.rdapBootstrapUrl ?? undefined,
    proxies: config,
    texts,
    canaryDomains,
    onCanary,
    ...(rdapDeadlineMs !== undefined && { deadlineMs: rdapDeadlineMs }),
    clock: clocks.patient,
    onOutcome: metrics.rdap,
  });
  // Beside that of the mail exchange.
  const client = createDnsClient({ servers: config.dnsServers, deadlineMs: REPUTATION_MS });
  const mailHosts = createMailHosts({
    minListed: config.disposableMxMin,
    // Callers choose the names of mail hosts: if these do not answer, blocklists must still find a place for queries.
    client: { query: (name, type) => client.query(name, type, 'mail hosts') },
    texts,
    decisions: options.decisions,
    distrusted: () => mailExchange.canary.distrusted,
    clock: clocks.patient,
  });
  const upstreams = createUpstreams({
    ...config,
    proxies: config,
    client,
    deadlineMs: REPUTATION_MS,
    clock: clocks.patient,
    onAbuseIpDb: metrics.abuseIpDb,
    onDnsbl: metrics.dnsbl,
    onCanary,
  });
  return {
    ...wireGather(options, { mailExchange, domainAge, mailHosts, ...upstreams }),
    mailHosts,
    canaries: [mailExchange.canary, domainAge.canary, ...upstreams.canaries],
    async close() {
      mailExchange.close();
      domainAge.close();
      await mailHosts.close();
      upstreams.close();
      client.close();
    },
  };
}

/** `gatherFromMemory` asks nobody: it knows lists and reports alone. */
function wireGather(
  { intel, ownLists, campaigns, mailboxes, goodReports, outcomes, metrics }: SourcesOptions,
  {
    ipReputation,
    ...sources
  }: Omit<EmailMemoryOptions, 'typingMistakes' | 'goodReports'> & Pick<GatherOptions, 'ipReputation'>,
) {
  const own = { typingMistakes: createTypingMistakes(), goodReports };
  const learned = {
    ...(campaigns !== undefined && { campaigns }),
    ...(mailboxes !== undefined && { mailboxes }),
  };
  const common = { intel, ownLists, goodReports, ...learned, ...(outcomes !== undefined && { outcomes }) };
  return {
    gather: createGather({
      ...common,
      gatherEmail: createRememberingGatherEmail({ ...own, ...sources }),
      ipReputation,
      observe: metrics.gatherer,
    }),
    gatherFromMemory: createGather({ ...common, ...withoutSources(own) }),
  };
}

/** Every source except `others` is `unknown`, which does not count against the signup. */
export function withoutSources(
  others: Pick<EmailGatherers, 'typingMistakes' | 'goodReports'> &
    Partial<Pick<EmailGatherers, 'mailExchange' | 'domainAge'>>,
): Omit<GatherOptions, 'intel' | 'ownLists'> {
  return {
    gatherEmail: createGatherEmail({
      mailExchange: { lookup: () => EMPTY_EMAIL.mx },
      domainAge: { lookup: () => EMPTY_EMAIL.age },
      mailHosts: {
        load: () => undefined,
        associate: () => UNASSOCIATED,
      },
      domainReputation: undefined,
      ...others,
    }),
    ipReputation: undefined,
    observe: () => {},
  };
}
