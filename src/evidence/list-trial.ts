/** Previews a list entry before it is saved: which stored signups it matches, which it would decide, and whether it must be confirmed. */
import { readBlockRange } from '../address/block.ts';
import { ownerDomain } from '../address/domain.ts';
import { parseEmail } from '../address/email.ts';
import type { AddressHashes } from '../address/fingerprint.ts';
import { parseIp } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import type { Intel } from '../intel/intel.ts';
import { type ListEntry, type ListScope, splitOffice } from '../model/list-entry.ts';
import { type DecidingEntry, isDeciding } from './list-accounts.ts';
import { createListIndex, type IndexedEntry, type ListNetwork, type ListSubject } from './list-index.ts';
import type { ListValue } from './list-value.ts';
import { createOfficeIndex, type OfficeEntry } from './office-index.ts';

/** Properties of a stored signup that entries are compared with. */
export interface TrialSubject {
  readonly addressHash: string;
  readonly mailboxHash: string;
  readonly emailDomain: string;
  /** Canonical text. */
  readonly ip: string | null;
  readonly asn: number;
  readonly countryCode: string;
}

/** `overruled`: the entry matches the signup, but another entry decides. `silent`: it does not match. */
export type TrialResult = 'decides' | 'overruled' | 'silent';

/** Scopes of an entry: for an address or a mailbox one for each hash key in use, the newest first. @param listed its value canonical, an address not yet hashed */
export function trialScopesOf(
  listed: ListValue,
  hashes: Pick<AddressHashes, 'hashUnderAllKeys'>,
): readonly ListScope[] {
  if (listed.kind === 'mailbox') return hashes.hashUnderAllKeys(listed.value).map((mailbox) => ({ mailbox }));
  if (listed.kind !== 'address') return [scopeOf(listed)];
  const email = parseEmail(listed.value);
  if (email === undefined) throw new Error(`${listed.value} is not an email address.`);
  const mailboxes = hashes.hashUnderAllKeys(mailboxOf(email));
  return hashes
    .hashUnderAllKeys(listed.value)
    .map((address, at) => ({ address, mailbox: mailboxes[at] as string }));
}

/** Scope of a shared office: its place, which has fewer signups as a rule, or of a domain at a whole network the domain. */
function scopeOf({ kind, value }: Pick<ListValue, 'kind' | 'value'>): ListScope {
  if (kind === 'domain_network') {
    const { domain, network } = splitOffice(value);
    return network.startsWith('AS') ? { domain: domain ?? '' } : scopeOf({ kind: 'cidr', value: network });
  }
  if (kind === 'domain') return { domain: value };
  if (kind === 'asn') return { asn: Number(value.slice('AS'.length)) };
  if (kind === 'country') return { country: value };
  const ip = readBlockRange(value);
  if (ip === undefined) throw new Error(`${value} is not a block of addresses.`);
  return { ip };
}

/** Whether the entry decides a signup, and which of the others would decide it, now or without the entry. */
export interface TrialDecision {
  readonly result: TrialResult;
  readonly otherId: string | undefined;
}

/**
 * Asks the same index that decides about signups: with the entry alone, among the account's others, and these without it.
 *
 * @param now milliseconds since the epoch: which of the others have not expired
 */
export function createListContest(
  draft: Draft,
  others: readonly ListEntry[],
  now: number,
): (subject: TrialSubject) => TrialDecision {
  const deciding = others.filter(isDeciding);
  const contest = isDecidingDraft(draft)
    ? contestOfEntry({ ...draft, id: '', expiresAt: null }, deciding)
    : contestOfOffice({ ...draft, id: '', expiresAt: null }, deciding);
  return ({ addressHash, mailboxHash: mailbox, emailDomain, ip: text, asn, countryCode }) => {
    const ip = text === null ? null : (parseIp(text) ?? null);
    const subject = { at: now, addressHash, mailbox, email: { domain: emailDomain }, ip };
    return contest(subject, ip === null ? null : { asn, countryCode });
  };
}

type Draft = Pick<ListEntry, 'action' | 'kind' | 'value'>;
type DecidingDraft = Draft & Pick<DecidingEntry, 'action' | 'kind'>;
type Contest = (subject: ListSubject, network: ListNetwork | null) => TrialDecision;

const SILENT: TrialDecision = { result: 'silent', otherId: undefined };
const isDecidingDraft = (draft: Draft): draft is DecidingDraft => draft.action !== 'office';

function contestOfEntry(entry: IndexedEntry, others: readonly DecidingEntry[]): Contest {
  const alone = createListIndex<IndexedEntry>();
  const existing = createListIndex<IndexedEntry>();
  const all = createListIndex<IndexedEntry>();
  alone.put(entry);
  for (const other of others) {
    existing.put(other);
    all.put(other);
  }
  all.put(entry);
  return (subject, network) => {
    if (alone.find(subject, network) === undefined) return SILENT;
    const otherId = existing.find(subject, network)?.id;
    return { result: all.find(subject, network) === entry ? 'decides' : 'overruled', otherId };
  };
}

/** Entries that allow or block decide before a shared office. */
function contestOfOffice(entry: OfficeEntry, others: readonly DecidingEntry[]): Contest {
  const office = createOfficeIndex<OfficeEntry>();
  const deciding = createListIndex<IndexedEntry>();
  office.put(entry);
  for (const other of others) deciding.put(other);
  return (subject, network) => {
    if (office.find(subject, network) === undefined) return SILENT;
    const otherId = deciding.find(subject, network)?.id;
    return { result: otherId === undefined ? 'decides' : 'overruled', otherId };
  };
}

/** A public suffix (`co.uk`), a suffix under which strangers get names (`github.io`), or a consumer mail provider. */
export function isCrowdedDomain(
  { kind, value }: Pick<ListValue, 'kind' | 'value'>,
  intel: Pick<Intel, 'domain'>,
): boolean {
  if (kind !== 'domain') return false;
  if (ownerDomain(value) === undefined) return true;
  const { listed, sharedSuffix } = intel.domain(value);
  return listed.consumer || listed.no_reply || sharedSuffix === value;
}

/** The domain that alone says whom the entry is about, at an office unless it is one address or block; `undefined` where it cannot be one that strangers share. */
export function mayBeCrowded({ kind, value }: Pick<ListValue, 'kind' | 'value'>): string | undefined {
  const { domain, network } = splitOffice(value);
  const named =
    kind === 'domain'
      ? value
      : kind === 'domain_network' && network.startsWith('AS')
        ? (domain ?? undefined)
        : undefined;
  return named?.includes('.') ? named : undefined;
}

/** Whether the entry would decide for unrelated people, and its value does not show that as `FR` or `.shop` do. */
export function isCrowdedEntry(
  entry: Pick<ListValue, 'kind' | 'value'>,
  intel: Pick<Intel, 'domain'>,
): boolean {
  const domain = mayBeCrowded(entry);
  return domain !== undefined && isCrowdedDomain({ kind: 'domain', value: domain }, intel);
}
