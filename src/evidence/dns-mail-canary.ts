/** Decides whether the resolver can be trusted about mail, by its answers about domains that certainly take mail. */
import type { MailExchange } from '../model/evidence.ts';
import { type Canary, type CanaryRound, createCanary, createNoCanary, majorityOf } from './canary.ts';
import type { DnsClient } from './dns-client.ts';
import { readMailAnswer } from './dns-mail-answer.ts';

export interface MailCanaryOptions {
  readonly client: Pick<DnsClient, 'query'>;
  /** Domains of several owners that certainly take mail; without any the resolver is always trusted. */
  readonly domains: readonly string[];
  /** How long to wait for their answers; a missing one proves nothing. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onChange: (canary: Canary) => void;
}

/** A few small questions that every resolver answers from its cache: they may be asked often. */
const INTERVALS = { everyMs: 60_000, freshMs: 2_000, burstMs: 250, retryMs: 2_000 };
/** So many domains of several owners do not share a mail host. */
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
