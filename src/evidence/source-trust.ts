/** Reports sources that give wrong answers about well-known names: in the log, to Prometheus, and to callers. */
import type { Logger } from 'pino';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { Canary } from './sources/canary.ts';

export interface SourceTrust {
  /** Called by a canary when its source becomes trusted or distrusted. */
  readonly onChange: (canary: Canary) => void;
  /** Adds canaries; their sources are trusted so far. */
  watch(...canaries: readonly Canary[]): void;
  /** Checks all control names now and from time to time. */
  start(): void;
  distrusted(): readonly DistrustedSource[];
}

export interface SourceTrustOptions {
  readonly metrics: { sourceDistrusted(source: string, distrusted: boolean): void };
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

const MAX_NAMED = 2;

export function createSourceTrust({ metrics, log }: SourceTrustOptions): SourceTrust {
  const watched: Canary[] = [];

  return {
    onChange(canary) {
      const { source, distrusted } = canary;
      metrics.sourceDistrusted(source, distrusted);
      const { message, resolution } = describeDistrust(source, canary.wrong);
      if (distrusted) log.warn({ source, wrong: canary.wrong }, `${message} ${resolution}`);
      else log.info({ source }, 'this source answers correctly again, so its answers count again');
    },
    watch(...canaries) {
      watched.push(...canaries);
      for (const { source } of canaries) metrics.sourceDistrusted(source, false);
    },
    start() {
      for (const canary of watched)
        void canary.start().then((outcome) => {
          if (outcome === 'undecided' && canary.source === 'dns')
            log.warn('DNS gave no clear answer about the canary domains: check GATEHOUSE_DNS_SERVERS');
        });
    },
    distrusted: () =>
      watched
        .filter(({ distrusted }) => distrusted)
        .map(({ source, wrong, since }) => ({
          source,
          since: toTimestamp(since),
          ...describeDistrust(source, wrong),
        })),
  };
}

/** Texts about a distrusted source, for operators and for users. */
export function describeDistrust(
  source: string,
  wrong: readonly string[],
): Pick<DistrustedSource, 'message' | 'resolution'> {
  const names = enumerate(wrong);
  const several = wrong.length > 1;
  switch (source) {
    case 'dns':
      return {
        message: `DNS says that ${names} ${several ? 'do not exist, take no mail or share one mail host' : 'does not exist or takes no mail'}. Until it is fixed, no signup is stopped because of what DNS says.`,
        resolution:
          'Check GATEHOUSE_DNS_SERVERS: the resolver must know public names. If it cannot, set GATEHOUSE_CANARY_DOMAINS to domains that it knows.',
      };
    case 'rdap':
      return {
        message: `Domain registries say that ${names} ${several ? 'are' : 'is'} new or not registered. Until it is fixed, the age of domains is unknown and counts against nobody.`,
        resolution:
          'Look for a proxy or captive portal between Gatehouse and the registries, or set GATEHOUSE_RDAP_BOOTSTRAP_URL to off.',
      };
    case 'abuseipdb':
      return {
        message: `AbuseIPDB reports abuse from ${names}, which everybody uses. Until it is fixed, its answers count against nobody.`,
        resolution: 'Check GATEHOUSE_ABUSEIPDB_URL, and look for a proxy between Gatehouse and AbuseIPDB.',
      };
    default:
      return {
        message: `The blocklist ${source.replace(/^dnsbl:/, '')} lists ${names}, which must never be listed. Until it is fixed, its answers count against nobody.`,
        resolution:
          'Check that the list still exists and answers your resolver, or remove it from GATEHOUSE_DNSBL_IP and GATEHOUSE_DNSBL_DOMAIN.',
      };
  }
}

/** `a`, `a and b`, `a, b and 3 more`. */
function enumerate(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  if (more > 0) return `${names.slice(0, MAX_NAMED).join(', ')} and ${more} more`;
  return names.join(' and ');
}
