/** An entry of an account's own lists, and what it decides. */

/** Actions that decide the verdict alone. */
const DECIDING_ACTIONS = ['allow', 'deny'] as const;
export type DecidingAction = (typeof DECIDING_ACTIONS)[number];

/** `office`: people who share a place. Bursts are not counted against them, and everything else is. */
export const LIST_ACTIONS = [...DECIDING_ACTIONS, 'office'] as const;
export type ListAction = (typeof LIST_ACTIONS)[number];

/**
 * Kinds from the narrowest to the widest: of several entries that match, the narrowest decides. An `address` is one spelling,
 * a `mailbox` every spelling that its provider delivers to the same person. A `domain_network` is a domain's people at one
 * place, an IP, a block or an AS number: `example.com + 203.0.113.7`.
 */
export const LIST_KINDS = [
  'address',
  'mailbox',
  'ip',
  'cidr',
  'domain_network',
  'domain',
  'asn',
  'country',
] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** Whether values of this kind are one person's, and stored as keyed hashes. */
export function isHashedKind(kind: ListKind): boolean {
  return kind === 'address' || kind === 'mailbox';
}

const PAIR_SEPARATOR = ' + ';

/** Text of a `domain_network`. @param network an IP, a block or an AS number */
export function joinDomainNetwork(domain: string, network: string): string {
  return `${domain}${PAIR_SEPARATOR}${network}`;
}

/** The parts of a canonical value of a shared office; without a domain it means everybody at the place. */
export function splitOffice(value: string): { readonly domain: string | null; readonly network: string } {
  const at = value.indexOf(PAIR_SEPARATOR);
  if (at === -1) return { domain: null, network: value };
  return { domain: value.slice(0, at), network: value.slice(at + PAIR_SEPARATOR.length) };
}

/** An account has at most one of the same action, kind and value. */
export interface ListEntry {
  readonly id: string;
  readonly accountId: string;
  readonly action: ListAction;
  readonly kind: ListKind;
  /** Value that signups are compared with: canonical text, or the keyed hash of an address or a mailbox. */
  readonly value: string;
  /** Text that people are shown of it: an address masked, unless the operator keeps full addresses. */
  readonly shown: string;
  /** Any string. */
  readonly reason: string | null;
  readonly author: string;
  readonly createdAt: number;
  /** Milliseconds since the epoch; `null`: never. */
  readonly expiresAt: number | null;
  /** Number of stored assessments that it decided, or that came from the shared office; those deleted later stay in it. */
  readonly hits: number;
  readonly lastHitAt: number | null;
}

/** A change after a version. */
export type ListChange = { readonly removed: string } | { readonly saved: ListEntry };

/** The signups that a list entry can match. Domains are lower case, A-labels. */
export type ListScope =
  /** Keyed hashes of the address, and of its mailbox. */
  | { readonly address: string; readonly mailbox: string }
  /** Keyed hash of the mailbox. */
  | { readonly mailbox: string }
  /** This domain and all below it. */
  | { readonly domain: string }
  /** The first and last address of a block, as `HistorySearch` has them. */
  | { readonly ip: { readonly first: string; readonly last: string } }
  | { readonly asn: number }
  | { readonly country: string };

/** The entry that decides about a signup attempt, as it is kept with the assessment. */
export interface ListMatch {
  readonly id: string;
  readonly action: DecidingAction;
  readonly kind: ListKind;
  /** Value as people are shown it: an address masked, unless the operator keeps full addresses. */
  readonly value: string;
  /** The operator's words. */
  readonly reason: string | null;
}

/** The shared office that a signup attempt comes from, as it is kept with the assessment. */
export type OfficeMatch = Omit<ListMatch, 'action'>;
