/** Decides what a domain's mail hosts say of it: that a relay forwards its mail, or that it is disposable by association. */
import { ownerDomain } from '../../address/domain.ts';
import type { Intel } from '../../intel/intel.ts';
import type { DnsClient } from '../dns-client.ts';
import type { DisposableHost, Hit } from '../evidence.ts';
import type { Texts } from '../rdap/durable-ages.ts';
import { createRecent } from '../recent.ts';
import { createHostAddresses, type HostAddresses } from './host-addresses.ts';
import { createHostNames } from './host-names.ts';
import { isVouched, kindOf, listedEntry, type Served } from './served-domain.ts';
import { createStandings, type Kind, type Standings } from './standings.ts';

export interface MailHostsOptions {
  /** Fewest listed disposable domains that make a host's other domains disposable; `null` learns nothing. */
  readonly least: number | null;
  /** Asked for the addresses of mail hosts, in the background. */
  readonly client: Pick<DnsClient, 'query'>;
  readonly texts: Texts;
  /** While true, nothing is learned from DNS, and nothing concluded. Default: never. */
  readonly distrusted?: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Hosts in memory at most. Default 50,000. */
  readonly capacity?: number;
}

export interface Association {
  readonly relay: boolean;
  readonly disposableHost: DisposableHost;
  /** All its mail hosts of which anything is known serve ordinary domains, and no other listed one. */
  readonly ordinary: boolean;
  readonly hits: readonly Hit[];
}

export interface MailHosts {
  /**
   * Reads what was kept of these hosts, where that is not in memory and not at hand; `undefined` when there is nothing to
   * wait for. Without it they are judged by what memory holds.
   */
  arriving(hosts: readonly string[], intel: Intel): Promise<void> | undefined;
  /** Synchronous and bounded. Learns from the domain, too. */
  associate(served: Served, intel: Intel): Association;
  /** Writes what was learned last. */
  close(): void;
}

const NO_HOST: DisposableHost = { name: '', matched: '', serves: 0 };
export const UNASSOCIATED: Association = { relay: false, disposableHost: NO_HOST, ordinary: false, hits: [] };

const ORDINARY: Association = { ...UNASSOCIATED, ordinary: true };

/** Backup hosts beyond these say little and cost time. */
const HOSTS_READ = 4;
const SOON_MS = 20;
const MOST_PENDING = 1_000;
const MOST_LESSONS = 100;

export function createMailHosts(options: MailHostsOptions): MailHosts {
  return new Hosts(options);
}

/** What a host's name alone says. */
interface HostFacts {
  /** Also the hosts of consumer providers, which have other people's domains as well. */
  shared: boolean;
  /** What is said of the domains it serves, when it is a relay's. */
  readonly relay: Association | undefined;
  /** What it is remembered by: its name, and all names of its owner together. */
  readonly keys: readonly [host: string, root?: string];
  /** The snapshot that `shared` and `below` were read from. */
  snapshot: string;
  /** The listed disposable domain that the host belongs to, or empty. */
  below: string;
}

interface Lesson {
  readonly hosts: readonly string[];
  readonly kind: Kind;
  /** The listed entry, or the owner's domain. */
  readonly name: string;
}

