/** Decides which entry of an account's lists decides about an attempt: the most precise one, and of equals the one that allows. */
import { type Block, parseBlock } from '../address/block.ts';
import { mailboxOf } from '../address/mailbox.ts';
import type { DecidingAction, ListKind } from '../model/list-entry.ts';
import type { EmailAddress, IpAddress } from '../model/signup-attempt.ts';
import { createBlockTable } from './list-block-table.ts';

/** Kinds that an entry which decides may have. */
export type IndexedKind = Exclude<ListKind, 'domain_network'>;

export interface IndexedEntry {
  readonly id: string;
  readonly action: DecidingAction;
  readonly kind: IndexedKind;
  /** Canonical; of an address or a mailbox its keyed hash. */
  readonly value: string;
  /** Milliseconds since the epoch, or `null` for ever. */
  readonly expiresAt: number | null;
}

/** Properties of an attempt that entries are compared with. */
export interface ListSubject {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Keyed hash of the address. */
  readonly addressHash: string;
  /** Keyed hash of its mailbox. */
  readonly mailbox: string;
  /** The address is not known of a stored signup. */
  readonly email: EmailAddress | { readonly domain: string; readonly address?: undefined };
  readonly ip: IpAddress | null;
}

/** Network that the attempt comes from. */
export interface ListNetwork {
  /** 0 when unknown. */
  readonly asn: number;
  /** Empty when unknown. */
  readonly countryCode: string;
}

export interface ListIndex<E extends IndexedEntry> {
  /** Adds an entry, or replaces the one of the same action, kind and value. */
  put(entry: E): void;
  /** Removes an entry, unless another one has replaced it. */
  remove(entry: E): void;
  /**
   * Address, then mailbox, then IP, then blocks from the longest prefix on, then domains from the one with the most labels on,
   * then AS number, then country. Expired entries are ignored.
   */
  find(subject: ListSubject, network: ListNetwork | null): E | undefined;
  readonly size: number;
}

/** The entries of one value: at most one of each action. */
interface Slot<E> {
  allow: E | undefined;
  deny: E | undefined;
}

type NamedKind = Exclude<IndexedKind, 'cidr'>;

/** @param olderHashes of an address or a mailbox, under keys that older entries may be hashed with */
export function createListIndex<E extends IndexedEntry>(
  olderHashes: (text: string) => readonly string[] = () => [],
): ListIndex<E> {
  const { named, blocks, placeOf } = createListTables<E>();
  let size = 0;

  function findDomain(domain: string, at: number): E | undefined {
    for (let name = domain; ; name = name.slice(name.indexOf('.') + 1)) {
      const found = activeEntry(named.domain.get(name), at);
      if (found !== undefined || !name.includes('.')) return found;
    }
  }

  function findPerson({ at, addressHash, mailbox, email }: ListSubject): E | undefined {
    if (named.address.size === 0 && named.mailbox.size === 0) return undefined;
    const older = email.address === undefined ? [] : olderHashes(email.address);
    const found = findHashed(named.address, addressHash, older, at);
    if (found !== undefined || named.mailbox.size === 0) return found;
    const olderMailboxes = older.length === 0 ? older : olderHashes(mailboxOf(email as EmailAddress));
    return findHashed(named.mailbox, mailbox, olderMailboxes, at);
  }

  function find(subject: ListSubject, network: ListNetwork | null): E | undefined {
    const { at, email, ip } = subject;
    return (
      findPerson(subject) ??
      (ip === null
        ? undefined
        : (activeEntry(named.ip.get(ip.text), at) ?? blocks.find(ip, (slot) => activeEntry(slot, at)))) ??
      (named.domain.size === 0 ? undefined : findDomain(email.domain, at)) ??
      (network === null
        ? undefined
        : (activeEntry(named.asn.size === 0 ? undefined : named.asn.get(`AS${network.asn}`), at) ??
          activeEntry(named.country.get(network.countryCode), at)))
    );
  }

  return {
    put(entry) {
      const { slot, set } = placeOf(entry);
      if (slot?.[entry.action] === undefined) size += 1;
      if (slot === undefined) set({ allow: undefined, deny: undefined, [entry.action]: entry });
      else slot[entry.action] = entry;
    },
    remove(entry) {
      const { slot, clear } = placeOf(entry);
      if (slot?.[entry.action]?.id !== entry.id) return;
      slot[entry.action] = undefined;
      size -= 1;
      if (slot.allow === undefined && slot.deny === undefined) clear();
    },
    find,
    get size() {
      return size;
    },
  };
}

function createListTables<E extends IndexedEntry>() {
  const named: Record<NamedKind, Map<string, Slot<E>>> = {
    address: new Map(),
    mailbox: new Map(),
    ip: new Map(),
    domain: new Map(),
    asn: new Map(),
    country: new Map(),
  };
  const blocks = createBlockTable<Slot<E>>();

  /** The table an entry belongs to, with its place there. */
  function placeOf({ kind, value }: E) {
    if (kind !== 'cidr') {
      const table = named[kind];
      return {
        slot: table.get(value),
        set: (slot: Slot<E>) => table.set(value, slot),
        clear: () => table.delete(value),
      };
    }
    const block = parseBlock(value) as Block;
    return {
      slot: blocks.get(block),
      set: (slot: Slot<E>) => blocks.set(block, slot),
      clear: () => blocks.delete(block),
    };
  }

  return { named, blocks, placeOf };
}

/** Finds the entry of a value by all of its hashes: each may have been added under another key. */
function findHashed<E extends IndexedEntry>(
  table: ReadonlyMap<string, Slot<E>>,
  hash: string,
  olderHashes: readonly string[],
  at: number,
): E | undefined {
  let found = activeEntry(table.get(hash), at);
  for (const olderHash of olderHashes) {
    const older = activeEntry(table.get(olderHash), at);
    if (found === undefined || older?.action === 'allow') found = older ?? found;
  }
  return found;
}

function activeEntry<E extends IndexedEntry>(slot: Slot<E> | undefined, at: number): E | undefined {
  if (slot === undefined) return undefined;
  if (slot.allow !== undefined && inForce(slot.allow, at)) return slot.allow;
  return slot.deny !== undefined && inForce(slot.deny, at) ? slot.deny : undefined;
}

/** @param at milliseconds since the epoch */
export function inForce({ expiresAt }: Pick<IndexedEntry, 'expiresAt'>, at: number): boolean {
  return expiresAt === null || at < expiresAt;
}
