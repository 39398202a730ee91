/** Decides when the addresses of a mail host are looked up: in the background, at intervals, and for few hosts of an owner. */
import { readIp } from '../address/ip.ts';
import type { TextCache } from '../model/text-cache.ts';
import { hostKey } from './mail-host-record.ts';
import { type CachedTexts, createCachedTexts } from './sources/cached-texts.ts';
import type { DnsClient } from './sources/dns-client.ts';
import type { DnsReply } from './sources/dns-message.ts';
import { createTwoGenerationCache } from './sources/two-generation-cache.ts';

export interface HostAddressesOptions {
  readonly client: Pick<DnsClient, 'query'>;
  readonly texts: TextCache;
  /** True while DNS is wrong: nothing is asked, and no answer counts. */
  readonly distrusted: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Hosts in memory at most. */
  readonly capacity: number;
  /** Called when something is waiting to be asked. */
  readonly onWaiting: () => void;
  readonly onAnswer: (host: string) => void;
}

interface Addresses {
  readonly addresses: readonly string[];
  readonly until: number;
}

const UNKNOWN: Addresses = { addresses: [], until: 0 };
const NOT_LOOKED_UP: Addresses = { addresses: [], until: Number.POSITIVE_INFINITY };
const MAX_ADDRESSES = 4;
const MAX_OPEN = 16;
const MAX_WAITING = 1_000;
const MIN_TTL_MS = 600_000;
const MAX_TTL_MS = 86_400_000;
/** A zone that answers for every name has any number of hosts. The first few of an owner are enough. */
const MAX_HOSTS_OF_OWNER = 8;

export class HostAddresses {
  readonly #options: HostAddressesOptions;
  readonly #texts: CachedTexts<Addresses>;
  readonly #hostsOfOwner: HostLimit;
  readonly #waiting = new Set<string>();
  readonly #open = new Set<string>();

  constructor(options: HostAddressesOptions) {
    const { texts, capacity, clock } = options;
    this.#options = options;
    this.#texts = createCachedTexts<Addresses>({ texts, nameOf: addressesName, capacity });
    this.#hostsOfOwner = new HostLimit({ maxHosts: MAX_HOSTS_OF_OWNER, capacity, clock });
  }

  /** Known public addresses of the host, canonical; may be empty. Looks them up in the background when they are due. */
  getAndRefresh(host: string): readonly string[] {
    const { addresses, until } = this.#get(host);
    const isDue = until <= this.#options.clock() && !this.#open.has(host);
    if (!isDue || this.#waiting.size >= MAX_WAITING) return addresses;
    const reading = this.#texts.whenRead(host);
    if (reading !== undefined) {
      void reading.then(() => this.getAndRefresh(host));
      return addresses;
    }
    this.#waiting.add(host);
    this.#options.onWaiting();
    return addresses;
  }

  /** Addresses that are known without a look-up. */
  peek(host: string): readonly string[] {
    return this.#get(host).addresses;
  }

  /** Whether an answer, even an empty one, is known and not due. */
  isSettled(host: string): boolean {
    return this.dueAt(host) > this.#options.clock();
  }

  /** Time until which the known addresses stay the same, milliseconds since the epoch. */
  dueAt(host: string): number {
    return this.#get(host).until;
  }

  /** Resolves when the stored addresses of the host are read; `undefined` if nothing is being read. */
  load(host: string): Promise<void> | undefined {
    this.#get(host);
    return this.#texts.whenRead(host);
  }

  /** Sends the questions that are waiting. */
  askWaiting(): void {
    if (this.#options.distrusted()) return;
    for (const host of this.#waiting) {
      if (this.#open.size >= MAX_OPEN) return;
      this.#waiting.delete(host);
      this.#open.add(host);
      void this.#ask(host).then(() => {
        this.#open.delete(host);
        if (this.#waiting.size > 0) this.#options.onWaiting();
      });
    }
  }

  /** Empty while the stored addresses are being read. */
  #get(host: string): Addresses {
    const known = this.#texts.get(host);
    if (known !== undefined) return known;
    if (!this.#hostsOfOwner.admits(hostKey(host), host)) return NOT_LOOKED_UP;
    this.#texts.set(host, UNKNOWN);
    this.#texts.read(host, (stored) => {
      if (stored !== undefined)
        this.#texts.set(host, { addresses: stored.text.split(' '), until: stored.expiresAt });
    });
    return this.#texts.get(host) ?? UNKNOWN;
  }

  async #ask(host: string): Promise<void> {
    const { client, distrusted, clock, onAnswer } = this.#options;
    const queries = [client.query(host, 'A'), client.query(host, 'AAAA')];
    const replies = await Promise.all(queries.map((query) => query?.reply));
    if (distrusted()) return;
    const addresses = replies.flatMap(readAddresses).slice(0, MAX_ADDRESSES);
    const seconds = Math.min(...replies.map((reply) => reply?.ttlSeconds ?? 0));
    const until = clock() + Math.min(Math.max(seconds * 1_000, MIN_TTL_MS), MAX_TTL_MS);
    if (addresses.length > 0) {
      this.#texts.set(host, { addresses, until });
      this.#texts.write(host, { text: addresses.join(' '), expiresAt: until });
    } else {
      this.#texts.set(host, { addresses: this.peek(host), until });
    }
    onAnswer(host);
  }
}

/** Addresses of a reply without those of special ranges: they lead nowhere, and anybody may use them. */
function readAddresses(reply: DnsReply | undefined): string[] {
  return (reply?.records ?? []).flatMap((record) => {
    const reading = readIp(record.type === 'A' || record.type === 'AAAA' ? record.data : '');
    return reading.status === 'ok' ? [reading.address.text] : [];
  });
}

/** The name under which the addresses of a host are stored. */
export function addressesName(host: string): string {
  return `mail-host-address:${host}`;
}

interface OwnerDay {
  readonly hosts: Set<string>;
  readonly until: number;
}

const DAY_MS = 86_400_000;

/** Limits how many hosts of one owner count in a day. */
export class HostLimit {
  readonly #maxHosts: number;
  readonly #clock: () => number;
  readonly #owners;

  /** `capacity`: owners remembered at most, `maxHosts` hosts each. */
  constructor(options: {
    readonly maxHosts: number;
    readonly capacity: number;
    readonly clock: () => number;
  }) {
    this.#maxHosts = options.maxHosts;
    this.#clock = options.clock;
    this.#owners = createTwoGenerationCache<OwnerDay>(options.capacity);
  }

  /** Whether the host is among the first few of the owner's day. `owner`: the `hostKey` of any of its names. */
  admits(owner: string, host: string): boolean {
    let day = this.#owners.get(owner);
    if (day === undefined || day.until <= this.#clock()) {
      day = { hosts: new Set(), until: this.#clock() + DAY_MS };
      this.#owners.set(owner, day);
    }
    if (day.hosts.size >= this.#maxHosts) return day.hosts.has(host);
    day.hosts.add(host);
    return true;
  }
}
