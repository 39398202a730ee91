/** Decides how old an email domain's registration is, from the answers of registries, and how long these are used. */
import { registrableDomain } from '../../address/domain.ts';
import type { Awaitable } from '../../model/awaitable.ts';
import type { DomainAge } from '../../model/evidence.ts';
import type { TextCache } from '../../model/text-cache.ts';
import { isHttp } from '../../outbound/follow-redirects.ts';
import type { ProxySettings } from '../../outbound/proxy-choice.ts';
import { type Canary, createNoCanary } from './canary.ts';
import { createHttpGet, type HttpGet } from './http-get.ts';
import { Lookup, type LookupAnswer, type LookupOutcome, type Question, type Substitute } from './lookup.ts';
import {
  type AgeMemory,
  createAgeCanary,
  createAgeMemory,
  lifetimeMs,
  type Registration,
} from './rdap-age-memory.ts';
import { Bootstrap, createReachOf } from './rdap-bootstrap.ts';
import { fetchRegistration } from './rdap-client.ts';
import type { ChangingSource, CountingSource, RememberedAnswer } from './remembered-answer.ts';
import { RemoteSource } from './remote-source.ts';

export interface DomainAgeOptions {
  /** IANA's bootstrap document or a mirror of it; `undefined` turns RDAP off. */
  readonly bootstrapUrl: string | undefined;
  /** Proxies through which registries are asked. Default: none. */
  readonly proxies?: ProxySettings | undefined;
  /** Keep the answers of registries across restarts. */
  readonly texts: TextCache;
  /** Domains that are certainly old: while registries are wrong about most of them, no age counts. Default none. */
  readonly canaryDomains?: readonly string[];
  /** Called when the registries become distrusted or trusted again. */
  readonly onCanary?: (canary: Canary) => void;
  /** Max. time that a lookup waits. Default 400. */
  readonly deadlineMs?: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /**
   * Called with each outcome, as the metrics name it: those of `LookupOutcome`, but `answered` as `known` or `unlisted`;
   * `failed`, `breaker` and `busy` as `unavailable`; `slow` as `late`.
   */
  readonly onOutcome?: (outcome: string, milliseconds: number) => void;
}

export interface DomainAgeLookup extends ChangingSource, CountingSource {
  /** `domain` in canonical form; its age `at` that moment, milliseconds since the epoch. Never rejects. */
  lookup(domain: string, at: number): Awaitable<DomainAge>;
  /** Answer of `lookup` from memory, as long as that is the age. */
  remembered(domain: string, at: number): RememberedAnswer | undefined;
  readonly canary: Canary;
  /** Aborts open requests. */
  close(): void;
}

/** A registration, or why none is known. */
type Known = Registration | DomainAge;
type Answer = LookupAnswer<Known> | Substitute<Known>;

const DAY_MS = 86_400_000;
/** A lower age counts against a domain. */
const YOUNG_MS = 30 * DAY_MS;
/** Time that a domain that got no answer, or has no registry to ask, is not asked for again. */
const MISSING_TTL_MS = 30_000;
/** Domains in memory at most. */
const CAPACITY = 50_000;
/** Questions to one server, under way and waiting. */
const MAX_OPEN = 4;
const MAX_QUEUED = 200;

const UNLISTED: DomainAge = { days: -1, status: 'unlisted' };
const UNAVAILABLE: DomainAge = { days: -1, status: 'unavailable' };
const LATE: DomainAge = { days: -1, status: 'late' };
const FAILED: Substitute<Known> = { outcome: 'failed', value: UNAVAILABLE };
const MISSED: Substitute<Known> = { outcome: 'late', value: LATE };
/** Names of outcomes in the metrics. */
const LABELS: Partial<Record<LookupOutcome, string>> = {
  failed: 'unavailable',
  breaker: 'unavailable',
  busy: 'unavailable',
  slow: 'late',
};

/** Throws when the bootstrap URL is not an HTTP one. */
export function createDomainAge(options: DomainAgeOptions): DomainAgeLookup {
  const { bootstrapUrl } = options;
  if (bootstrapUrl === undefined) {
    const always = { until: Number.POSITIVE_INFINITY, isCurrent: () => true };
    return {
      lookup: () => UNAVAILABLE,
      remembered: () => always,
      changes: 0,
      countSpared: () => {},
      canary: createNoCanary('rdap'),
      close: () => {},
    };
  }
  const url = new URL(bootstrapUrl);
  if (!isHttp(url)) throw new Error(`not an HTTP URL: ${bootstrapUrl}`);
  return new DomainAges(options, url);
}

class DomainAges implements DomainAgeLookup {
  readonly canary: Canary;
  readonly #clock: () => number;
  readonly #deadlineMs: number;
  readonly #report: (outcome: LookupOutcome, milliseconds: number, value?: Known) => void;
  readonly #http: HttpGet;
  readonly #bootstrap: Bootstrap;
  readonly #memory: AgeMemory;
  readonly #lookup: Lookup<string, Known>;
  /** Registries by host name. */
  readonly #registries = new Map<string, RemoteSource<Known>>();