class Hosts implements MailHosts {
  readonly #learning: boolean;
  readonly #distrusted: () => boolean;
  readonly #names = createHostNames();
  readonly #standings: Standings;
  readonly #addresses: HostAddresses;
  readonly #facts;
  /** The last lesson of a domain: the same one is not learned again. */
  readonly #lessons;
  /** Lessons that wait for the addresses of a host. */
  readonly #pending = new Map<string, Map<string, Lesson>>();
  #soon: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MailHostsOptions) {
    const { least, client, texts, distrusted = () => false, clock, capacity = 50_000 } = options;
    this.#learning = least !== null;
    this.#distrusted = distrusted;
    this.#facts = createRecent<HostFacts>(capacity);
    this.#lessons = createRecent<Lesson>(capacity);
    this.#standings = createStandings({ texts, least: least ?? 0, clock, capacity: capacity * 2 });
    const work = () => this.#work();
    const settle = (host: string) => this.#settle(host);
    this.#addresses = createHostAddresses({
      client,
      texts,
      distrusted,
      clock,
      capacity,
      onWaiting: work,
      onAnswer: settle,
    });
  }

  associate(served: Served, intel: Intel): Association {
    if (this.#distrusted()) return UNASSOCIATED;
    const { domain, known, hosts } = served;
    const [first = ''] = hosts;
    const { relay, shared } = this.#factsOf(first, intel);
    if (relay !== undefined) return known.consumer ? UNASSOCIATED : relay;
    if (shared || !this.#learning) return UNASSOCIATED;
    const open = !known.disposable && !known.relay && !isVouched(known);
    const found = open ? this.#find(domain, hosts, intel) : UNASSOCIATED;
    this.#learn(served, kindOf(served, found !== UNASSOCIATED), intel);
    // Asked only where a listing may turn on it.
    const contestable = known.disposable && !known.settled;
    return contestable && this.#areOrdinary(served, intel) ? ORDINARY : found;
  }

  arriving(hosts: readonly string[], intel: Intel): Promise<void> | undefined {
    if (!this.#learning) return undefined;
    const { relay, shared } = this.#factsOf(hosts[0] ?? '', intel);
    // Such a first host decides alone.
    if (relay !== undefined || shared) return undefined;
    const awaited: (Promise<unknown> | undefined)[] = [];
    for (let at = 0; at < hosts.length && at < HOSTS_READ; at += 1) {
      const host = hosts[at] as string;
      awaited.push(this.#standings.arriving(this.#factsOf(host, intel).keys), this.#addresses.arriving(host));
    }
    const first = all(awaited);
    return first === undefined ? this.#byAddress(hosts) : first.then(() => this.#byAddress(hosts));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#soon);
    this.#standings.flush();
  }

  /** Of the hosts' addresses, once these are known. */
  #byAddress(hosts: readonly string[]): Promise<void> | undefined {
    const awaited: (Promise<unknown> | undefined)[] = [];
    for (let at = 0; at < hosts.length && at < HOSTS_READ; at += 1) {
      awaited.push(this.#standings.arriving(this.#addresses.known(hosts[at] as string)));
    }
    return all(awaited);
  }

  #factsOf(host: string, intel: Intel): HostFacts {
    let facts = this.#facts.get(host);
    if (facts === undefined) {
      const entry = this.#names.relayEntry(host);
      const root = ownerDomain(host);
      const hits = [{ fact: 'relay', source: 'relay-mx', entry: entry ?? '' }];
      facts = {
        shared: false,
        relay:
          entry === undefined ? undefined : { relay: true, disposableHost: NO_HOST, ordinary: false, hits },
        keys: root === undefined ? [host] : [host, `*.${root}`],
        snapshot: '',
        below: '',
      };
      this.#facts.set(host, facts);
    }
    if (facts.snapshot !== intel.id) {
      facts.snapshot = intel.id;
      const known = intel.domain(host);
      facts.below = listedEntry(known) ?? '';
      facts.shared = this.#names.isShared(host) || known.consumer || known.relay;
    }
    return facts;
  }

  /** The first exchange of which anything is known decides. */
  #find(domain: string, hosts: readonly string[], intel: Intel): Association {
    for (let at = 0; at < hosts.length && at < HOSTS_READ; at += 1) {
      const host = hosts[at] as string;
      const { shared, relay, below, keys } = this.#factsOf(host, intel);
      if (shared || relay !== undefined) continue;
      if (below !== '') return associated({ name: host, matched: below, serves: 0 });
      if (this.#standings.isCleared(host)) return UNASSOCIATED;
      const key = this.#convicted(keys, domain) ?? this.#convicted(this.#addresses.of(host), domain);
      if (key !== undefined) {
        return associated({ name: host, matched: key, serves: this.#standings.serves(key, domain) });
      }
    }
    return UNASSOCIATED;
  }

  /** Known to be: a host of which nothing was seen yet says nothing. */
  #areOrdinary({ domain, hosts }: Served, intel: Intel): boolean {
    return hosts.slice(0, HOSTS_READ).every((host) => {
      const { shared, relay, below, keys } = this.#factsOf(host, intel);
      if (shared || relay !== undefined || below !== '') return false;
      const seen = [...keys, ...this.#addresses.of(host)];
      return (
        this.#standings.isCleared(host) &&
        seen.every((key) => key === undefined || !this.#standings.servesOtherListed(key, domain))
      );
    });
  }

  #convicted(keys: readonly (string | undefined)[], domain: string): string | undefined {
    return keys.find((key) => key !== undefined && this.#standings.serves(key, domain) > 0);
  }

  #learn({ domain, known, hosts }: Served, kind: Kind, intel: Intel): void {
    const last = this.#lessons.get(domain);
    if (last !== undefined && last.hosts === hosts && last.kind === kind) return;
    const name = (kind === 'listed' ? listedEntry(known) : ownerDomain(domain)) ?? domain;
    const lesson: Lesson = { hosts, kind, name };
    this.#lessons.set(domain, lesson);
    for (const host of hosts.slice(0, HOSTS_READ)) {
      const { shared, relay, keys } = this.#factsOf(host, intel);
      if (shared || relay !== undefined) continue;
      const seen = [...keys, ...this.#addresses.of(host)];
      // Nobody clears a host that is flagged by naming it behind a clean one; a provider's own hosts are its own.
      const isFlagged = kind === 'ordinary' && !known.consumer && this.#convicted(seen, name) !== undefined;
      this.#note(seen, isFlagged ? { ...lesson, kind: 'neither' } : lesson);
      if (!this.#addresses.settled(host)) this.#await(host, lesson);
    }
    this.#work();
  }

  #await(host: string, lesson: Lesson): void {
    const lessons = this.#pending.get(host) ?? new Map<string, Lesson>();
    if (lessons.size < MOST_LESSONS) lessons.set(lesson.name, lesson);
    if (this.#pending.size < MOST_PENDING) this.#pending.set(host, lessons);
  }

  #note(keys: readonly (string | undefined)[], { name, kind }: Lesson): void {
    for (const key of keys) if (key !== undefined) this.#standings.note(key, name, kind);
  }

  /** The addresses of a host have come: what it serves, they serve. */
  #settle(host: string): void {
    const addresses = this.#addresses.of(host);
    for (const lesson of this.#pending.get(host)?.values() ?? []) {
      // What an address associates is no ordinary domain, whatever its host's name let it pass for.
      if (lesson.kind === 'ordinary' && this.#convicted(addresses, lesson.name) !== undefined) {
        this.#note(this.#facts.get(host)?.keys ?? [host], { ...lesson, kind: 'neither' });
      } else {
        this.#note(addresses, lesson);
      }
    }
    this.#pending.delete(host);
    this.#work();
  }

  /** Asks and writes a moment later: no assessment waits for either. */
  #work(): void {
    if (this.#closed) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#addresses.askWaiting();
      this.#standings.flush();
    }, SOON_MS).unref();
  }
}

function associated(disposableHost: DisposableHost): Association {
  const hits = [{ fact: 'disposable', source: 'mail-host', entry: disposableHost.matched }];
  return { relay: false, disposableHost, ordinary: false, hits };
}

/** `undefined` when nothing has to be waited for. */
function all(awaited: readonly (Promise<unknown> | undefined)[]): Promise<void> | undefined {
  return awaited.every((one) => one === undefined) ? undefined : Promise.all(awaited).then(() => {});
}
