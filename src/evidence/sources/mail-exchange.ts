/** Decides whether a domain can receive mail, from its MX records and within a deadline. */
import type { Awaitable } from '../../model/awaitable.ts';
import type { MailExchange } from '../../model/evidence.ts';
import type { Canary } from './canary.ts';
import { createAnsweringOwners } from './dns-answering-owners.ts';
import { createCatchAllZones, makeLabelLike } from './dns-catch-all-zones.ts';
import { createDnsClient, type DnsClient } from './dns-client.ts';
import { createMailCanary, deniesMail, type MailAnswer, readMailAnswer } from './dns-mail-answer.ts';
import type { QuestionType } from './dns-message.ts';
import type { DnsQuery } from './dns-query.ts';
import { CONTROL } from './dns-query-places.ts';
import { createResolverHealth, createSilentDomains, type ResolverHealth } from './dns-silence.ts';
import { Lookup, type LookupAnswer, type LookupOutcome, type Question, type Substitute } from './lookup.ts';
import type { CountingSource, RememberedAnswer } from './remembered-answer.ts';

export interface MailExchangeOptions {
  /** Name servers: `ip`, `ip:port` or `[v6]:port`. */
  readonly servers: readonly string[];
  /** Max. time that a lookup waits. Default 800. */
  readonly deadlineMs?: number;
  /** Domains that certainly take mail: while the servers deny most of them, no denial counts. Default none. */
  readonly canaryDomains?: readonly string[];
  /** Called when the servers become distrusted or trusted again. */
  readonly onCanary?: (canary: Canary) => void;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Domains remembered at most. Default 50,000. */
  readonly capacity?: number;
  /**
   * Called with each outcome, as the metrics name it: those of `LookupOutcome`, but `answered` by the status; `failed`
   * as `servfail`, `late` as `timeout`, `arrived` as `late`; `inferred` as `catch_all` (its zone answers for any name),
   * `withheld` as `silent` (nothing answers for the names beside it).
   */
  readonly onOutcome?: (outcome: string, milliseconds: number) => void;
  /** Called for each look-up that ended `busy`. */
  readonly onRefused?: (account: string) => void;
}

/** Caller for whom a look-up is made. */
export interface MailExchangeAsker {
  /** Accounts share the places for open queries. */
  readonly account: string;
  /** Strangers have addresses at this domain: it is asked for even if other names of its owner are silent. */
  readonly provider: boolean;
}

export interface MailExchangeLookup extends CountingSource {
  /** `domain` in canonical form. Never rejects. */
  lookup(domain: string, asker: MailExchangeAsker): Awaitable<MailExchange>;
  /** The answer that is in memory, if it names mail hosts: others are distrusted with the servers. */
  remembered(domain: string): RememberedAnswer | undefined;
  readonly canary: Canary;
  /** Ends open lookups with `unknown`. */
  close(): void;
}

interface Subject extends MailExchangeAsker {
  readonly domain: string;
}

/** A question to which no usable answer came. */
interface MissingAnswer extends Pick<Subject, 'domain' | 'account'> {
  /** A server replied, but with nothing usable. */
  readonly heard: boolean;
  /** The resolver is not known to be wrong. */
  readonly believed: boolean;
  readonly start: number;
  /** Replies of the resolver when it was asked. */
  readonly replies: number;
}

const UNKNOWN: MailExchange = { status: 'unknown', hosts: [] };
const UNANSWERED: MailExchange = { ...UNKNOWN, unanswered: true };
/** Time that a domain that got no answer is not asked for again. */
const MISSING_TTL_MS = 10_000;
/** Names of outcomes in the metrics. */
const LABELS: Partial<Record<LookupOutcome, string>> = {
  failed: 'servfail',
  late: 'timeout',
  arrived: 'late',
  inferred: 'catch_all',
  withheld: 'silent',
};

export function createMailExchange(options: MailExchangeOptions): MailExchangeLookup {
  return new MailExchanges(options);
}

