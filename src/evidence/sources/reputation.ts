/** Asks the configured upstreams and combines their answers; all are off by default. */
import type { Hit } from '../../model/evidence.ts';
import type { IpAddress } from '../../model/signup-attempt.ts';
import type { ProxySettings } from '../../outbound/proxy-choice.ts';
import type { Canary } from './canary.ts';
import type { DnsClient } from './dns-client.ts';
import { createHttpGet } from './http-get.ts';
import { createAbuseIpDb } from './reputation-abuseipdb.ts';
import { createDomainDnsbl, createIpDnsbl } from './reputation-dnsbl.ts';
import type { Upstream, UpstreamAnswer } from './reputation-upstream.ts';

export interface UpstreamsOptions {
  /** `null` does not ask AbuseIPDB. */
  readonly abuseIpDbKey: string | null;
  readonly abuseIpDbUrl: string;
  /** Proxies through which AbuseIPDB is asked. Default: none. */
  readonly proxies?: ProxySettings | undefined;
  /** Zones. */
  readonly dnsblIp: readonly string[];
  readonly dnsblDomain: readonly string[];
  readonly client: Pick<DnsClient, 'query'>;
  /** Max. time to wait for each. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onAbuseIpDb: (outcome: string, milliseconds: number) => void;
  readonly onDnsbl: (outcome: string, milliseconds: number) => void;
  /** Called when one of them becomes distrusted or trusted again. */
  readonly onCanary: (canary: Canary) => void;
}

export interface Upstreams {
  readonly ipReputation: ReputationLookup<IpAddress> | undefined;
  readonly domainReputation: ReputationLookup<string> | undefined;
  /** The canary of each upstream. */
  readonly canaries: readonly Canary[];
  /** Aborts open HTTP requests; the owner of the DNS client closes it. */
  close(): void;
}

const LIMIT_MS = 3_000;
const LIMIT_BYTES = 65_536;

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { abuseIpDbKey: key, abuseIpDbUrl: url, client, clock, deadlineMs, onDnsbl, onCanary } = options;
  const http = createHttpGet({
    maxRedirects: 0,
    limitMs: LIMIT_MS,
    limitBytes: LIMIT_BYTES,
    proxies: options.proxies,
  });
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

/** The answer of several upstreams together about one domain or address. */
export interface Reputation {
  /** Π(1 − weight / 100) over the listings; 1 without any. */
  readonly innocence: number;
  readonly hits: readonly Hit[];
  /** Ids of the upstreams that did not answer in time. */
  readonly unknown: readonly string[];
}

export interface ReputationLookup<S> {
  /** Never rejects. */
  lookup(subject: S): Promise<Reputation>;
}

export const NO_REPUTATION: Reputation = { innocence: 1, hits: [], unknown: [] };

/** `undefined` without upstreams: then there is nobody to ask. */
function createReputation<S>(options: {
  readonly upstreams: readonly Upstream<S>[];
  /** The fact that a listing states about its subject. */
  readonly fact: string;
}): ReputationLookup<S> | undefined {
  const { upstreams, fact } = options;

  function combine(answers: readonly UpstreamAnswer[]): Reputation {
    if (answers.every((answer) => answer === 'clear')) return NO_REPUTATION;
    let innocence = 1;
    const hits: Hit[] = [];
    const unknown: string[] = [];
    answers.forEach((answer, at) => {
      const { id } = upstreams[at] as Upstream<S>;
      if (answer === 'unknown') unknown.push(id);
      if (typeof answer === 'string') return;
      innocence *= 1 - answer.weight / 100;
      hits.push({ fact, source: id, entry: answer.entry });
    });
    return { innocence, hits, unknown };
  }

  if (upstreams.length === 0) return undefined;
  return {
    lookup: async (subject) =>
      combine(await Promise.all(upstreams.map((upstream) => upstream.lookup(subject)))),
  };
}

/** An abuse score and what upstreams add to it, as independent evidence: 0 … 100. */
export function addAbuse(score: number, { innocence }: Reputation): number {
  return innocence === 1 ? score : Math.round(100 * (1 - (1 - score / 100) * innocence));
}