  constructor(options: DomainAgeOptions, url: URL) {
    const { texts, clock, proxies, deadlineMs = 400, onOutcome = () => {} } = options;
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#report = (outcome, milliseconds, value) =>
      onOutcome(outcome === 'answered' ? statusOf(value) : (LABELS[outcome] ?? outcome), milliseconds);
    this.#memory = createAgeMemory({ texts, capacity: CAPACITY, clock });
    this.#http = createHttpGet({ reachOf: createReachOf(url), proxies });
    this.#bootstrap = new Bootstrap({ url: url.href, texts, http: this.#http, clock });
    this.#lookup = new Lookup<string, Known>({
      keyOf: (name) => name,
      ask: (name) => this.#ask(name),
      deadlineMs,
      missingTtlMs: MISSING_TTL_MS,
      unknown: UNAVAILABLE,
      memory: this.#memory,
      capacity: CAPACITY,
      clock,
      onOutcome: this.#report,
    });
    this.canary = this.#createCanary(options);
  }

  lookup(domain: string, at: number): Awaitable<DomainAge> {
    const name = this.#nameOf(domain);
    if (this.canary.distrusted || name === undefined) {
      this.#report(this.canary.distrusted ? 'distrusted' : 'failed', 0);
      return UNAVAILABLE;
    }
    const known = this.#lookup.lookup(name);
    return known instanceof Promise ? known.then((answer) => ageOf(answer, at)) : ageOf(known, at);
  }

  remembered(domain: string, at: number): RememberedAnswer | undefined {
    const { distrusted, since } = this.canary;
    const name = this.#nameOf(domain);
    const known = name === undefined || distrusted ? undefined : this.#lookup.remembered(name);
    if (known === undefined) return undefined;
    const { value } = known;
    const { days } = ageOf(value, at);
    const until = Math.min(known.until, nextAgeAt(value, days));
    // Answers of registries that were wrong are forgotten.
    const isTrusted = () => this.canary.since === since;
    const isCurrent = (at: number) => known.isCurrent(at) && isTrusted() && ageOf(value, at).days === days;
    return { until, isCurrent };
  }

  countSpared(): void {
    this.#report('cache', 0);
  }

  get changes(): number {
    return this.canary.since;
  }

  /** Keys in memory are registrable domains. Looking there first costs less than the Public Suffix List. */
  #nameOf(domain: string): string | undefined {
    return this.#memory.get(domain) === undefined ? registrableDomain(domain) : domain;
  }

  close(): void {
    this.canary.close();
    this.#http.close();
  }

  #createCanary({ canaryDomains = [], onCanary, clock }: DomainAgeOptions): Canary {
    return createAgeCanary({
      domains: canaryDomains,
      registeredAt: (name) => this.#askControl(name),
      clock,
      onChange: (canary) => {
        this.#memory.forgetUnconfirmed();
        onCanary?.(canary);
      },
      onRight: () => this.#memory.confirm(),
    });
  }

  #ask(name: string): Question<Known> | Substitute<Known> | undefined {
    const base = this.#bootstrap.baseFor(name);
    const { loading } = this.#bootstrap;
    if (base === undefined) {
      if (loading === undefined) return { ...FAILED, isRemembered: true };
      return { answer: this.#askAfter(loading, name), instead: undefined, missed: () => MISSED };
    }
    return this.#askAt(base, name, (answer) => this.#believe(answer));
  }

  async #askAfter(loading: Promise<void>, name: string): Promise<Answer> {
    await loading;
    const question = this.#ask(name);
    return question !== undefined && 'answer' in question ? question.answer : FAILED;
  }

  #askAt(base: string, name: string, believe?: (answer: LookupAnswer<Known>) => Promise<Answer>) {
    const ask = async () => {
      const found = await fetchRegistration(this.#http, base, name, this.#clock);
      return found && { value: found, ttlMs: lifetimeMs(found, this.#clock()) };
    };
    return this.#registryAt(base).ask(ask, believe);
  }

  #registryAt(base: string): RemoteSource<Known> {
    const { host } = new URL(base);
    const known = this.#registries.get(host);
    if (known !== undefined) return known;
    const registry = new RemoteSource<Known>({
      deadlineMs: this.#deadlineMs,
      maxOpen: MAX_OPEN,
      maxQueued: MAX_QUEUED,
      unknown: UNAVAILABLE,
      late: LATE,
      clock: this.#clock,
    });
    this.#registries.set(host, registry);
    return registry;
  }

  /** Takes an answer; it counts as missing while registries are wrong about the control domains. */
  async #believe(answer: LookupAnswer<Known>): Promise<Answer> {
    const registeredAt = dateOf(answer.value) ?? null;
    const young = registeredAt !== null && this.#clock() - registeredAt < YOUNG_MS;
    return (await this.canary.believes(young)) ? answer : FAILED;
  }

  async #askControl(name: string): Promise<number | null | undefined> {
    await this.#bootstrap.loading;
    const base = this.#bootstrap.baseFor(name);
    const question = base === undefined ? undefined : this.#askAt(base, name);
    if (question === undefined || !('answer' in question)) return undefined;
    const { value } = await question.answer;
    return dateOf(value);
  }
}

/** `undefined` where no answer is known. */
function dateOf(known: Known): number | null | undefined {
  return 'registeredAt' in known ? known.registeredAt : undefined;
}

function statusOf(known: Known | undefined): 'known' | 'unlisted' {
  return known === undefined || dateOf(known) === null ? 'unlisted' : 'known';
}

/** Time at which a registration is a day older than so many days. */
function nextAgeAt(known: Known, days: number): number {
  const registeredAt = 'registeredAt' in known ? known.registeredAt : null;
  return registeredAt === null ? Number.POSITIVE_INFINITY : registeredAt + (days + 1) * DAY_MS;
}

function ageOf(known: Known, at: number): DomainAge {
  if (!('registeredAt' in known)) return known;
  if (known.registeredAt === null) return UNLISTED;
  return { days: Math.max(0, Math.floor((at - known.registeredAt) / DAY_MS)), status: 'known' };
}
