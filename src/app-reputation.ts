/** Wires mail hosts and reputation services, with a DNS client of their own beside that of the mail exchange. */
import type { Config } from './config.ts';
import type { TextCache } from './evidence/cached-texts.ts';
import type { Canary } from './evidence/canary.ts';
import { createDnsClient } from './evidence/dns-client.ts';
import type { HostDecisionSource } from './evidence/mail-host-decisions.ts';
import { createMailHosts } from './evidence/mail-hosts.ts';
import { createUpstreams } from './evidence/reputation.ts';
import type { Metrics } from './http/metrics.ts';

/** How long a signup waits for them at most. */
const REPUTATION_MS = 150;

export interface ReputationOptions {
  readonly config: Config;
  readonly clock: () => number;
  readonly texts: TextCache;
  readonly decisions: HostDecisionSource;
  readonly metrics: Pick<Metrics, 'dnsbl' | 'abuseIpDb'>;
  /** Whether the answers of DNS can be believed. */
  readonly dns: Pick<Canary, 'distrusted'>;
  readonly onCanary: (canary: Canary) => void;
}

export function wireReputation(options: ReputationOptions) {
  const { config, clock, texts, decisions, metrics, dns, onCanary } = options;
  const client = createDnsClient({ servers: config.dnsServers, deadlineMs: REPUTATION_MS });
  const mailHosts = createMailHosts({
    minListed: config.disposableMxMin,
    // Callers choose the names of mail hosts: if these do not answer, blocklists must still find a place for queries.
    client: { query: (name, type) => client.query(name, type, 'mail hosts') },
    texts,
    decisions,
    distrusted: () => dns.distrusted,
    clock,
  });
  const upstreams = createUpstreams({
    ...config,
    client,
    deadlineMs: REPUTATION_MS,
    clock,
    onAbuseIpDb: metrics.abuseIpDb,
    onDnsbl: metrics.dnsbl,
    onCanary,
  });
  return {
    mailHosts,
    ipReputation: upstreams.ipReputation,
    domainReputation: upstreams.domainReputation,
    canaries: upstreams.canaries,
    async close() {
      await mailHosts.close();
      upstreams.close();
      client.close();
    },
  };
}
