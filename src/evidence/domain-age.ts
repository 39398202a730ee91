/** Decides how old an email domain's registration is, from what registries said, and how long that is believed. */

import { registrableDomain } from '../address/domain.ts';
import type { DomainAge } from '../model/evidence.ts';
import { isHttp } from '../outbound/follow-redirects.ts';
import { type Canary, createNoCanary } from './canary.ts';
import { createAgeCanary } from './rdap/age-canary.ts';
import { type AgeCache, type AgeMemory, type AgeRecord, createAgeMemory } from './rdap/age-memory.ts';
import { type Bootstrap, createBootstrap } from './rdap/bootstrap.ts';
import { createHttpGet, type HttpGet } from './rdap/http-get.ts';
import { createReachOf } from './rdap/reach-of.ts';
import { createRdapClient, type RdapClient, type RdapQuestion } from './rdap-client.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export type { AgeCache, AgeRecord };

export interface DomainAgeOptions {
  /** IANA's bootstrap document or a mirror of it; `undefined` turns RDAP off. */
  readonly bootstrapUrl: string | undefined;
  readonly cache: AgeCache;
  /** Domains that surely are old: while registries are wrong about most of them, no age counts. Default none. */
  readonly canaryDomains?: readonly string[];
  /** Called when the registries begin or cease to be believed. */
  readonly onCanary?: (canary: Canary) => void;
  /** How long a lookup waits at most. Default 400. */
  readonly deadlineMs?: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Domains remembered in memory at most. Default 50,000. */
  readonly capacity?: number;
  /**
   * Called once a lookup with how it ended and after how long: `known`, `unlisted`, `late`, `unavailable`; `distrusted`
   * (registries are wrong about everybody, so none was asked); `cache` (none had to be asked); `shared` (one was being asked already). And once more, `arrived`, when the answer
   * follows a `late` or a trial.
   */
  readonly onOutcome?: (outcome: string, milliseconds: number) => void;
}

export interface DomainAgeLookup {
  /** `domain` in canonical form; its age `at` that moment, milliseconds since the epoch. Never rejects. */
  lookup(domain: string, at: number): DomainAge | Promise<DomainAge>;
  readonly canary: Canary;
  /** Aborts what is under way. */
  close(): void;
}

/** A question to a registry, and what lookups that find it under way get. */
interface Asked {
  /** Set once lookups no longer wait for the answer. */
  given: DomainAge | undefined;
  answer: Promise<AgeRecord | DomainAge>;
}

const DAY_MS = 86_400_000;
/** An age below this speaks against a domain. */
const YOUNG_MS = 30 * DAY_MS;
/** How long a domain that got no answer, or has no registry to ask, is not asked for again. */
const DOUBT_MS = 30_000;

const UNLISTED: DomainAge = { days: -1, status: 'unlisted' };
const UNAVAILABLE: DomainAge = { days: -1, status: 'unavailable' };
const LATE: DomainAge = { days: -1, status: 'late' };

/** Throws when the bootstrap URL is not an HTTP one. */
export function createDomainAge(options: DomainAgeOptions): DomainAgeLookup {
  const { bootstrapUrl } = options;
  if (bootstrapUrl === undefined) {
    return { lookup: () => UNAVAILABLE, canary: createNoCanary('rdap'), close: () => {} };
  }
  const url = new URL(bootstrapUrl);
  if (!isHttp(url)) throw new Error(`not an HTTP URL: ${bootstrapUrl}`);
  return new Ages(options, url);
}

class Ages implements DomainAgeLookup {
  readonly canary: Canary;
  readonly #clock: () => number;
  readonly #deadlineMs: number;
  readonly #onOutcome: (outcome: string, milliseconds: number) => void;
  readonly #http: HttpGet;
  readonly #bootstrap: Bootstrap;
  readonly #client: RdapClient;
  readonly #memory: AgeMemory;
  /** By registrable domain: until when not to ask. */
  readonly #doubts;
  readonly #asked = new Map<string, Asked>();

  constructor(options: DomainAgeOptions, url: URL) {
    const { cache, clock, deadlineMs = 400, capacity = 50_000, onOutcome = () => {} } = options;
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#onOutcome = onOutcome;
    this.#memory = createAgeMemory({ cache, capacity });
    this.#doubts = createTwoGenerationCache<number>(capacity);
    this.#http = createHttpGet({ reachOf: createReachOf(url) });
    this.#bootstrap = createBootstrap({ url: url.href, cache, http: this.#http, clock });
    this.#client = createRdapClient({ http: this.#http, deadlineMs, clock });
    this.canary = createAgeCanary({
      domains: options.canaryDomains ?? [],
      registeredAt: (name) => this.#askCanary(name),
      clock,
      onChange: (canary) => {
        this.#memory.forgetUnconfirmed();
        options.onCanary?.(canary);
      },
      onRight: () => this.#memory.confirm(),
    });
  }

