/** The port for how people come in: users with their passwords, and links that each work once. */
import type { AuditEntries } from './dashboard-store.ts';

/** Of the made-up emails of users whose address another user has: the user's id stands before it. */
export const MADE_UP_DOMAIN = '@unverified.invalid';

/** Nobody may claim one: the user whose id it names could not yield their address any more. */
export function isMadeUpEmail(email: string): boolean {
  return email.endsWith(MADE_UP_DOMAIN);
}

/** Users that may claim an address without an operator's invitation. */
export const MAX_CLAIMS = 5;

export interface NewUser {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** `first` makes the first operator only, `operator` a further one; `reset` gives a user back the way in. */
export type LinkPurpose = 'first' | 'operator' | 'reset';

export interface Link {
  /** SHA-256 of the secret in the link, which is kept nowhere. */
  readonly tokenHash: string;
  readonly purpose: LinkPurpose;
  /** Whose password is reset; `null` otherwise. */
  readonly userId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A session as sign-in keeps it. Times are milliseconds since the epoch. */
export interface StoredSession {
  readonly id: string;
  readonly createdAt: number;
  readonly seenAt: number;
  /** The address it was last used from, of version 6 its network; empty where that is not known. */
  readonly network: string;
  /** As the browser called itself. */
  readonly userAgent: string;
}

export interface SessionStore {
  /** Of a user, those that are over too; last used first. */
  sessions(userId: string): Promise<readonly StoredSession[]>;
  /** Keeps where and when a session was used; changes none that is not there. */
  touchSession(session: StoredSession): Promise<void>;
  /** Ends one session of a user, all but one, or all. Entries are kept if there was any. */
  endSessions(
    of: { readonly userId: string; readonly only?: string; readonly except?: string },
    ...audit: AuditEntries
  ): Promise<void>;
  /** Removes what is over: sessions begun or last used before these times, and links and codes that expired before `now`. */
  tidySignIn(before: {
    readonly createdAt: number;
    readonly seenAt: number;
    readonly now: number;
  }): Promise<void>;
}

/** Everything that uses up a link is one transaction: of two at once, one finds it used. */
export interface SignInStore extends SessionStore {
  /** Where one process owns the store, a new `first` takes the place of every earlier one; nodes that share one leave each other theirs. */
  saveLink(link: Link, ...audit: AuditEntries): Promise<void>;
  /** `undefined` when it was used, has expired or never was; a `first` also once there is an operator. */
  findLink(tokenHash: string, now: number): Promise<Link | undefined>;
  /** Makes an operator, who is verified, by a link; false when the link works no more, a verified user has the email, or it is a made-up one. */
  claimOperator(user: NewUser, tokenHash: string, now: number, ...audit: AuditEntries): Promise<boolean>;
  /** Sets a password by a link, ends all sessions of the user and switches off the second factor; tells whether it did. */
  resetPassword(
    passwordHash: string,
    tokenHash: string,
    now: number,
    ...audit: AuditEntries
  ): Promise<boolean>;
  /**
   * Makes a member, who is not verified, by an invitation. False when it works no more, a verified user has the email, it
   * is a made-up one, or, unless an operator invites: a user of the account claims it already, or five users do.
   */
  joinAsNewUser(user: NewUser, tokenHash: string, now: number, ...audit: AuditEntries): Promise<boolean>;
  /** The same for a user there is; tells whether the invitation still worked. */
  joinAsUser(userId: string, tokenHash: string, now: number, ...audit: AuditEntries): Promise<boolean>;
  /** Whom sign-in knows by this email, in lower case. */
  findUserId(email: string): Promise<string | undefined>;
}
