/** Decides whether a domain can receive mail, from its MX records and within a deadline. */
import type { Canary } from './canary.ts';
import { type MailAnswer, readMailAnswer } from './dns/mail-answer.ts';
import { createMailCanary, deniesMail } from './dns/mail-canary.ts';
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
  /** Domains that surely take mail: while the servers deny most of them, nothing they deny counts. Default none. */
  readonly canaryDomains?: readonly string[];
  /** Called when the servers begin or cease to be believed. */
  readonly onCanary?: (canary: Canary) => void;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Domains remembered at most. Default 50,000. */
  readonly capacity?: number;
  /**
   * Called once a lookup with how it ended and after how long: `valid`, `none`, `null_mx`, `no_domain`; `servfail`
   * (replies without an answer); `distrusted` (a denial of servers that deny everything); `timeout` (no reply); `cache`; `shared` (joined a query in flight); `breaker`
   * (resolver dead); `busy` (too many queries open). And once more, `late`, when the answer follows a `timeout`.
   */
  readonly onOutcome?: (outcome: string, milliseconds: number) => void;
}

export interface MailExchangeLookup {
  /** `domain` in canonical form. Never rejects; synchronous whenever nothing has to be asked. */
  lookup(domain: string): MailExchange | Promise<MailExchange>;
  readonly canary: Canary;
  /** Ends open lookups with `unknown`. */
  close(): void;
}

interface Remembered {
  readonly value: MailExchange;
  readonly learnedAt: number;
  readonly until: number;
}

/** What came of one query. */
interface Reply {
  readonly domain: string;
  readonly reply: DnsReply;
  /** `undefined` when the reply proves nothing. */
  readonly answer: MailAnswer | undefined;
  readonly believed: boolean;
  readonly start: number;
  /** Nobody waits for it any more. */
  readonly late: boolean;
}

const UNKNOWN: MailExchange = { status: 'unknown', hosts: [] };
const UNKNOWN_MS = 10_000;

export function createMailExchange(options: MailExchangeOptions): MailExchangeLookup {
  return new Lookups(options);
}

class Lookups implements MailExchangeLookup {
  readonly canary: Canary;
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
    canaryDomains = [],
    onCanary = () => {},
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
    this.canary = createMailCanary({
      client: this.#client,
      domains: canaryDomains,
      // The look-up that waits for them has the rest of its own deadline.
      deadlineMs: deadlineMs / 2,
      clock,
      onChange: (canary) => {
        this.#doubts.clear();
        onCanary(canary);
      },
    });
  }

  lookup(domain: string): MailExchange | Promise<MailExchange> {
    const now = this.#clock();
    const known = this.#answers.get(domain);
    if (known === undefined || known.until <= now) return this.#miss(domain, now);
    // A denial that was learned before the servers were caught denying everything is asked for again.
    if (deniesMail(known.value) && !this.canary.stillBelieves(known.learnedAt))
      return this.#miss(domain, now);
    this.#onOutcome('cache', 0);
    return known.value;
  }

  close(): void {
    this.canary.close();
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
      const settle = (reply: DnsReply, answer: MailAnswer | undefined, believed: boolean) => {
        clearTimeout(deadline);
        if (!late) this.#inFlight.delete(domain);
        resolve(this.#settle({ domain, reply, answer, believed, start, late }));
      };
      void query.reply.then((reply) => {
        const answer = readMailAnswer(reply);
        const believed = answer === undefined || this.#believes(answer.value);
        if (believed instanceof Promise) void believed.then((believed) => settle(reply, answer, believed));
        else settle(reply, answer, believed);
      });
    });
    this.#inFlight.set(domain, answer);
    return answer;
  }

  /** What servers confirm counts in any case: it accuses nobody. */
  #believes(value: MailExchange): boolean | Promise<boolean> {
    const denies = deniesMail(value);
    const believed = this.canary.believes(denies);
    return denies ? believed : true;
  }

  #settle({ domain, reply, answer, believed, start, late }: Reply): MailExchange {
    if (answer === undefined)
      return late ? UNKNOWN : this.#unanswered(domain, reply.status === 'failed', start);
    const now = this.#clock();
    if (!believed) {
      this.#doubts.set(domain, now + UNKNOWN_MS);
      if (!late) this.#onOutcome('distrusted', now - start);
      return UNKNOWN;
    }
    const { value, ttlMs } = answer;
    if (ttlMs > 0) this.#answers.set(domain, { value, learnedAt: now, until: now + ttlMs });
    if (late) this.#doubts.set(domain, now);
    this.#onOutcome(late ? 'late' : value.status, now - start);
    return value;
  }

  #unanswered(domain: string, heard: boolean, start: number): MailExchange {
    const now = this.#clock();
    this.#doubts.set(domain, now + UNKNOWN_MS);
    if (!heard) this.#health.silent(now);
    this.#onOutcome(heard ? 'servfail' : 'timeout', now - start);
    return UNKNOWN;
  }
}