  lookup(domain: string, at: number): DomainAge | Promise<DomainAge> {
    if (this.canary.distrusted) return this.#give('distrusted', UNAVAILABLE);
    const known = this.#memory.recent(domain, this.#clock());
    return known === undefined ? this.#miss(domain, at) : this.#give('cache', ageOf(known, at));
  }

  close(): void {
    this.canary.close();
    this.#http.close();
  }

  #miss(domain: string, at: number): DomainAge | Promise<DomainAge> {
    const now = this.#clock();
    const name = registrableDomain(domain);
    if (name === undefined) return this.#give('unavailable', UNAVAILABLE);
    const doubtedUntil = this.#doubts.get(name);
    if (doubtedUntil !== undefined && doubtedUntil > now) return this.#give('cache', UNAVAILABLE);
    const known = this.#memory.recall(domain, name, now);
    if (known instanceof Promise) return known.then((record) => this.#recalled(record, name, at));
    return this.#recalled(known, name, at);
  }

  #recalled(known: AgeRecord | undefined, name: string, at: number): DomainAge | Promise<DomainAge> {
    if (known !== undefined) return this.#give('cache', ageOf(known, at));
    const asked = this.#asked.get(name);
    if (asked !== undefined) {
      return this.#give('shared', asked.given ?? asked.answer.then((answer) => asAge(answer, at)));
    }
    return this.#ask(name, at);
  }

  #give<T>(outcome: string, age: T): T {
    this.#onOutcome(outcome, 0);
    return age;
  }

  #ask(name: string, at: number): DomainAge | Promise<DomainAge> {
    const question = this.#question(name);
    if (question === undefined) {
      const { arriving } = this.#bootstrap;
      if (arriving === undefined) return this.#give('unavailable', UNAVAILABLE);
      return this.#wait(
        name,
        at,
        arriving.then(() => this.#question(name)?.registeredAt),
      );
    }
    if (question.standing === 'prompt') return this.#wait(name, at, question.registeredAt, question);
    const given = question.standing === 'slow' ? LATE : UNAVAILABLE;
    const asked: Asked = { given, answer: Promise.resolve(given) };
    this.#asked.set(name, asked);
    const start = this.#clock();
    void question.registeredAt.then((registeredAt) => this.#settle(name, asked, registeredAt, start));
    return this.#give(given.status, given);
  }

  #question(name: string): RdapQuestion | undefined {
    const base = this.#bootstrap.baseFor(name);
    if (base !== undefined) {
      const question = this.#client.ask(base, name);
      return question && { ...question, registeredAt: question.registeredAt.then((at) => this.#believe(at)) };
    }
    if (this.#bootstrap.arriving === undefined) this.#doubts.set(name, this.#clock() + DOUBT_MS);
    return undefined;
  }

  /** `undefined`, as without an answer, while registries are wrong about everybody. */
  async #believe(registeredAt: number | null | undefined): Promise<number | null | undefined> {
    if (registeredAt === undefined) return undefined;
    const young = registeredAt !== null && this.#clock() - registeredAt < YOUNG_MS;
    return (await this.canary.believes(young)) ? registeredAt : undefined;
  }

  async #askCanary(name: string): Promise<number | null | undefined> {
    await this.#bootstrap.arriving;
    const base = this.#bootstrap.baseFor(name);
    return base === undefined ? undefined : this.#client.ask(base, name)?.registeredAt;
  }

  #wait(
    name: string,
    at: number,
    registeredAt: Promise<number | null | undefined>,
    question?: RdapQuestion,
  ): Promise<DomainAge> {
    const start = this.#clock();
    const asked: Asked = { given: undefined, answer: Promise.resolve(LATE) };
    asked.answer = new Promise((resolve) => {
      const deadline = setTimeout(() => {
        asked.given = LATE;
        question?.missed();
        this.#onOutcome('late', this.#clock() - start);
        resolve(LATE);
      }, this.#deadlineMs);
      void registeredAt.then((registered) => {
        clearTimeout(deadline);
        resolve(this.#settle(name, asked, registered, start));
      });
    });
    this.#asked.set(name, asked);
    return asked.answer.then((answer) => asAge(answer, at));
  }

  #settle(
    name: string,
    asked: Asked,
    registeredAt: number | null | undefined,
    start: number,
  ): AgeRecord | DomainAge {
    const now = this.#clock();
    this.#asked.delete(name);
    if (registeredAt === undefined) {
      this.#doubts.set(name, now + DOUBT_MS);
      if (asked.given === undefined) this.#onOutcome('unavailable', now - start);
      return UNAVAILABLE;
    }
    const outcome = registeredAt === null ? 'unlisted' : 'known';
    this.#onOutcome(asked.given === undefined ? outcome : 'arrived', now - start);
    return this.#memory.remember(name, registeredAt, now);
  }
}

function asAge(answer: AgeRecord | DomainAge, at: number): DomainAge {
  return 'status' in answer ? answer : ageOf(answer, at);
}

function ageOf({ registeredAt }: AgeRecord, at: number): DomainAge {
  if (registeredAt === null) return UNLISTED;
  return { days: Math.max(0, Math.floor((at - registeredAt) / DAY_MS)), status: 'known' };
}
