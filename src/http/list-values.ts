/** Reads what a request says of a list entry: its value, its expiry, and the confirmation of one that affects very many people. */
import type { ReadEntry } from '../accounts/list-admin.ts';
import { type ListAction, type ListEntry, splitOffice } from '../model/list-entry.ts';
import { parseInstant } from '../platform/timestamp.ts';
import { unusable } from './dashboard-values.ts';

/** Reads a value as it is stored: canonical, an address as its keyed hash, as `saved` has it. @throws Error of one sentence for people */
export type ReadListValue = (
  sent: ListText & { readonly action: ListAction },
  saved: readonly ListEntry[],
) => Omit<ReadEntry, 'expiresAt'>;

/** Value of an entry as a person writes it. */
export interface ListText {
  readonly value: string;
  /** Whether an address means this spelling alone, not all that reach its mailbox. */
  readonly exact?: boolean | undefined;
}

/** Fields of a new entry in a request. */
export interface SentListEntry extends ListText {
  /** RFC 3339, in the future; nothing or an empty text: never. */
  readonly expires_at?: string | null | undefined;
  /** The value again, to confirm an entry that affects very many people. */
  readonly confirm?: string | undefined;
}

export interface SentListEntryOptions {
  readonly readListValue: ReadListValue;
  readonly isCrowdedDomain: IsCrowdedDomain;
}

/** @throws Problem `invalid_value` */
export function readSentEntry(
  sent: SentListEntry & { readonly action: ListAction },
  saved: readonly ListEntry[],
  now: number,
  { readListValue, isCrowdedDomain }: SentListEntryOptions,
): ReadEntry {
  const read = readListEntry(() => readListValue(sent, saved));
  checkConfirmed(read, sent.confirm, isCrowdedDomain);
  return { ...read, expiresAt: readExpiry(sent.expires_at, now) };
}

/** @throws Problem `invalid_value` where `read` throws an Error of one sentence for people */
export function readListEntry<Entry>(read: () => Entry): Entry {
  try {
    return read();
  } catch (error) {
    throw unusable(
      'value',
      (error as Error).message,
      'Send an address, a domain, an IP address, a CIDR block, an AS number or a country code.',
    );
  }
}

/** @throws Problem `invalid_value` unless it is in the future, or none */
function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined || text === '') return null;
  const at = parseInstant(text);
  if (at !== undefined && at > now) return at;
  throw unusable(
    'expires_at',
    'The expiry is not in the future.',
    'Send an RFC 3339 time such as 2027-01-31T12:00:00Z, or leave it out.',
  );
}

type Value = Pick<ListEntry, 'kind' | 'value' | 'shown'>;

/** An IP range with a shorter prefix contains as many unrelated people as a network. */
const MIN_BITS = { ipv4: 16, ipv6: 32 };

/** Whether unrelated people have addresses at this domain or below it: a suffix, or a mail provider. `value`: canonical. */
export type IsCrowdedDomain = (entry: Pick<Value, 'kind' | 'value'>) => boolean;

/** Whether an entry affects so many people that its value must be sent twice. `value`: canonical. */
export function isWideEntry(entry: Pick<Value, 'kind' | 'value'>, isCrowded: IsCrowdedDomain): boolean {
  const { kind, value } = entry;
  if (kind === 'domain_network') return isWideOffice(value, isCrowded);
  if (kind === 'asn' || kind === 'country') return true;
  if (kind === 'domain') return !value.includes('.') || isCrowded(entry);
  if (kind !== 'cidr') return false;
  const bits = Number(value.slice(value.indexOf('/') + 1));
  return bits < (value.includes(':') ? MIN_BITS.ipv6 : MIN_BITS.ipv4);
}

/** A domain that strangers share is no company at a place as large as a network. */
function isWideOffice(value: string, isCrowded: IsCrowdedDomain): boolean {
  const { domain, network } = splitOffice(value);
  const isWidePlace =
    network.startsWith('AS') ||
    (network.includes('/') && isWideEntry({ kind: 'cidr', value: network }, isCrowded));
  return isWidePlace && domain !== null && isCrowded({ kind: 'domain', value: domain });
}

/** @throws Problem `invalid_value` unless a wide entry is confirmed by its value as lists show it */
export function checkConfirmed(
  entry: Value,
  confirmation: string | undefined,
  isCrowded: IsCrowdedDomain,
): void {
  if (!isWideEntry(entry, isCrowded)) return;
  if (confirmation?.trim().toLowerCase() === entry.shown.toLowerCase()) return;
  throw unusable(
    'confirm',
    `${entry.shown} affects everybody there and is not confirmed.`,
    `Send \`confirm\` with the value again: ${entry.shown}.`,
  );
}
