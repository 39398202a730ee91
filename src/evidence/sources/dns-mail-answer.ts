/** Decides what a reply to an MX query says about a domain's mail, and whether the resolver can be trusted about mail. */
import type { MailExchange } from '../../model/evidence.ts';
import { type Canary, type CanaryRound, createCanary, createNoCanary, majorityOf } from './canary.ts';
import type { DnsClient } from './dns-client.ts';
import type { DnsReply } from './dns-message.ts';

export interface MailAnswer {
  readonly value: MailExchange;
  /** 0: must not be remembered. */
  readonly ttlMs: number;
}

const MAX_HOSTS = 10;
const POSITIVE_SECONDS = 24 * 3_600;
const NEGATIVE_SECONDS = 3 * 3_600;

/** Two labels at least, the last not a number: leaves out addresses, single labels and text that is not a name. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that lead nowhere outside the machine or network that uses them. */
const LOCAL_NAME = /\.(?:localhost|localdomain|local|invalid)$/;

/** `undefined` when the reply proves nothing. */
export function readMailAnswer(reply: DnsReply): MailAnswer | undefined {
  switch (reply.status) {
    case 'records':
      return { value: readExchanges(reply), ttlMs: clampMs(reply.ttlSeconds, POSITIVE_SECONDS) };
    case 'no_records':
      return { value: { status: 'none', hosts: [] }, ttlMs: clampMs(reply.ttlSeconds, NEGATIVE_SECONDS) };
    case 'no_domain':
      return {
        value: { status: 'no_domain', hosts: [] },
        ttlMs: clampMs(reply.ttlSeconds, NEGATIVE_SECONDS),
      };
    default:
      return undefined;
  }
}

/** Sorted by preference, then by name, since servers rotate records of the same preference. */
function readExchanges(reply: DnsReply): MailExchange {
  const exchanges = reply.records.flatMap((record) =>
    record.type === 'MX'
      ? [{ preference: record.data.preference ?? 0, host: record.data.exchange.toLowerCase() }]
      : [],
  );
  if (exchanges.every(({ host }) => host === '.')) return { status: 'null_mx', hosts: [] };
  const usable = exchanges
    .filter(({ host }) => isUsable(host))
    .sort((a, b) => a.preference - b.preference || (a.host < b.host ? -1 : 1));
  const hosts = [...new Set(usable.map(({ host }) => host))].slice(0, MAX_HOSTS);
  return { status: hosts.length > 0 ? 'valid' : 'none', hosts };
}

function isUsable(host: string): boolean {
  return host.length <= 253 && HOST_NAME.test(host) && !LOCAL_NAME.test(host);
}

function clampMs(seconds: number, maxSeconds: number): number {
  return Math.min(seconds, maxSeconds) * 1_000;
}

export interface MailCanaryOptions {
  readonly client: Pick<DnsClient, 'query'>;
  /** Domains of several owners that certainly take mail; without any the resolver is always trusted. */
  readonly domains: readonly string[];
  /** Max. wait for their answers; a missing one proves nothing. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onChange: (canary: Canary) => void;
}

/** A few small questions that every resolver answers from its cache: they may be asked often. */
const INTERVALS = { everyMs: 60_000, freshMs: 2_000, burstMs: 250, retryMs: 2_000 };
/** Number of domains of several owners that do not share a mail host by chance. */
const SAME = 3;

export function createMailCanary(options: MailCanaryOptions): Canary {
  const { client, domains, deadlineMs, clock, onChange } = options;
  if (domains.length === 0) return createNoCanary('dns');

  /** Asks the resolver, not the cache: a cached answer may be older than the fault. */
  async function exchangeOf(domain: string): Promise<MailExchange | undefined> {
    const query = client.query(domain, 'MX');
    const deadline = setTimeout(() => query?.stop(), deadlineMs).unref();
    const reply = await query?.reply;
    clearTimeout(deadline);
    return reply === undefined ? undefined : readMailAnswer(reply)?.value;
  }

  /** Ends when most are right: a look-up waits for it, and one silent domain must not delay it. */
  function ask(): Promise<CanaryRound> {
    const answers = new Map<string, MailExchange | undefined>();
    return new Promise((resolve) => {
      for (const domain of domains) {
        void exchangeOf(domain).then((exchange) => {
          answers.set(domain, exchange);
          const round = judge(domains, answers);
          if (round.outcome === 'right' || answers.size === domains.length) resolve(round);
        });
      }
    });
  }

  return createCanary({ source: 'dns', ask, intervals: INTERVALS, clock, onChange });
}

/** Denials are wrong, and so is one mail host for the domains of several owners. */
function judge(
  domains: readonly string[],
  answers: ReadonlyMap<string, MailExchange | undefined>,
): CanaryRound {
  const denied = domains.filter((domain) => deniesMail(answers.get(domain)));
  const valid = domains.filter((domain) => answers.get(domain)?.status === 'valid');
  const hosts = new Set(valid.map((domain) => answers.get(domain)?.hosts[0]));
  const same = valid.length >= SAME && hosts.size === 1;
  return majorityOf(same ? [...denied, ...valid] : denied, same ? 0 : valid.length, domains.length);
}

/** Whether an answer says that the domain takes no mail, in any of the ways there are. */
export function deniesMail(exchange: MailExchange | undefined): boolean {
  return exchange !== undefined && exchange.status !== 'valid' && exchange.status !== 'unknown';
}
