/** Decides which upstreams are asked, by what the operator configured; all of them are off by default. */
import type { IpAddress } from '../model/signup-attempt.ts';
import type { Canary } from './canary.ts';
import type { DnsClient } from './dns-client.ts';
import { createHttpGet } from './http-get.ts';
import { createReputation, type ReputationLookup } from './reputation.ts';
import { createAbuseIpDb } from './reputation-abuseipdb.ts';
import { createDomainDnsbl, createIpDnsbl } from './reputation-dnsbl.ts';

export interface UpstreamsOptions {
  /** `null` does not ask AbuseIPDB. */
  readonly abuseIpDbKey: string | null;
  readonly abuseIpDbUrl: string;
  /** Zones. */
  readonly dnsblIp: readonly string[];
  readonly dnsblDomain: readonly string[];
  readonly client: Pick<DnsClient, 'query'>;
  /** How long each is waited for at most. Default 150. */
  readonly deadlineMs?: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onAbuseIpDb: (outcome: string, milliseconds: number) => void;
  readonly onDnsbl: (outcome: string, milliseconds: number) => void;
  /** Called when one of them becomes distrusted or trusted again. */
  readonly onCanary?: (canary: Canary) => void;
}

export interface Upstreams {
  readonly ipReputation: ReputationLookup<IpAddress> | undefined;
  readonly domainReputation: ReputationLookup<string> | undefined;
  /** Of each upstream. */
  readonly canaries: readonly Canary[];
  /** Aborts what is under way over HTTP; the DNS client is its owner's to close. */
  close(): void;
}

const LIMIT_MS = 3_000;
const LIMIT_BYTES = 65_536;

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { abuseIpDbKey: key, abuseIpDbUrl: url, client, clock, deadlineMs = 150, onDnsbl } = options;
  const { onCanary = () => {} } = options;
  const http = createHttpGet({ maxRedirects: 0, limitMs: LIMIT_MS, limitBytes: LIMIT_BYTES });
  const dnsbl = (zone: string) => ({ zone, client, clock, deadlineMs, onOutcome: onDnsbl, onCanary });
  const abuseIpDb =
    key === null
      ? []
      : [createAbuseIpDb({ url, key, http, clock, deadlineMs, onOutcome: options.onAbuseIpDb, onCanary })];
  const ipLists = options.dnsblIp.map((zone) => createIpDnsbl(dnsbl(zone)));
  const domainLists = options.dnsblDomain.map((zone) => createDomainDnsbl(dnsbl(zone)));
  const canaries = [...abuseIpDb, ...ipLists, ...domainLists].map(({ canary }) => canary);
  return {
    canaries,
    ipReputation: createReputation({ upstreams: [...abuseIpDb, ...ipLists], fact: 'abuse' }),
    domainReputation: createReputation({ upstreams: domainLists, fact: 'spam' }),
    close() {
      for (const canary of canaries) canary.close();
      http.close();
    },
  };
}