class MailExchanges implements MailExchangeLookup {
  readonly canary: Canary;
  readonly #clock: () => number;
  readonly #deadlineMs: number;
  readonly #report: (outcome: LookupOutcome, milliseconds: number, value?: MailExchange) => void;
  readonly #onRefused: (account: string) => void;
  readonly #client: DnsClient;
  readonly #health: ResolverHealth;
  readonly #lookup: Lookup<Subject, MailExchange>;
  readonly #silentDomains = createSilentDomains();
  readonly #catchAllZones = createCatchAllZones(makeLabelLike);
  readonly #owners = createAnsweringOwners();
  /** Look-ups that wait for a place, by account and domain: each account has its own queue. */
  readonly #queued = new Map<string, Promise<MailExchange>>();
  readonly countSpared = (): void => this.#report('cache', 0);

  constructor(options: MailExchangeOptions) {
    const { servers, deadlineMs = 800, clock, onRefused = () => {}, onOutcome = () => {} } = options;
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#onRefused = onRefused;
    this.#report = (outcome, milliseconds, value = UNKNOWN) =>
      onOutcome(outcome === 'answered' ? value.status : (LABELS[outcome] ?? outcome), milliseconds);
    this.#client = createDnsClient({ servers, deadlineMs, onReply: () => this.#health.onReply() });
    this.#health = this.#createHealth();
    this.canary = this.#createCanary(options);
    this.#lookup = new Lookup<Subject, MailExchange>({
      keyOf: ({ domain }) => domain,
      ask: (subject) => this.#ask(subject),
      deadlineMs,
      missingTtlMs: MISSING_TTL_MS,
      unknown: UNKNOWN,
      // A denial from the time before the servers were distrusted does not count: the domain is asked for again.
      isUsable: ({ value, learnedAt }) => !deniesMail(value) || this.canary.stillBelieves(learnedAt),
      capacity: options.capacity ?? 50_000,
      clock,
      onOutcome: this.#report,
    });
  }

  lookup(domain: string, asker: MailExchangeAsker): Awaitable<MailExchange> {
    const subject = { domain, account: asker.account, provider: asker.provider };
    return this.#lookup.tryLookup(subject) ?? this.#queue(subject, this.#clock());
  }

  remembered(domain: string): RememberedAnswer | undefined {
    const known = this.#lookup.remembered({ domain, account: '', provider: false });
    return known?.value.status === 'valid' ? known : undefined;
  }

  close(): void {
    this.canary.close();
    this.#health.close();
    this.#client.close();
  }

  #createHealth(): ResolverHealth {
    let probe: DnsQuery | undefined;
    return createResolverHealth({
      probe: () => {
        probe?.stop();
        probe = this.#client.query('.', 'NS', CONTROL);
      },
      onRevived: () => {
        this.#lookup.forgetMissing();
        this.#silentDomains.clear();
      },
    });
  }

  #createCanary({ canaryDomains = [], onCanary = () => {}, clock }: MailExchangeOptions): Canary {
    return createMailCanary({
      client: { query: (name, type) => this.#askControl(name, type) },
      domains: canaryDomains,
      // The look-up that waits for them still has the rest of its own deadline.
      deadlineMs: this.#deadlineMs / 2,
      clock,
      onChange: (canary) => {
        this.#lookup.forgetMissing();
        this.#catchAllZones.clear();
        onCanary(canary);
      },
    });
  }

  #ask(subject: Subject): Question<MailExchange> | Substitute<MailExchange> | undefined {
    const { domain, account, provider } = subject;
    const now = this.#clock();
    if (this.#health.dead) return { outcome: 'breaker', value: UNKNOWN };
    if (!provider && !this.#lookup.wasAnswered(subject)) {
      const inferred = this.#catchAllZones.answerFor(domain, now);
      if (inferred !== undefined) return { outcome: 'inferred', value: inferred };
      if (this.#silentDomains.refuses(domain, now))
        return { outcome: 'withheld', value: this.#owners.isAccused(domain, now) ? UNANSWERED : UNKNOWN };
    }
    const query = this.#client.query(domain, 'MX', account);
    return query === undefined ? undefined : this.#follow(subject, query, now);
  }

  /** Waits for a place and then for the answer, for one deadline in all. The query has a whole deadline of its own. */
  #queue(subject: Subject, start: number): Awaitable<MailExchange> {
    const key = `${subject.account} ${subject.domain}`;
    const queued = this.#queued.get(key);
    if (queued !== undefined) {
      this.#report('shared', 0);
      return queued;
    }
    let resolveAnswer = (_: MailExchange): void => {};
    const leave = this.#client.waitForTurn(subject.account, () => {
      this.#queued.delete(key);
      const found = this.#lookup.tryLookup(subject) ?? this.#busy(subject, this.#clock());
      void Promise.resolve(found).then(resolveAnswer);
    });
    if (leave === undefined) return this.#busy(subject, start);
    const answer = new Promise<MailExchange>((resolve) => {
      const deadline = setTimeout(() => {
        resolve(UNKNOWN);
        // Once it has a place, the query reports how it ended.
        if (!leave()) return;
        this.#queued.delete(key);
        this.#busy(subject, start);
      }, this.#deadlineMs);
      resolveAnswer = (value) => {
        clearTimeout(deadline);
        resolve(value);
      };
    });
    this.#queued.set(key, answer);
    return answer;
  }

  #busy({ account }: Subject, start: number): MailExchange {
    this.#report('busy', this.#clock() - start);
    this.#onRefused(account);
    return UNKNOWN;
  }

  #follow({ domain, account }: Subject, query: DnsQuery, start: number): Question<MailExchange> {
    const { replies } = this.#health;
    const suspicion = setTimeout(() => {
      this.#health.onSlowQuery(replies);
      // By the deadline it must be known whether others are answered.
      if (!this.#health.dead) void this.canary.believes(true);
    }, this.#deadlineMs / 2);
    let missed: Substitute<MailExchange> | undefined;
    const giveUp = (heard: boolean, believed: boolean) =>
      this.#giveUp({ domain, account, heard, believed, start, replies });
    return {
      instead: undefined,
      missed: () => {
        missed = giveUp(query.heard, !this.canary.distrusted);
        return missed;
      },
      answer: query.reply.then(async (reply) => {
        clearTimeout(suspicion);
        const answer = readMailAnswer(reply);
        if (answer !== undefined) return this.#learn(domain, account, answer);
        const heard = reply.status === 'failed';
        const believed = !heard || (await this.canary.believes(true));
        return missed ?? giveUp(heard, believed);
      }),
    };
  }

  #askControl(name: string, type: QuestionType): DnsQuery | undefined {
    const query = this.#client.query(name, type, CONTROL);
    void query?.reply.then((reply) => {
      if (readMailAnswer(reply) !== undefined) this.#owners.noteAnswer(name, CONTROL, this.#clock());
    });
    return query;
  }

  /** A positive answer counts in any case: it accuses nobody. */
  async #learn(
    domain: string,
    account: string,
    answer: MailAnswer,
  ): Promise<LookupAnswer<MailExchange> | Substitute<MailExchange>> {
    const { value } = answer;
    const denies = deniesMail(value);
    const believed = this.canary.believes(denies);
    const counts = !denies || (await believed);
    const now = this.#clock();
    this.#silentDomains.noteAnswer(domain);
    this.#owners.noteAnswer(domain, account, now);
    if (!counts) return { outcome: 'distrusted', value: UNKNOWN };
    if (value.status === 'valid') this.#noteValid(domain, value.hosts, now);
    return answer;
  }

  /** Asks for a made-up name in the background: its answer is used for later names. */
  #noteValid(domain: string, hosts: readonly string[], now: number): void {
    const madeUp = this.#catchAllZones.noteValid(domain, hosts, now);
    const query = madeUp === undefined ? undefined : this.#client.query(madeUp, 'MX');
    if (madeUp === undefined || query === undefined) return;
    void query.reply.then((reply) => {
      const answer = this.canary.distrusted ? undefined : readMailAnswer(reply);
      this.#catchAllZones.noteMadeUp(madeUp, answer, this.#clock());
    });
  }

  #giveUp({ domain, account, heard, believed, start, replies }: MissingAnswer): Substitute<MailExchange> {
    const now = this.#clock();
    const isSilent = !heard && this.#health.onUnanswered(replies, now);
    if (isSilent) this.#silentDomains.noteSilence(domain, now);
    // If others get no answer either, it is not the domain's fault.
    const accused =
      (heard || isSilent) && believed && this.#owners.othersAnswered(domain, account, start, now);
    this.#owners.noteUnanswered(domain, account, now, accused);
    return { outcome: heard ? 'failed' : 'late', value: accused ? UNANSWERED : UNKNOWN };
  }
}
