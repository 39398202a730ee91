/** Wires what is learned of mail hosts and whoever is asked about reputation, beside the mail exchange and on a client of its own. */
import type { Config } from './config.ts';
import type { TextCache } from './evidence/cached-texts.ts';
import type { Canary } from './evidence/canary.ts';
import { createDnsClient } from './evidence/dns-client.ts';
import type { HostDecisionSource } from './evidence/mail-host-decisions.ts';
import { createMailHosts } from './evidence/mail-hosts.ts';
import { createUpstreams } from './evidence/reputation-upstreams.ts';
import type { Metrics } from './http/metrics.ts';

/** How long upstreams are waited for at most. */
const REPUTATION_MS = 150;

export function wireReputation(
  config: Config,
  clock: () => number,
  texts: TextCache,
  decisions: HostDecisionSource,
  metrics: Pick<Metrics, 'dnsbl' | 'abuseIpDb'>,
  dns: Pick<Canary, 'distrusted'>,
  onCanary: (canary: Canary) => void = () => {},
) {
  const client = createDnsClient({ servers: config.dnsServers, deadlineMs: REPUTATION_MS });
  const mailHosts = createMailHosts({
    minListed: config.disposableMxMin,
    // Callers choose the names of mail hosts: silent ones must not keep blocklists from being asked.
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
