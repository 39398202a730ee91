/** Decides whether a domain can receive mail, from its MX records and within a deadline. */
import { readMailAnswer } from './dns/mail-answer.ts';
import type { DnsQuery } from './dns/query.ts';
import type { DnsReply } from './dns/reply.ts';
import { createResolverHealth, type ResolverHealth } from './dns/resolver-health.ts';
import { createDnsClient, type DnsClient } from './dns-client.ts';
import type { MailExchange } from './evidence.ts';
import { createRecent } from './recent.ts';

export interface MailExchangeOptions {
  /** Name servers: `ip`, `ip:port` or `[v6]:port`. */
  readonly servers: readonly string[];
  /** How long a lookup waits at most. Default 800. */
  readonly deadlineMs?: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Domains remembered at most. Default 50,000. */
  readonly capacity?: number;
  /**
   * Called once a lookup with how it ended and after how long: `valid`, `none`, `null_mx`, `no_domain`; `servfail`
   * (replies without an answer); `timeout` (no reply); `cache`; `shared` (joined a query in flight); `breaker`
   * (resolver dead); `busy` (too many queries open). And once more, `late`, when the answer follows a `timeout`.
   */
  readonly onOutcome?: (outcome: string, milliseconds: number) => void;
}

export interface MailExchangeLookup {
  /** `domain` in canonical form. Never rejects; synchronous whenever nothing has to be asked. */
  lookup(domain: string): MailExchange | Promise<MailExchange>;
  /** Ends open lookups with `unknown`. */
  close(): void;
}

interface Remembered {
  readonly value: MailExchange;
  readonly until: number;
}

const UNKNOWN: MailExchange = { status: 'unknown', hosts: [] };
const UNKNOWN_MS = 10_000;

export function createMailExchange(options: MailExchangeOptions): MailExchangeLookup {
  return new Lookups(options);
}

class Lookups implements MailExchangeLookup {
  readonly #clock: () => number;
  readonly #deadlineMs: number;
  readonly #onOutcome: (outcome: string, milliseconds: number) => void;
  readonly #client: DnsClient;
  readonly #health: ResolverHealth;
  readonly #answers;
  /** Until when a domain that could not be answered is not asked for again; forgotten when a dead resolver revives. */
  readonly #doubts;
  readonly #inFlight = new Map<string, Promise<MailExchange>>();
  #probe: DnsQuery | undefined;

  constructor({
    servers,
    deadlineMs = 800,
    clock,
    capacity = 50_000,
    onOutcome = () => {},
  }: MailExchangeOptions) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#onOutcome = onOutcome;
    this.#answers = createRecent<Remembered>(capacity);
    this.#doubts = createRecent<number>(capacity);
    this.#client = createDnsClient({ servers, deadlineMs, clock, onReply: () => this.#health.heard() });
    this.#health = createResolverHealth({
      probe: () => {
        this.#probe?.stop();
        this.#probe = this.#client.query('.', 'NS');
      },
      onRevived: () => this.#doubts.clear(),
    });
  }

  lookup(domain: string): MailExchange | Promise<MailExchange> {
    const now = this.#clock();
    const known = this.#answers.get(domain);
    if (known === undefined || known.until <= now) return this.#miss(domain, now);
    this.#onOutcome('cache', 0);
    return known.value;
  }

  close(): void {
    this.#health.close();
    this.#client.close();
  }

  #miss(domain: string, now: number): MailExchange | Promise<MailExchange> {
    const doubtedUntil = this.#doubts.get(domain);
    if (doubtedUntil !== undefined && doubtedUntil > now) return this.#unasked('cache');
    const inFlight = this.#inFlight.get(domain);
    if (inFlight !== undefined) {
      this.#onOutcome('shared', 0);
      return inFlight;
    }
    if (this.#health.dead) return this.#unasked('breaker');
    const query = this.#client.query(domain, 'MX');
    return query === undefined ? this.#unasked('busy') : this.#await(domain, query, now);
  }

  #unasked(outcome: string): MailExchange {
    this.#onOutcome(outcome, 0);
    return UNKNOWN;
  }

  #await(domain: string, query: DnsQuery, start: number): Promise<MailExchange> {
    const answer = new Promise<MailExchange>((resolve) => {
      let late = false;
      const deadline = setTimeout(() => {
        late = true;
        // From here on the doubt keeps others from asking, for longer than this query can last.
        this.#inFlight.delete(domain);
        resolve(this.#unanswered(domain, query.heard, start));
      }, this.#deadlineMs);
      void query.reply.then((reply) => {
        clearTimeout(deadline);
        if (!late) this.#inFlight.delete(domain);
        resolve(this.#settle(domain, reply, start, late));
      });
    });
    this.#inFlight.set(domain, answer);
    return answer;
  }

  #settle(domain: string, reply: DnsReply, start: number, late: boolean): MailExchange {
    const answer = readMailAnswer(reply);
    if (answer === undefined)
      return late ? UNKNOWN : this.#unanswered(domain, reply.status === 'failed', start);
    const now = this.#clock();
    if (answer.ttlMs > 0) this.#answers.set(domain, { value: answer.value, until: now + answer.ttlMs });
    if (late) this.#doubts.set(domain, now);
    this.#onOutcome(late ? 'late' : answer.value.status, now - start);
    return answer.value;
  }

  #unanswered(domain: string, heard: boolean, start: number): MailExchange {
    const now = this.#clock();
    this.#doubts.set(domain, now + UNKNOWN_MS);
    if (!heard) this.#health.silent(now);
    this.#onOutcome(heard ? 'servfail' : 'timeout', now - start);
    return UNKNOWN;
  }
}
