/** Decides whether the resolver can be believed about mail, by what it says of domains that surely take mail. */
import { type Canary, createCanary, createNoCanary, majorityOf } from '../canary.ts';
import type { DnsClient } from '../dns-client.ts';
import type { MailExchange } from '../evidence.ts';
import { readMailAnswer } from './mail-answer.ts';

export interface MailCanaryOptions {
  readonly client: Pick<DnsClient, 'query'>;
  /** Domains that surely take mail, of several owners; without any the resolver is always believed. */
  readonly domains: readonly string[];
  /** How long their answers are waited for; silence says nothing. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onChange: (canary: Canary) => void;
}

/** A handful of small questions that every resolver has the answers of at hand: it may be asked often. */
const INTERVALS = { everyMs: 60_000, freshMs: 2_000, burstMs: 250, retryMs: 2_000 };

export function createMailCanary(options: MailCanaryOptions): Canary {
  const { client, domains, deadlineMs, clock, onChange } = options;
  if (domains.length === 0) return createNoCanary('dns');

  /** Asked of the resolver itself: what is remembered may be older than its lie. */
  async function exchangeOf(domain: string): Promise<MailExchange | undefined> {
    const query = client.query(domain, 'MX');
    const deadline = setTimeout(() => query?.stop(), deadlineMs).unref();
    const reply = await query?.reply;
    clearTimeout(deadline);
    return reply === undefined ? undefined : readMailAnswer(reply)?.value;
  }

  async function ask() {
    const exchanges = await Promise.all(domains.map(exchangeOf));
    const denied = domains.filter((_, at) => deniesMail(exchanges[at]));
    const valid = exchanges.flatMap((exchange) => (exchange?.status === 'valid' ? [exchange.hosts] : []));
    return majorityOf(denied, valid.length, domains.length);
  }

  return createCanary({ source: 'dns', ask, intervals: INTERVALS, clock, onChange });
}

/** Whether an answer says that the domain takes no mail, in any of the ways there are. */
export function deniesMail(exchange: MailExchange | undefined): boolean {
  return exchange !== undefined && exchange.status !== 'valid' && exchange.status !== 'unknown';
}
