/** The port for sign-in: users with their passwords, sessions, and links that each work once. */
import type { AuditEntries } from './audit-store.ts';

/** Domain of placeholder emails, `<user id>@unverified.invalid`: for users whose address belongs to another user. */
export const MADE_UP_DOMAIN = '@unverified.invalid';

/** Nobody may claim one: the user whose id it names may need it. */
export function isMadeUpEmail(email: string): boolean {
  return email.endsWith(MADE_UP_DOMAIN);
}

/** Maximum number of users that may claim an address without an operator's invitation. */
export const MAX_CLAIMS = 5;

export interface NewUser {
  readonly id: string;
  /** Address in lower case. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** `first` makes the first operator only, `operator` a further one; `reset` lets a user set a new password. */
export type LinkPurpose = 'first' | 'operator' | 'reset';

export interface Link {
  /** SHA-256 of the secret in the link, which is stored nowhere. */
  readonly tokenHash: string;
  readonly purpose: LinkPurpose;
  /** User whose password is reset; `null` otherwise. */
  readonly userId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A stored session. Times are milliseconds since the epoch. */
export interface StoredSession {
  readonly id: string;
  readonly createdAt: number;
  readonly seenAt: number;
  /** The address it was last used from, for IPv6 its network; empty if unknown. */
  readonly network: string;
  /** The browser's `User-Agent`. */
  readonly userAgent: string;
}

export interface SessionStore {
  /** All sessions of a user, also expired ones; last used first. */
  sessions(userId: string): Promise<readonly StoredSession[]>;
  /** Stores where and when a session was used; nothing happens if it does not exist. */
  touchSession(session: StoredSession): Promise<void>;
  /** Ends one session of a user, all but one, or all. Audit entries are written only if a session ended. */
  endSessions(
    of: { readonly userId: string; readonly only?: string; readonly except?: string },
    ...audit: AuditEntries
  ): Promise<void>;
  /** Sets a user's password if it is still the one that has this hash. @returns whether it was */
  replacePassword(hash: string, newHash: string, now: number): Promise<boolean>;
  /** Removes expired rows: sessions begun or last used before these times, and links and codes that expired before `now`. */
  tidySignIn(before: {
    readonly createdAt: number;
    readonly seenAt: number;
    readonly now: number;
  }): Promise<void>;
}

/** Each use of a link is one transaction: if two use it at once, only one succeeds. */
export interface SignInStore extends SessionStore {
  /** Saves a link. If one process owns the store, a new `first` link replaces earlier ones; nodes that share a store keep each other's. */
  saveLink(link: Link, ...audit: AuditEntries): Promise<void>;
  /** `undefined` if it was used, has expired or never existed; a `first` link also if there is an operator. */
  findLink(tokenHash: string, now: number): Promise<Link | undefined>;
  /** Creates a verified operator by a link; false if the link no longer works, a verified user has the email, or it is a placeholder. */
  claimOperator(user: NewUser, tokenHash: string, now: number, ...audit: AuditEntries): Promise<boolean>;
  /** Sets a password by a link, ends all sessions of the user and switches off the second factor. @returns whether the link worked */
  resetPassword(
    passwordHash: string,
    tokenHash: string,
    now: number,
    ...audit: AuditEntries
  ): Promise<boolean>;
  /**
   * Creates an unverified member by an invitation. False if the invitation no longer works, a verified user has the
   * email, or it is a placeholder; also, unless an operator invites, if a user of the account or five users claim it.
   */
  joinAsNewUser(user: NewUser, tokenHash: string, now: number, ...audit: AuditEntries): Promise<boolean>;
  /** Accepts an invitation for an existing user; a member keeps the role. @returns whether the invitation worked */
  joinAsUser(userId: string, tokenHash: string, now: number, ...audit: AuditEntries): Promise<boolean>;
  /** The user who signs in with this email, in lower case. */
  findUserId(email: string): Promise<string | undefined>;
}
