/** Decides whether a domain can receive mail, from its MX records and within a deadline. */
import type { Canary } from './canary.ts';
import { CONTROLS, createAnsweringOwners } from './dns/answering-owners.ts';
import { createCatchAllZones } from './dns/catch-all-zones.ts';
import { makeLabelLike } from './dns/made-up-label.ts';
import { type MailAnswer, readMailAnswer } from './dns/mail-answer.ts';
import { createMailCanary, deniesMail } from './dns/mail-canary.ts';
import { createMailMemory, type MailMemory } from './dns/mail-memory.ts';
import type { QuestionType } from './dns/message.ts';
import type { DnsQuery } from './dns/query.ts';
import type { DnsReply } from './dns/reply.ts';
import { createResolverHealth, type ResolverHealth } from './dns/resolver-health.ts';
import { createSilentDomains } from './dns/silent-domains.ts';
import { CONTROL, createDnsClient, type DnsClient } from './dns-client.ts';
import type { MailExchange } from './evidence.ts';
import type { MailExchangeOptions } from './mail-exchange-options.ts';

export type { MailExchangeOptions };

/** For whom a look-up is made. */
export interface MailExchangeAsker {
  /** Accounts share the places for open queries. */
  readonly account: string;
  /** Strangers have addresses at this domain: it is asked for, however many names beside it are silent. */
  readonly provider: boolean;
}

export interface MailExchangeLookup {
  /** `domain` in canonical form. Never rejects; synchronous whenever nothing has to be asked. */
  lookup(domain: string, asker: MailExchangeAsker): MailExchange | Promise<MailExchange>;
  readonly canary: Canary;
  /** Ends open lookups with `unknown`. */
  close(): void;
}

/** What came of one query. */
interface Reply {
  readonly domain: string;
  readonly account: string;
  readonly reply: DnsReply;
  /** `undefined` when the reply proves nothing. */
  readonly answer: MailAnswer | undefined;
  readonly believed: boolean;
  readonly start: number;
  /** Nobody waits for it any more. */
  readonly late: boolean;
  /** Replies of the resolver when it was asked. */
  readonly replies: number;
}

interface Unanswered extends Pick<Reply, 'domain' | 'account' | 'start' | 'replies'> {
  /** A server replied, but with nothing to go by. */
  readonly heard: boolean;
  /** The resolver is not known to be wrong. */
  readonly believed: boolean;
}

const UNKNOWN: MailExchange = { status: 'unknown', hosts: [] };
const UNANSWERED: MailExchange = { ...UNKNOWN, unanswered: true };

export function createMailExchange(options: MailExchangeOptions): MailExchangeLookup {
  return new Lookups(options);
}

class Lookups implements MailExchangeLookup {
  readonly canary: Canary;
  readonly #clock: () => number;
  readonly #deadlineMs: number;
  readonly #onOutcome: (outcome: string, milliseconds: number) => void;
  readonly #onRefused: (account: string) => void;
  readonly #client: DnsClient;
  readonly #health: ResolverHealth;
  readonly #memory: MailMemory;
  readonly #silentDomains = createSilentDomains();
  readonly #catchAllZones = createCatchAllZones(makeLabelLike);
  readonly #owners = createAnsweringOwners();
  readonly #inFlight = new Map<string, Promise<MailExchange>>();
  /** Look-ups without a place yet, by account and domain: nobody waits in another account's queue. */
  readonly #queued = new Map<string, Promise<MailExchange>>();
  #probe: DnsQuery | undefined;

