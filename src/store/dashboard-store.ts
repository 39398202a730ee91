/** The port for operators and users of the dashboard: permissions, audit log, decisions. */
import type { Dialect } from 'kysely';
import type { Role } from '../contract/dashboard-account.ts';
import type { AccountDeletionStore } from './account-deletion-store.ts';
import type { AuditEntries, AuditEntry, AuditStore } from './audit-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { SignInStore } from './sign-in-store.ts';

export interface Membership {
  readonly userId: string;
  readonly accountId: string;
  readonly role: Role;
}

/** Times are milliseconds since the epoch; `null` means absent. */
export interface Invitation {
  readonly id: string;
  /** Hash of the secret in the link, which is stored nowhere. */
  readonly tokenHash: string;
  readonly email: string;
  readonly accountId: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly expiresAt: number;
  readonly acceptedAt: number | null;
}

/** A user as sign-in stores it. */
export interface StoredUser {
  readonly id: string;
  /** Address that they sign in with. If several users claim one address, at most one is verified. */
  readonly email: string;
  /** Address in the sign-in library: theirs, or a made-up one where another user has it. */
  readonly login: string;
  /** Whether an operator confirmed the address. */
  readonly verified: boolean;
  /** The member who invited them, and to which account; `null` where that is not known. */
  readonly invitedBy: string | null;
  readonly homeAccount: string | null;
  readonly name: string;
  readonly operator: boolean;
  readonly twoFactor: boolean;
  readonly createdAt: number;
}

export interface PeopleStore {
  /** All users, by email. */
  users(): Promise<readonly StoredUser[]>;
  findUser(id: string): Promise<StoredUser | undefined>;
  /** Users who claim an address, in lower case: a verified one first, then by id. */
  usersOf(address: string): Promise<readonly StoredUser[]>;
  /** Verifies the address of a user, who alone is verified of those that claim it. False when there is no such user. */
  verifyUser(id: string, ...audit: AuditEntries): Promise<boolean>;
  /** Removes a user, if there is one, with sessions, password, second factor, memberships, links, and invitations of the address. */
  removeUser(user: Pick<StoredUser, 'id' | 'email'>, ...audit: AuditEntries): Promise<void>;
  /** Memberships of a user, of an account, or all. */
  memberships(of: { readonly userId?: string; readonly accountId?: string }): Promise<readonly Membership[]>;
  /**
   * Changes the role of a member.
   * @param from role that it is changed from; `null`: any
   * @returns false, and nothing changes, where there is no such member or an account would lose its only owner
   */
  changeRole(membership: Membership, from: Role | null, ...audit: AuditEntries): Promise<boolean>;
  /**
   * Ends a membership, and removes the filters that the member saved in the account; with a role, only of a member who has it.
   * @returns false, and nothing changes, where there is none or an account would lose its only owner
   */
  removeMembership(
    of: Pick<Membership, 'userId' | 'accountId'> & Partial<Pick<Membership, 'role'>>,
    ...audit: AuditEntries
  ): Promise<boolean>;
  /** Creates or replaces, by id; earlier ones of the same address that nobody accepted no longer work. @throws when there is no such account or another has this hash */
  saveInvitation(invitation: Invitation, ...audit: AuditEntries): Promise<void>;
  removeInvitation(id: string, ...audit: AuditEntries): Promise<void>;
  /** Invitations of an account, or all; accepted and expired ones too, oldest first. */
  invitations(of: { readonly accountId?: string }): Promise<readonly Invitation[]>;
  findInvitation(
    of: { readonly id: string } | { readonly tokenHash: string },
  ): Promise<Invitation | undefined>;
}

/** The history of list entries, which the audit log has: who added, changed and removed what people are shown of one. */
export interface ListHistoryStore {
  /** The entries of the audit log about values that are shown so, newest first, at most 500. Masked addresses may be several people's. */
  listHistory(accountId: string, shown: readonly string[]): Promise<readonly AuditEntry[]>;
  /** Takes these values and reasons out of them; who did it and when stays. */
  eraseListHistory(accountId: string, shown: readonly string[], ...audit: AuditEntries): Promise<void>;
}

export interface NewPolicy {
  readonly accountId: string;
  /** Weights that differ from the defaults, by detector. */
  readonly weights: Readonly<Record<string, number>>;
  readonly createdAt: number;
  readonly author: string;
  readonly note: string;
}

export interface StoredPolicy extends NewPolicy {
  /** Unique in its account: `custom-3`. */
  readonly version: string;
}

export interface PolicyStore {
  /**
   * Stores it as the account's next version, which becomes the current one: a change of the directory.
   * @param audit makes the entry, which names the version
   * @throws when there is no such account
   */
  savePolicy(policy: NewPolicy, audit?: (version: string) => AuditEntry): Promise<StoredPolicy>;
  /** All versions of an account, newest first: the first is the current one. If there is none, the defaults apply. */
  policies(accountId: string): Promise<readonly StoredPolicy[]>;
}

export interface HostDecision {
  /** Name that a host is remembered by, or one of its addresses. */
  readonly key: string;
  /** Number of times that it was forgotten: observations of an earlier generation do not count. */
  readonly generation: number;
  readonly neverFlag: boolean;
  /** Author of the last decision: email of the operator, or `command line (alice@host)`. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface HostDecisionChange {
  /** Keys that are changed together. */
  readonly keys: readonly string[];
  /** Also removes the cache entries with these names: the observations about the host. */
  readonly forget?: readonly string[];
  /** Unchanged if absent. */
  readonly neverFlag?: boolean;
  readonly by: string;
  readonly at: number;
}

export interface HostDecisionStore {
  decideHosts(change: HostDecisionChange, ...audit: AuditEntries): Promise<void>;
  /** Grows with every decision, by any process. Cheap: asked several times a second. */
  hostDecisionsVersion(): Promise<number>;
  hostDecisionsSince(version: number): Promise<readonly HostDecision[]>;
}

/** The `database` of better-auth. Its tables are named `auth_users`, `auth_sessions`, `auth_credentials`, `auth_verifications`, `auth_two_factors`. */
export interface AuthDatabase {
  readonly dialect: Dialect;
  readonly type: 'sqlite' | 'postgres';
  /** Whether a write failed because the user of its row was removed. */
  isUserGone(error: unknown): boolean;
}

export interface AuthStore {
  /** Made at the first call; closed with the store. */
  authDatabase(): Promise<AuthDatabase>;
}

export interface DashboardStore
  extends PeopleStore,
    SignInStore,
    IdentityStore,
    AuditStore,
    PolicyStore,
    AccountDeletionStore,
    ListHistoryStore,
    AuthStore {}
