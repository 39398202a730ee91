/** Messages of the dashboard's API to people who open a link: to set up, to set a new password, or to join an account. */
import type { Role } from './dashboard-account.ts';

/** The purpose of a link of `/setup#…`. */
export interface Claim {
  /** `operator`: makes one, with a name, an email and a password; `reset`: sets a new password for the one named. */
  readonly purpose: 'operator' | 'reset';
  /** `null` for an operator who does not exist yet. */
  readonly email: string | null;
}

/** The offer of a link of `/invitations#…`. */
export interface InvitationOffer {
  readonly email: string;
  readonly account_name: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
}

/** The sessions of a user. */
export interface OpenSessions {
  /** Last used first. */
  readonly sessions: readonly {
    readonly id: string;
    /** The session of this request. */
    readonly current: boolean;
    /** Browser and system, as the browser names them: `Firefox on Linux`. */
    readonly device: string;
    /** The address it was last used from; of version 6 its /64. Empty where that is not known. */
    readonly network: string;
    readonly created_at: string;
    /** The latest use, to a quarter of an hour. */
    readonly seen_at: string;
    /** Time at which the session ends unless it is used: 7 days after the latest use, at most 30 days after it began. */
    readonly ends_at: string;
  }[];
}

/** The ways to sign in, for the pages of people who are not signed in. */
export interface FirstStart {
  /** There is no operator yet: a setup link makes the first. */
  readonly needs_operator: boolean;
  /** Whether people may sign in with a password. */
  readonly passwords: boolean;
  /** Name of the OpenID provider; `null`: none. */
  readonly oidc: string | null;
}

/** A wish to sign in at the OpenID provider. */
export interface OidcStartBody {
  /** Path of the dashboard to open afterwards. */
  readonly next?: string;
  /** Secret of an invitation to accept. */
  readonly invitation?: string;
  /** Connects the signed-in user instead of signing in. */
  readonly connect?: boolean;
  /** Current password of the user who is to be connected: an open session alone is not enough. */
  readonly password?: string;
}

/** The beginning of a sign-in at the OpenID provider. */
export interface OidcStart {
  /** Address at the provider to go to. */
  readonly url: string;
}

/** Whether the signed-in user is connected with somebody at the OpenID provider. */
export interface OidcConnection {
  readonly connected: boolean;
}
