/** Messages of the dashboard's API about the whole installation: intelligence, accounts and people. */
import type { Role } from './dashboard-account.ts';
import type { ManageAccount } from './manage-messages.ts';
import type { Verdict } from './messages.ts';

export type SourceState = 'ok' | 'stale' | 'waiting' | 'refused' | 'failed' | 'never' | 'off' | 'bundled';

export interface SourceRow {
  readonly id: string;
  readonly says: string;
  /** Origin of a feed; for operators with its path and the names in its query. `***` replaces omitted parts. */
  readonly url: string;
  readonly licence: string;
  readonly state: SourceState;
  readonly version: string;
  readonly fetched_at: string | null;
  readonly entries: number;
  /** Entries that came and went with the last change; `null` before there was one. */
  readonly added: number | null;
  readonly removed: number | null;
  /** `why` quotes the fetched text for operators only; for others it is one plain sentence. */
  readonly last_refusal: { readonly at: string; readonly why: string } | null;
  /** Newest version, where it changes too many verdicts; `null`: it does not, or the reader is no operator. */
  readonly review: FeedReviewRow | null;
  /** Why the last fetch brought nothing, for operators; for others a plain sentence; `null` when it did. */
  readonly last_failure: string | null;
  /** Whether an earlier good version is kept to return to. */
  readonly can_roll_back: boolean;
  /** Send it to roll back: it is refused if the version in use changed meanwhile. */
  readonly state_version: string;
}

/** Verdicts that the signups of the last days would get with the newest version of a feed. */
export interface FeedReviewRow {
  readonly version: string;
  readonly entries: number;
  /** Time at which they were judged again, and how many were. */
  readonly at: string;
  readonly judged: number;
  readonly stricter: number;
  readonly milder: number;
  /** `none`: it waits for a person. `kept`: the version before it stays. `used`: it is in use. */
  readonly decision: 'none' | 'kept' | 'used';
  /** The newest signups whose verdicts it changes. */
  readonly examples: readonly {
    readonly account_id: string;
    readonly request_id: string;
    readonly at: string;
    readonly old_verdict: Verdict;
    readonly new_verdict: Verdict;
  }[];
}

export interface Intelligence {
  readonly snapshot: string;
  readonly made_at: string | null;
  /** Whether feeds are fetched at all (GATEHOUSE_FEEDS). */
  readonly fetching: boolean;
  readonly refreshing: boolean;
  readonly sources: readonly SourceRow[];
}

/** Knowledge of every source about a domain, an address or an IP. */
export interface SourceLookup {
  readonly query: string;
  readonly kind: 'domain' | 'ip';
  readonly summary: readonly string[];
  readonly claims: readonly {
    readonly source: string;
    readonly version: string;
    readonly fact: string;
    readonly entry: string;
    readonly holds: boolean;
    /** Why the entry does not count; empty when it does. */
    readonly silenced_by: string;
  }[];
}

/**
 * `flagged`: for every account; `flagged_for_some`: for accounts that saw more themselves; `unknown`: too little was seen.
 * `listed`: it belongs to a listed disposable domain. `shared`, `relay`: our own lists of mail hosts say so.
 */
export type MailHostState =
  | 'flagged'
  | 'flagged_for_some'
  | 'ordinary'
  | 'unknown'
  | 'never_flagged'
  | 'shared'
  | 'relay'
  | 'listed';

/** The observations of a mail host or an address. */
export interface MailHostCounts {
  readonly state: MailHostState;
  readonly listed: number;
  readonly ordinary: number;
  readonly accounts: number;
  /** Accounts for which it is flagged by their own observations. */
  readonly flagged_for: number;
}

export interface MailHostReport extends MailHostCounts {
  /** Host name or address that was asked for. */
  readonly host: string;
  /** All hosts of one owner are remembered together: `*.example.net`. */
  readonly remembered_as: string;
  readonly summary: string;
  /** Samples of the domains that were seen, not all. */
  readonly listed_domains: readonly string[];
  readonly ordinary_domains: readonly string[];
  readonly first_seen: string | null;
  readonly last_seen: string | null;
  /** Some of the hosts that are remembered together. */
  readonly hosts: readonly string[];
  readonly addresses: readonly (MailHostCounts & { readonly address: string })[];
  /** The last decision of an operator. */
  readonly decision: {
    readonly never_flag: boolean;
    /** Number of times that it was forgotten. */
    readonly forgotten: number;
    readonly by: string;
    readonly at: string;
  } | null;
}

/** A mail host as an operator decides about it. */
export interface VersionedMailHostReport extends MailHostReport {
  /** Send it with a decision: it is refused if somebody else decided meanwhile. */
  readonly version: string;
}

export interface OperatorAccount extends ManageAccount {
  readonly used: number;
  readonly limit: number;
  /** Send it with a change: it is refused if somebody else changed the account meanwhile. */
  readonly version: string;
}

/** Contents of an account, all of which are deleted with it. */
export interface AccountContentsAnswer {
  /** Stored ones, live and sandbox; more while signups are being indexed. */
  readonly assessments: number;
  readonly indexing: boolean;
  readonly feedback: number;
  readonly keys: number;
  readonly hooks: number;
  readonly tokens: number;
  readonly list_entries: number;
  readonly campaigns: number;
  readonly policies: number;
  readonly members: number;
  /** Members who belong to no other account, and are deleted with it. */
  readonly users: number;
  readonly invitations: number;
  readonly audit_entries: number;
}

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  /** Whether an operator vouches that the address is theirs. */
  readonly verified: boolean;
  /** The person who invited them when they were made; `null` where that is not known, or was in another account. */
  readonly invited_by: string | null;
  readonly created_at: string;
  readonly memberships: readonly {
    readonly account_id: string;
    readonly account_name: string;
    readonly role: Role;
    /** Send it with a change: it is refused if somebody else changed the role meanwhile. */
    readonly version: string;
  }[];
}

/** A role that was changed. */
export interface ChangedRole {
  /** Send it to take the change back: it is refused if somebody else changed the role meanwhile. */
  readonly version: string;
}

export interface InvitationRow {
  readonly id: string;
  readonly email: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
}

/** The only answer that holds an invitation's link. */
export interface CreatedInvitation {
  readonly invitation: InvitationRow;
  readonly link: string;
}

export interface People {
  readonly users: readonly UserRow[];
  readonly invitations: readonly InvitationRow[];
}
