/** An entry of an account's own lists, and what it decides. */

export type ListAction = 'allow' | 'deny';

/**
 * Kinds from the narrowest to the widest: of several entries that match, the narrowest decides. An `address` is one spelling,
 * a `mailbox` every spelling that its provider delivers to the same person.
 */
export const LIST_KINDS = ['address', 'mailbox', 'ip', 'cidr', 'domain', 'asn', 'country'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** Whether values of this kind are one person's, and stored as keyed hashes. */
export function isHashedKind(kind: ListKind): boolean {
  return kind === 'address' || kind === 'mailbox';
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
  /** Number of stored assessments that it decided. */
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
  readonly action: ListAction;
  readonly kind: ListKind;
  /** Value as people are shown it: an address masked, unless the operator keeps full addresses. */
  readonly value: string;
  /** The operator's words. */
  readonly reason: string | null;
}
