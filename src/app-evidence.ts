/** Wires the sources of evidence: DNS, RDAP, reputation, mail hosts, and the reports on a source that gives wrong answers. */
import type { Logger } from 'pino';
import type { Clocks } from './app-clocks.ts';
import { readReports } from './app-good-reports.ts';
import { wireReputation } from './app-reputation.ts';
import { createSourceTrust, type SourceTrust } from './app-source-trust.ts';
import type { Config } from './config.ts';
import type { TextCache } from './evidence/cached-texts.ts';
import { createDomainAge } from './evidence/domain-age.ts';
import { createGather, type Gather } from './evidence/gather.ts';
import { createGoodReports } from './evidence/good-reports.ts';
import { createMailExchange } from './evidence/mail-exchange.ts';
import type { Metrics } from './http/metrics.ts';
import type { Intel } from './intel/intel.ts';
import type { AccountLists } from './intel/list-accounts.ts';
import { createTypingMistakes } from './intel/typing-mistake.ts';
import type { Store } from './store/store.ts';

export interface WiredEvidence {
  readonly gather: Gather;
  readonly distrusted: SourceTrust['distrusted'];
  /** Reads what operators decided about mail hosts. @throws when it cannot be read */
  refreshHostDecisions(): Promise<void>;
  /** Starts the checks that the sources answer correctly. */
  start(): void;
  close(): Promise<void>;
}

export interface EvidenceOptions {
  readonly config: Config;
  readonly store: Store;
  readonly intel: () => Intel;
  readonly ownLists: AccountLists;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly clocks: Clocks;
}

export function wireEvidence(options: EvidenceOptions): WiredEvidence {
  const { config, store, intel, ownLists, metrics, log, clocks } = options;
  const texts: TextCache = store.cache;
  const sources = createSourceTrust({ metrics, log });
  const mailExchange = createMailExchange({
    servers: config.dnsServers,
    canaryDomains: config.canaryDomains,
    onCanary: sources.onChange,
    clock: clocks.steady,
    onOutcome: metrics.dns,
    onRefused: metrics.dnsRefused,
  });
  const domainAge = createDomainAge({
    bootstrapUrl: config.rdapBootstrapUrl ?? undefined,
    texts,
    canaryDomains: config.canaryDomains,
    onCanary: sources.onChange,
    clock: clocks.patient,
    onOutcome: metrics.rdap,
  });
  const reputation = wireReputation({
    config,
    clock: clocks.patient,
    texts,
    decisions: store,
    metrics,
    dns: mailExchange.canary,
    onCanary: sources.onChange,
  });
  const { mailHosts, ipReputation, domainReputation } = reputation;
  sources.watch(mailExchange.canary, domainAge.canary, ...reputation.canaries);
  const read = (account: string) => readReports(store, account, clocks.wall());
  return {
    gather: createGather({
      intel,
      mailExchange,
      domainAge,
      ownLists,
      typingMistakes: createTypingMistakes(),
      goodReports: createGoodReports({ read, clock: clocks.steady }),
      mailHosts,
      ipReputation,
      domainReputation,
      observe: metrics.gatherer,
    }),
    distrusted: sources.distrusted,
    refreshHostDecisions: () => mailHosts.refresh(),
    start: sources.start,
    async close() {
      mailExchange.close();
      domainAge.close();
      await reputation.close();
    },
  };
}
