/** What the dashboard's API says of the whole installation: intelligence, accounts and people. */
import type { PlanName } from '../messages.ts';
import type { Thresholds } from '../thresholds.ts';
import type { Role } from './account.ts';

export type SourceState = 'ok' | 'stale' | 'refused' | 'failed' | 'never' | 'off' | 'bundled';

export interface SourceRow {
  readonly id: string;
  readonly says: string;
  readonly url: string;
  readonly licence: string;
  readonly state: SourceState;
  readonly version: string;
  readonly fetched_at: string | null;
  readonly entries: number;
  /** Entries that came and went with the last change; `null` before there was one. */
  readonly added: number | null;
  readonly removed: number | null;
  /** `why` quotes what was read for operators only; for others it is one plain sentence. */
  readonly last_refusal: { readonly at: string; readonly why: string } | null;
  /** Why the last fetch brought nothing, for operators; for others a plain sentence; `null` when it did. */
  readonly last_failure: string | null;
  /** Whether an earlier good version is kept to return to. */
  readonly can_roll_back: boolean;
}

export interface Intelligence {
  readonly snapshot: string;
  readonly made_at: string | null;
  /** Whether feeds are fetched at all (GATEHOUSE_FEEDS). */
  readonly fetching: boolean;
  readonly refreshing: boolean;
  readonly sources: readonly SourceRow[];
}

/** What every source knows of a domain, an address or an IP. */
export interface Knowledge {
  readonly query: string;
  readonly kind: 'domain' | 'ip';
  readonly summary: readonly string[];
  readonly claims: readonly {
    readonly source: string;
    readonly version: string;
    readonly fact: string;
    readonly entry: string;
    readonly holds: boolean;
    /** Why it does not hold; empty when it does. */
    readonly silenced_by: string;
  }[];
}

export interface OperatorAccount {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly overage: boolean;
  readonly monthly_quota: number | null;
  readonly requests_per_second: number | null;
  readonly thresholds: Thresholds | null;
  readonly created_at: string;
  readonly used: number;
  readonly limit: number;
}

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  readonly created_at: string;
  readonly memberships: readonly {
    readonly account_id: string;
    readonly account_name: string;
    readonly role: Role;
  }[];
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
