/** Decides what follows from a domain's mail hosts: a relay forwards its mail, or it is disposable by association. */
import { ownerDomain } from '../address/domain.ts';
import type { Intel } from '../intel/intel.ts';
import type { TextCache } from '../model/text-cache.ts';
import { HostAddresses, HostLimit } from './mail-host-addresses.ts';
import {
  type AssociationQuestion,
  arePaid,
  findAssociation,
  type HostKnowledge,
  MAX_HOSTS,
  vouchOf,
} from './mail-host-association.ts';
import { AssociationBasis } from './mail-host-basis.ts';
import { createHostDecisions, type HostDecisionSource, type HostDecisions } from './mail-host-decisions.ts';
import {
  type Association,
  createHostFacts,
  isVouched,
  kindOf,
  listedEntry,
  type ServedDomain,
  UNASSOCIATED,
  VOUCHED,
} from './mail-host-facts.ts';
import { hostKey, type Observation } from './mail-host-record.ts';
import { HostRecords } from './mail-host-records.ts';
import type { DnsClient } from './sources/dns-client.ts';
import type { ChangingSource, RememberedAnswer } from './sources/remembered-answer.ts';
import { createTwoGenerationCache } from './sources/two-generation-cache.ts';

export interface MailHostsOptions {
  /** Min. listed disposable domains that flag a host for every account; `null` learns nothing. */
  readonly minListed: number | null;
  /** Asked for the addresses of mail hosts, in the background. */
  readonly client: Pick<DnsClient, 'query'>;
  readonly texts: TextCache;
  /** Decisions of operators. Default: none. */
  readonly decisions?: HostDecisionSource;
  /** True while nothing is to be learned from DNS, and nothing concluded. Default: never. */
  readonly distrusted?: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Hosts in memory at most. Default 50,000. */
  readonly capacity?: number;
}

export interface MailHosts extends ChangingSource {
  /** True while nothing is concluded. */
  readonly distrusted: boolean;
  /** Reads what operators decided since the last time. @throws when it cannot be read */
  refresh(): Promise<void>;
  /**
   * Reads the stored records of these hosts, unless they are in memory; `undefined` when there is nothing to wait for.
   * Without it, `associate` uses only records in memory.
   */
  load(hosts: readonly string[], intel: Intel): Promise<void> | undefined;
  /** Synchronous and bounded. Also learns from the domain. */
  associate(served: ServedDomain, intel: Intel): Association;
  /** The same as `associate`, but learns nothing and looks nothing up: for a signup that was counted when it came. */
  consult(served: ServedDomain, intel: Intel): Association;
  /** Call after `associate`: what it answered, if it would answer the same again and learn nothing. */
  remembered(served: ServedDomain, intel: Intel): RememberedAssociation | undefined;
  /** Forgets the observations of a deleted account; they are not written again. */
  removeAccount(account: string): void;
  /** Writes the newest observations. */
  close(): Promise<void>;
}

const NO_DECISIONS: HostDecisionSource = {
  hostDecisionsVersion: async () => 0,
  hostDecisionsSince: async () => [],
};

/** More hosts of the names below one domain are not learned in a day. */
const MAX_HOSTS_OF_DOMAIN = 16;
const MAX_DOMAINS = 10_000;
const SOON_MS = 20;
const MAX_PENDING = 1_000;
const MAX_OBSERVATIONS = 100;
/** Time after which an observation is recorded again, so that a domain that is still seen is not forgotten. */
const OBSERVE_AGAIN_MS = 86_400_000;

export function createMailHosts(options: MailHostsOptions): MailHosts {
  return new Hosts(options);
}

export interface RememberedAssociation extends RememberedAnswer {
  /** Whether every account gets it. */
  readonly isCommon: boolean;
}

/** The last observation of an account about a domain. */
interface LastObservation {
  readonly hosts: readonly string[];
  readonly kind: Observation['kind'];
  readonly at: number;
}

