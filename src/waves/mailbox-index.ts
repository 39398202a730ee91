/** Knows the mailboxes of every account that signed up with several addresses within the last months, and counts them. */
import { mailboxOf } from '../address/mailbox.ts';
import type { Subject } from '../evidence/gather.ts';
import { dayOf, MAX_MAILBOX_ADDRESSES, type MailboxAddress } from '../model/mailbox-address.ts';

/** Source of addresses; a part of the store. */
export interface MailboxSource {
  mailboxesVersion(): Promise<number>;
  mailboxRemovalsVersion(): Promise<number>;
  mailboxChangesSince(version: number): AsyncIterable<MailboxAddress>;
}

/** Addresses of the attempt's mailbox, its own included. */
export interface MailboxCount {
  /** Distinct addresses, `MAX_MAILBOX_ADDRESSES` and this one at most. */
  readonly all: number;
  /** Addresses that count against the attempt. */
  readonly voices: number;
}

export type CountedSubject = Pick<
  Subject,
  'account' | 'mailbox' | 'addressHash' | 'at' | 'email' | 'spelling'
>;

/** Addresses of mailboxes in memory. */
export interface MailboxMemory {
  /** `null`: fewer than three addresses of the mailbox are known, or one of them is a good customer's. */
  count(subject: CountedSubject): MailboxCount | null;
  /** Adds an address, or what is newer about it: the later day counts, and a use that was not blocked. */
  put(address: MailboxAddress): void;
  removeAccount(accountId: string): void;
}

/** Follows what is stored. */
export interface MailboxIndex extends Omit<MailboxMemory, 'put'> {
  /** Reads what changed. @throws when the source cannot be read */
  refresh(): Promise<void>;
}

export interface MailboxMemoryOptions {
  /** Days that an address counts after its last use. */
  readonly days: number;
  /** Hashes of a text under keys from before a rotation that are still in use. */
  readonly olderHashes?: (text: string) => readonly string[];
  /** Addresses in memory, about 150 bytes each. Default 60,000. */
  readonly maxAddresses?: number;
}

export interface MailboxIndexOptions extends MailboxMemoryOptions {
  readonly source: MailboxSource;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const MAX_ADDRESSES = 60_000;
/** Share of the addresses that is forgotten when the memory is full. */
const FORGOTTEN = 0.1;
/** Min. addresses of a mailbox that are counted. */
const MIN_ADDRESSES = 3;
/** Blocked addresses that count together, so that nobody shuts others out with signups that are blocked themselves. */
const MAX_BLOCKED = 1;

/** Addresses of a mailbox by their hashes. */
type Mailbox = Map<string, MailboxAddress>;
/** Mailboxes of an account by their hashes: the one that changed longest ago comes first. */
type Mailboxes = Map<string, Mailbox>;

export function createMailboxIndex(options: MailboxIndexOptions): MailboxIndex {
  const { source, days, clock } = options;
  let [version, removals, readOn] = [0, 0, Number.NaN];
  let memory = createMailboxMemory(options);
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    // Asked first: a change that is stored while the rows are read is then read again, never missed.
    const removedAt = await source.mailboxRemovalsVersion();
    const upTo = await source.mailboxesVersion();
    const today = dayOf(clock());
    // Erased addresses are not named, and nothing tells which became too old: after either, all are read from the beginning.
    const isAnew = removedAt !== removals || today !== readOn;
    const next = isAnew ? createMailboxMemory(options) : memory;
    if (isAnew || upTo !== version)
      for await (const address of source.mailboxChangesSince(isAnew ? 0 : version))
        if (address.lastDay > today - days) next.put(address);
    memory = next;
    [version, removals, readOn] = [upTo, removedAt, today];
  }

  return {
    count: (subject) => memory.count(subject),
    /** One at a time, like own lists. */
    refresh() {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    removeAccount: (accountId) => memory.removeAccount(accountId),
  };
}

export function createMailboxMemory(options: MailboxMemoryOptions): MailboxMemory {
  const { days, olderHashes = () => [], maxAddresses = MAX_ADDRESSES } = options;
  const accounts = new Map<string, Mailboxes>();
  let size = 0;

  /** Room for more: the account that has the most loses what changed longest ago. */
  function forgetMany(): void {
    let largest: Mailboxes = new Map();
    let count = 0;
    for (const own of accounts.values()) {
      let addresses = 0;
      for (const mailbox of own.values()) addresses += mailbox.size;
      if (addresses > count) [largest, count] = [own, addresses];
    }
    const upTo = size - Math.max(1, Math.min(maxAddresses * FORGOTTEN, count / 2));
    for (const [hash, mailbox] of largest) {
      if (size <= upTo) return;
      largest.delete(hash);
      size -= mailbox.size;
    }
  }

  return {
    count(subject) {
      const own = accounts.get(subject.account);
      if (own === undefined) return null;
      let found = countIn(own.get(subject.mailbox), subject.addressHash, subject, days);
      const older = olderHashes(subject.email.address);
      if (older.length === 0) return found;
      // An address that came before and after a rotation is two here: the higher count of one key is never too high.
      for (const [at, mailbox] of olderHashes(mailboxOf(subject.email)).entries()) {
        const count = countIn(own.get(mailbox), older[at] as string, subject, days);
        if ((count?.all ?? 0) > (found?.all ?? 0)) found = count;
      }
      return found;
    },
    put(address) {
      const { accountId, mailbox } = address;
      const own: Mailboxes = accounts.get(accountId) ?? new Map();
      const addresses: Mailbox = own.get(mailbox) ?? new Map();
      accounts.set(accountId, own);
      own.delete(mailbox);
      own.set(mailbox, addresses);
      const known = addresses.get(address.address);
      if (known === undefined) {
        if (addresses.size >= MAX_MAILBOX_ADDRESSES) addresses.delete(oldestOf(addresses));
        else size += 1;
      }
      addresses.set(address.address, known === undefined ? address : merge(known, address));
      if (size > maxAddresses) forgetMany();
    },
    removeAccount(accountId) {
      for (const mailbox of accounts.get(accountId)?.values() ?? []) size -= mailbox.size;
      accounts.delete(accountId);
    },
  };
}

function merge(known: MailboxAddress, address: MailboxAddress): MailboxAddress {
  const isBlocked = known.isBlocked && address.isBlocked;
  return { ...address, lastDay: Math.max(known.lastDay, address.lastDay), isBlocked };
}

function oldestOf(mailbox: Mailbox): string {
  let oldest: MailboxAddress | undefined;
  for (const each of mailbox.values())
    if (oldest === undefined || each.lastDay < oldest.lastDay) oldest = each;
  return oldest?.address ?? '';
}

function countIn(
  mailbox: Mailbox | undefined,
  addressHash: string,
  { at, spelling }: CountedSubject,
  days: number,
): MailboxCount | null {
  // Others can make up spellings: they say nothing against the mailbox's own, which is its owner's.
  if (mailbox === undefined || spelling === 'canonical') return null;
  const since = dayOf(at) - days;
  let all = 1;
  let blocked = 0;
  for (const { address, lastDay, isBlocked, isGood } of mailbox.values()) {
    // One whose signup was reported as a good customer's is known to have several addresses.
    if (isGood) return null;
    if (address === addressHash || lastDay <= since) continue;
    all += 1;
    if (isBlocked) blocked += 1;
  }
  if (all < MIN_ADDRESSES) return null;
  return { all, voices: all - Math.max(0, blocked - MAX_BLOCKED) };
}