  constructor({
    servers,
    deadlineMs = 800,
    canaryDomains = [],
    onCanary = () => {},
    clock,
    capacity = 50_000,
    onOutcome = () => {},
    onRefused = () => {},
  }: MailExchangeOptions) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#onOutcome = onOutcome;
    this.#onRefused = onRefused;
    this.#memory = createMailMemory(capacity, (learnedAt) => this.canary.stillBelieves(learnedAt));
    this.#client = createDnsClient({ servers, deadlineMs, onReply: () => this.#health.heard() });
    this.#health = createResolverHealth({
      probe: () => {
        this.#probe?.stop();
        this.#probe = this.#client.query('.', 'NS', CONTROL);
      },
      onRevived: () => {
        this.#memory.forgetAllMissing();
        this.#silentDomains.clear();
      },
    });
    this.canary = createMailCanary({
      client: { query: (name, type) => this.#askControl(name, type) },
      domains: canaryDomains,
      // The look-up that waits for them has the rest of its own deadline.
      deadlineMs: deadlineMs / 2,
      clock,
      onChange: (canary) => {
        this.#memory.forgetAllMissing();
        this.#catchAllZones.clear();
        onCanary(canary);
      },
    });
  }

  lookup(domain: string, asker: MailExchangeAsker): MailExchange | Promise<MailExchange> {
    const now = this.#clock();
    return this.#remembered(domain, now) ?? this.#ask(domain, asker, now) ?? this.#queue(domain, asker, now);
  }

  close(): void {
    this.canary.close();
    this.#health.close();
    this.#client.close();
  }

  #remembered(domain: string, now: number): MailExchange | undefined {
    const known = this.#memory.recall(domain, now);
    return known === undefined ? undefined : this.#unasked('cache', known);
  }

  /** `undefined` when the account has to wait for a place. */
  #ask(
    domain: string,
    { account, provider }: MailExchangeAsker,
    now: number,
  ): MailExchange | Promise<MailExchange> | undefined {
    const inFlight = this.#inFlight.get(domain);
    if (inFlight !== undefined) {
      this.#onOutcome('shared', 0);
      return inFlight;
    }
    if (this.#health.dead) return this.#unasked('breaker');
    const answeredBefore = this.#memory.wasAnswered(domain);
    const catchAll = provider || answeredBefore ? undefined : this.#catchAllZones.answerFor(domain, now);
    if (catchAll !== undefined) return this.#unasked('catch_all', catchAll);
    if (!provider && !answeredBefore && this.#silentDomains.refuses(domain, now))
      return this.#unasked('silent', this.#owners.isAccused(domain, now) ? UNANSWERED : UNKNOWN);
    const query = this.#client.query(domain, 'MX', account);
    return query === undefined ? undefined : this.#await(domain, account, query, now);
  }

  /** Waits for a place and then for the answer, for one deadline in all. The query has a whole deadline of its own. */
  #queue(domain: string, asker: MailExchangeAsker, start: number): MailExchange | Promise<MailExchange> {
    const key = `${asker.account} ${domain}`;
    const queued = this.#queued.get(key);
    if (queued !== undefined) {
      this.#onOutcome('shared', 0);
      return queued;
    }
    let settle = (_: MailExchange): void => {};
    const leave = this.#client.waitForTurn(asker.account, () => {
      this.#queued.delete(key);
      const now = this.#clock();
      const found = this.#remembered(domain, now) ?? this.#ask(domain, asker, now) ?? this.#busy(asker, now);
      void Promise.resolve(found).then(settle);
    });
    if (leave === undefined) return this.#busy(asker, start);
    const answer = new Promise<MailExchange>((resolve) => {
      const deadline = setTimeout(() => {
        resolve(UNKNOWN);
        // Once it has a place, the query tells how it ended.
        if (!leave()) return;
        this.#queued.delete(key);
        this.#busy(asker, start);
      }, this.#deadlineMs);
      settle = (value) => {
        clearTimeout(deadline);
        resolve(value);
      };
    });
    this.#queued.set(key, answer);
    return answer;
  }

  #busy({ account }: MailExchangeAsker, start: number): MailExchange {
    this.#onOutcome('busy', this.#clock() - start);
    this.#onRefused(account);
    return UNKNOWN;
  }

  #unasked(outcome: string, value = UNKNOWN): MailExchange {
    this.#onOutcome(outcome, 0);
    return value;
  }

  #await(domain: string, account: string, query: DnsQuery, start: number): Promise<MailExchange> {
    const { replies } = this.#health;
    const answer = new Promise<MailExchange>((resolve) => {
      let late = false;
      const suspicion = setTimeout(() => {
        this.#health.suspect(replies);
        // Whether others are answered is to be known by the deadline.
        if (!this.#health.dead) void this.canary.believes(true);
      }, this.#deadlineMs / 2);
      const deadline = setTimeout(() => {
        late = true;
        // From here on the doubt keeps others from asking, for longer than this query can last.
        this.#inFlight.delete(domain);
        const believed = !this.canary.distrusted;
        resolve(this.#unanswered({ domain, account, heard: query.heard, believed, start, replies }));
      }, this.#deadlineMs);
      const settle = (reply: DnsReply, answer: MailAnswer | undefined, believed: boolean) => {
        clearTimeout(suspicion);
        clearTimeout(deadline);
        if (!late) this.#inFlight.delete(domain);
        resolve(this.#settle({ domain, account, reply, answer, believed, start, late, replies }));
      };
      void query.reply.then((reply) => {
        const answer = readMailAnswer(reply);
        const believed = this.#believes(reply, answer);
        if (believed instanceof Promise) void believed.then((believed) => settle(reply, answer, believed));
        else settle(reply, answer, believed);
      });
    });
    this.#inFlight.set(domain, answer);
    return answer;
  }

  /** What servers confirm counts in any case: it accuses nobody. */
  #believes(reply: DnsReply, answer: MailAnswer | undefined): boolean | Promise<boolean> {
    if (answer === undefined) return reply.status !== 'failed' || this.canary.believes(true);
    const denies = deniesMail(answer.value);
    const believed = this.canary.believes(denies);
    return denies ? believed : true;
  }

  #askControl(name: string, type: QuestionType): DnsQuery | undefined {
    const query = this.#client.query(name, type, CONTROL);
    void query?.reply.then((reply) => {
      if (readMailAnswer(reply) !== undefined) this.#owners.noteAnswer(name, CONTROLS, this.#clock());
    });
    return query;
  }

  #settle({ domain, account, reply, answer, believed, start, late, replies }: Reply): MailExchange {
    if (answer === undefined) {
      const heard = reply.status === 'failed';
      return late ? UNKNOWN : this.#unanswered({ domain, account, heard, believed, start, replies });
    }
    this.#silentDomains.noteAnswer(domain);
    const now = this.#clock();
    this.#owners.noteAnswer(domain, account, now);
    if (!believed) {
      this.#memory.keepMissing(domain, UNKNOWN, now);
      if (!late) this.#onOutcome('distrusted', now - start);
      return UNKNOWN;
    }
    const { value } = answer;
    this.#memory.keep(domain, answer, now);
    if (late) this.#memory.forgetMissing(domain);
    if (value.status === 'valid') this.#noteValid(domain, value.hosts, now);
    this.#onOutcome(late ? 'late' : value.status, now - start);
    return value;
  }

  /** Nobody waits for the made-up name: what the next ones are answered with comes a moment later. */
  #noteValid(domain: string, hosts: readonly string[], now: number): void {
    const madeUp = this.#catchAllZones.noteValid(domain, hosts, now);
    const query = madeUp === undefined ? undefined : this.#client.query(madeUp, 'MX');
    if (madeUp === undefined || query === undefined) return;
    void query.reply.then((reply) => {
      const answer = this.canary.distrusted ? undefined : readMailAnswer(reply);
      this.#catchAllZones.noteMadeUp(madeUp, answer, this.#clock());
    });
  }

  #unanswered({ domain, account, heard, believed, start, replies }: Unanswered): MailExchange {
    const now = this.#clock();
    const isSilent = !heard && this.#health.silent(replies, now);
    if (isSilent) this.#silentDomains.noteSilence(domain, now);
    // Where others are not answered either, it is not the domain's fault.
    const accused =
      (heard || isSilent) && believed && this.#owners.othersAnswered(domain, account, start, now);
    this.#owners.noteUnanswered(domain, account, now, accused);
    const value = accused ? UNANSWERED : UNKNOWN;
    this.#memory.keepMissing(domain, value, now);
    this.#onOutcome(heard ? 'servfail' : 'timeout', now - start);
    return value;
  }
}