class Hosts implements MailHosts {
  readonly #learning: boolean;
  readonly #distrusted: () => boolean;
  readonly #clock: () => number;
  readonly #decisions: HostDecisions;
  readonly #records: HostRecords;
  readonly #addresses: HostAddresses;
  readonly #hostsOfDomain: HostLimit;
  readonly #factsOf;
  readonly #knowledge: HostKnowledge;
  /** The same knowledge, where old addresses are asked about no more. */
  readonly #consulted: HostKnowledge;
  /** Observations by account and domain: the same is not made again for a while. */
  readonly #observed;
  /** Observations that wait for the addresses of a host. */
  readonly #pending = new Map<string, Map<string, Observation>>();
  #soon: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MailHostsOptions) {
    const { minListed, client, texts, distrusted = () => false, clock, capacity = 50_000 } = options;
    this.#learning = minListed !== null;
    this.#distrusted = distrusted;
    this.#clock = clock;
    this.#factsOf = createHostFacts(capacity);
    this.#hostsOfDomain = new HostLimit({ maxHosts: MAX_HOSTS_OF_DOMAIN, capacity: MAX_DOMAINS, clock });
    this.#observed = createTwoGenerationCache<LastObservation>(capacity);
    this.#decisions = createHostDecisions(options.decisions ?? NO_DECISIONS);
    this.#records = new HostRecords({
      texts,
      decisions: this.#decisions,
      minListed: minListed ?? 0,
      clock,
      capacity: capacity * 2,
    });
    const onWaiting = () => this.#work();
    const onAnswer = (host: string) => this.#observeAddresses(host);
    this.#addresses = new HostAddresses({
      client,
      texts,
      distrusted,
      clock,
      capacity,
      onWaiting,
      onAnswer,
    });
    this.#knowledge = {
      factsOf: this.#factsOf,
      decisions: this.#decisions,
      records: this.#records,
      addresses: this.#addresses,
      hostsOfDomain: this.#hostsOfDomain,
    };
    // The limit lets nobody ask for addresses: known ones are used.
    this.#consulted = { ...this.#knowledge, hostsOfDomain: { admits: () => false } };
  }

  async refresh(): Promise<void> {
    if (!this.#learning || !(await this.#decisions.refresh())) return;
    // Records in memory, or waiting, may still have an erased person: all are read and observed again.
    this.#records.reset();
    this.#observed.clear();
    this.#pending.clear();
  }

  associate(served: ServedDomain, intel: Intel): Association {
    return this.#associate(served, intel);
  }

  consult(served: ServedDomain, intel: Intel): Association {
    return this.#judge({ served, intel, basis: undefined }, this.#consulted, () => {});
  }

  #associate(served: ServedDomain, intel: Intel, basis?: AssociationBasis): Association {
    const learn = (flagged: boolean) => this.#learn(served, flagged, basis);
    return this.#judge({ served, intel, basis }, this.#knowledge, learn);
  }

  #judge(
    question: AssociationQuestion,
    knowledge: HostKnowledge,
    learn: (flagged: boolean) => void,
  ): Association {
    if (this.#distrusted()) return UNASSOCIATED;
    const { served, intel } = question;
    const { known, hosts } = served;
    const [first = ''] = hosts;
    const { relay, shared, key } = this.#factsOf(first, intel);
    if (relay !== undefined) return known.listed.consumer ? UNASSOCIATED : relay;
    // Needed only if it can change a listing.
    const contestable = (known.disposable && !known.settled) || known.listed.spam;
    // Nothing is learned about such hosts, and nothing needs to be.
    if (contestable && arePaid(knowledge, question)) return VOUCHED.paid;
    if (shared || !this.#learning || this.#decisions.isNeverFlagged(key)) return UNASSOCIATED;
    const open = !known.disposable && !known.listed.relay && !isVouched(known);
    const found = open ? findAssociation(knowledge, question) : UNASSOCIATED;
    learn(found !== UNASSOCIATED);
    return contestable && found === UNASSOCIATED ? VOUCHED[vouchOf(knowledge, question)] : found;
  }

  remembered(served: ServedDomain, intel: Intel): RememberedAssociation | undefined {
    const basis = new AssociationBasis();
    this.#associate(served, intel, basis);
    const isSame = basis.watch(this.#records);
    const { version: decided } = this.#decisions;
    const { epoch } = this.#records;
    const isCurrent = () =>
      isSame(this.#clock()) &&
      epoch === this.#records.epoch &&
      decided === this.#decisions.version &&
      !this.#distrusted();
    const { until, isCommon } = basis;
    return isCurrent() ? { until, isCurrent, isCommon } : undefined;
  }

  get distrusted(): boolean {
    return this.#distrusted();
  }

  /** Each of these numbers only grows. */
  get changes(): number {
    return this.#records.changes + this.#records.epoch + this.#decisions.version;
  }

  load(hosts: readonly string[], intel: Intel): Promise<void> | undefined {
    if (!this.#learning) return undefined;
    const { relay, shared } = this.#factsOf(hosts[0] ?? '', intel);
    // The first host alone decides in this case.
    if (relay !== undefined || shared) return undefined;
    const awaited: Promise<unknown>[] = [];
    for (let at = 0; at < hosts.length && at < MAX_HOSTS; at += 1) {
      const host = hosts[at] as string;
      const record = this.#records.load(this.#factsOf(host, intel).key);
      if (record !== undefined) awaited.push(record);
      const addresses = this.#addresses.load(host);
      if (addresses !== undefined) awaited.push(addresses);
    }
    return awaited.length === 0
      ? this.#loadAddressRecords(hosts)
      : Promise.all(awaited).then(() => this.#loadAddressRecords(hosts));
  }

  removeAccount(account: string): void {
    this.#records.removeAccount(account);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#soon);
    await this.#records.close();
  }

  /** Reads the records of the hosts' addresses, once these are known. */
  #loadAddressRecords(hosts: readonly string[]): Promise<void> | undefined {
    const awaited: Promise<unknown>[] = [];
    for (let at = 0; at < hosts.length && at < MAX_HOSTS; at += 1) {
      for (const address of this.#addresses.peek(hosts[at] as string)) {
        const record = this.#records.load(address);
        if (record !== undefined) awaited.push(record);
      }
    }
    return awaited.length === 0 ? undefined : Promise.all(awaited).then(() => {});
  }

  /** Learns about the first host alone: any domain may name strangers as backup hosts. */
  #learn(served: ServedDomain, flagged: boolean, basis: AssociationBasis | undefined): void {
    const { account, domain, known, hosts } = served;
    const kind = kindOf(served, flagged);
    if (kind === undefined) return;
    const memo = `${account} ${domain}`;
    const last = this.#observed.get(memo);
    const at = this.#clock();
    if (last?.hosts === hosts && last.kind === kind && at - last.at < OBSERVE_AGAIN_MS) {
      basis?.noteUntil(last.at + OBSERVE_AGAIN_MS);
      return;
    }
    basis?.noteUntil(at);
    this.#observed.set(memo, { hosts, kind, at });
    const [host = ''] = hosts;
    if (!this.#hostsOfDomain.admits(hostKey(domain), host)) return;
    const name = (kind === 'listed' ? listedEntry(known) : ownerDomain(domain)) ?? domain;
    const observation: Observation = { domain: name, kind, account, host };
    this.#records.observe(hostKey(host), observation);
    for (const address of this.#addresses.getAndRefresh(host)) this.#records.observe(address, observation);
    if (!this.#addresses.isSettled(host)) this.#await(host, observation);
    this.#work();
  }

  #await(host: string, observation: Observation): void {
    const waiting = this.#pending.get(host) ?? new Map<string, Observation>();
    const { account, domain } = observation;
    if (waiting.size < MAX_OBSERVATIONS) waiting.set(`${account} ${domain}`, observation);
    if (this.#pending.size < MAX_PENDING) this.#pending.set(host, waiting);
  }

  /** The addresses of a host were found: they serve the same domains. */
  #observeAddresses(host: string): void {
    for (const observation of this.#pending.get(host)?.values() ?? []) {
      for (const address of this.#addresses.getAndRefresh(host)) this.#records.observe(address, observation);
    }
    this.#pending.delete(host);
    this.#work();
  }

  /** Looks up and writes a moment later: no assessment waits for it. */
  #work(): void {
    if (this.#closed) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#addresses.askWaiting();
      this.#records.flush();
    }, SOON_MS).unref();
  }
}
