/** What the dashboard's API says to people who come by a link: to set up, to return, or to join an account. */
import type { Role } from './dashboard-account.ts';

/** What a link of `/setup#…` is for. */
export interface Claim {
  /** `operator`: makes one, with a name, an email and a password; `reset`: sets a new password for the one named. */
  readonly purpose: 'operator' | 'reset';
  /** `null` for an operator yet to be made. */
  readonly email: string | null;
}

/** What a link of `/invitations#…` offers. */
export interface InvitationOffer {
  readonly email: string;
  readonly account_name: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
}

/** Where somebody is signed in. */
export interface OpenSessions {
  /** Last used first. */
  readonly sessions: readonly {
    readonly id: string;
    /** The one that asks. */
    readonly current: boolean;
    /** As the browser says itself: `Firefox on Linux`. */
    readonly device: string;
    /** The address it was last used from; of version 6 its /64. Empty where that is not known. */
    readonly network: string;
    readonly created_at: string;
    /** The latest use, to a quarter of an hour. */
    readonly seen_at: string;
    /** Unless it is used: 7 days after the latest use, at most 30 days after it began. */
    readonly ends_at: string;
  }[];
}

/** What the sign-in page tells somebody who has just installed the service. */
export interface FirstStart {
  /** Nobody is an operator yet: a setup link makes the first. */
  readonly needs_operator: boolean;
}
