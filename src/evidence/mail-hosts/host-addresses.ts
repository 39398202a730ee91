/** Decides when the addresses of a mail host are looked up: in the background only, once a while, and for few hosts of an owner. */
import { readIp } from '../../address/ip.ts';
import type { StoredText, TextCache } from '../cached-texts.ts';
import type { DnsReply } from '../dns/reply.ts';
import type { DnsClient } from '../dns-client.ts';
import { createTwoGenerationCache } from '../two-generation-cache.ts';
import { hostKey } from './host-decisions.ts';

export interface HostAddresses {
  /** Public addresses of the host as last known, canonical; empty when none is. Asks for them when they are due. */
  of(host: string): readonly string[];
  /** The same, and asks for nothing. */
  known(host: string): readonly string[];
  /** Whether an answer, even an empty one, is known and not due. */
  settled(host: string): boolean;
  /** What has to be waited for until what was kept of the host is known; `undefined` when nothing has. */
  arriving(host: string): Promise<unknown> | undefined;
  /** Sends the questions that are waiting. */
  askWaiting(): void;
}

export interface HostAddressesOptions {
  readonly client: Pick<DnsClient, 'query'>;
  readonly texts: TextCache;
  /** While true, nothing is asked, and no answer counts. */
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
const UNASKED: Addresses = { addresses: [], until: Number.POSITIVE_INFINITY };
const MOST_ADDRESSES = 4;
const AT_ONCE = 16;
const MOST_WAITING = 1_000;
const SHORTEST_MS = 600_000;
const LONGEST_MS = 86_400_000;
/** A zone that answers for every name has no end of hosts: the first few of an owner are enough. */
const HOSTS_OF_OWNER = 8;
const OWNER_MS = 86_400_000;

export function createHostAddresses(options: HostAddressesOptions): HostAddresses {
  const { client, texts, distrusted, clock, capacity, onWaiting, onAnswer } = options;
  const recent = createTwoGenerationCache<Addresses>(capacity);
  const waiting = new Set<string>();
  const asked = new Set<string>();
  /** Hosts that were looked at of late, by their owner. */
  const owners = createTwoGenerationCache<{ readonly hosts: Set<string>; readonly until: number }>(capacity);
  /** Of which what was kept is on its way. */
  const loading = new Map<string, Promise<void>>();
  /** Texts that need not be waited for need not be read ahead. */
  let atHand = false;

  function get(host: string): Addresses {
    const held = recent.get(host);
    if (held !== undefined) return held;
    if (isOneTooMany(host)) return UNASKED;
    const kept = texts.get(addressesName(host));
    atHand = !(kept instanceof Promise);
    if (!(kept instanceof Promise)) return keep(host, kept);
    loading.set(
      host,
      kept.then((text) => {
        loading.delete(host);
        keep(host, text);
      }),
    );
    return keep(host, undefined);
  }

  function keep(host: string, kept: StoredText | undefined): Addresses {
    const read = kept === undefined ? UNKNOWN : { addresses: kept.text.split(' '), until: kept.expiresAt };
    recent.set(host, read);
    return read;
  }

  function isOneTooMany(host: string): boolean {
    const key = hostKey(host);
    let owner = owners.get(key);
    if (owner === undefined || owner.until <= clock()) {
      owner = { hosts: new Set(), until: clock() + OWNER_MS };
      owners.set(key, owner);
    }
    if (owner.hosts.size >= HOSTS_OF_OWNER) return !owner.hosts.has(host);
    owner.hosts.add(host);
    return false;
  }

  function askWaiting(): void {
    if (distrusted()) return;
    for (const host of waiting) {
      if (asked.size >= AT_ONCE) return;
      waiting.delete(host);
      asked.add(host);
      void ask(host).then(() => {
        asked.delete(host);
        if (waiting.size > 0) onWaiting();
      });
    }
  }

  async function ask(host: string): Promise<void> {
    const queries = [client.query(host, 'A'), client.query(host, 'AAAA')];
    const replies = await Promise.all(queries.map((query) => query?.reply));
    if (distrusted()) return;
    const addresses = replies.flatMap(readAddresses).slice(0, MOST_ADDRESSES);
    const seconds = Math.min(...replies.map((reply) => reply?.ttlSeconds ?? 0));
    const until = clock() + Math.min(Math.max(seconds * 1_000, SHORTEST_MS), LONGEST_MS);
    if (addresses.length > 0) {
      recent.set(host, { addresses, until });
      texts.put(addressesName(host), addresses.join(' '), until);
    } else {
      recent.set(host, { addresses: get(host).addresses, until });
    }
    onAnswer(host);
  }

  return {
    of(host) {
      const { addresses, until } = get(host);
      if (until > clock() || waiting.size >= MOST_WAITING || asked.has(host)) return addresses;
      if (loading.has(host)) return addresses;
      waiting.add(host);
      onWaiting();
      return addresses;
    },
    known: (host) => get(host).addresses,
    settled: (host) => get(host).until > clock(),
    arriving(host) {
      if (atHand) return undefined;
      get(host);
      return loading.get(host);
    },
    askWaiting,
  };
}

/** Addresses of special ranges lead nowhere, and everybody may have them. */
function readAddresses(reply: DnsReply | undefined): string[] {
  return (reply?.records ?? []).flatMap((record) => {
    const reading = readIp(record.type === 'A' || record.type === 'AAAA' ? record.data : '');
    return reading.status === 'ok' ? [reading.address.text] : [];
  });
}

/** What the addresses of a host are kept as. */
export function addressesName(host: string): string {
  return `mail-host-address:${host}`;
}
