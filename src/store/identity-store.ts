/** The port for people who sign in at an OpenID provider: who they are there, and which roles their groups give. */
import type { Role } from '../contract/dashboard-account.ts';
import type { AuditEntries } from './audit-store.ts';

/** A person as a provider knows them. */
export interface Identity {
  readonly issuer: string;
  /** Never reassigned by the provider; at most 255 characters. */
  readonly subject: string;
}

export interface StoredIdentity extends Identity {
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The latest sign-in. */
  readonly usedAt: number;
}

/** A role in an account, and where it comes from. */
export interface HeldRole {
  /** The higher one of both. */
  readonly role: Role;
  /** Whether groups give it. */
  readonly byGroups: boolean;
  /** Role that people gave beside one by groups; `null`: none. */
  readonly handRole: Role | null;
}

export interface HeldRoleChange {
  readonly accountId: string;
  /** `null`: no member. */
  readonly before: HeldRole | null;
  readonly after: HeldRole | null;
}

/** A user whom a sign-in makes, without a password. */
export interface ProvidedUser {
  /** Address in lower case. */
  readonly email: string;
  readonly name: string;
  /** Whether the provider has verified the address: other users who claim it are then not verified. */
  readonly verified: boolean;
  readonly invitedBy: string | null;
  readonly homeAccount: string | null;
}

/** One sign-in at a provider, as it was decided. */
export interface IdentitySignIn {
  readonly identity: Identity;
  readonly userId: string;
  /** Whether the identity was this user's before. */
  readonly isKnown: boolean;
  /** Absent where there is such a user. */
  readonly newUser?: ProvidedUser;
  /** Address by which a user was found: it must still be verified. */
  readonly foundBy?: string;
  /** Session of a user who connects: it must still be there. */
  readonly sessionId?: string;
  /** Invitation that is accepted. */
  readonly invitation?: { readonly tokenHash: string; readonly email: string };
  readonly roles: readonly HeldRoleChange[];
  /** Whether the earlier sessions of the user end. */
  readonly endsSessions: boolean;
  readonly now: number;
}

export interface IdentityStore {
  findIdentity(identity: Identity): Promise<StoredIdentity | undefined>;
  identitiesOf(userId: string): Promise<readonly StoredIdentity[]>;
  /** Whether this is still the user's identity, asked after all changes of the user that are under way. */
  hasIdentity(userId: string, identity: Identity): Promise<boolean>;
  /** Roles of a user, by account. */
  heldRoles(userId: string): Promise<ReadonlyMap<string, HeldRole>>;
  /** Whether an account has an owner beside this user. */
  hasOtherOwner(accountId: string, userId: string): Promise<boolean>;
  /**
   * Makes everything that a sign-in changes, in one transaction.
   * @throws StaleVersion, and nothing changes, where anything that it was decided on has changed, or an account would lose its only owner
   */
  signInByIdentity(signIn: IdentitySignIn, ...audit: AuditEntries): Promise<void>;
  /** Forgets who a user is at any provider, and ends the sessions. */
  removeIdentities(userId: string, ...audit: AuditEntries): Promise<void>;
}
