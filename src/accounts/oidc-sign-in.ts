/** Decides which user a person at the OpenID provider is, makes one where their groups or an invitation allow it, and lets the roles follow the groups. */
import type { MakeId } from '../contract/identifiers.ts';
import type { GroupRole } from '../model/group-role.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Invitation, PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type {
  HeldRole,
  HeldRoleChange,
  IdentitySignIn,
  IdentityStore,
  ProvidedUser,
} from '../store/identity-store.ts';
import { MAX_CLAIMS, type SessionStore } from '../store/sign-in-store.ts';
import { fromTo, nameActor } from './audit-log.ts';
import type { Directory } from './directory.ts';
import type { OidcPerson } from './oidc-claims.ts';
import { OidcFailure } from './oidc-failure.ts';
import { isLoss, roleChanges, rolesOfGroups } from './oidc-roles.ts';
import { retryStale } from './retry-stale.ts';

export interface OidcSignInOptions {
  readonly store: PeopleStore & IdentityStore & Pick<SessionStore, 'sessions'>;
  readonly directory: Pick<Directory, 'accounts'>;
  readonly mapping: readonly GroupRole[];
  readonly makeId: MakeId;
  /** Called where an account keeps its only owner although no group makes the person an owner any more. */
  readonly onOwnerKept: (accountId: string, userId: string) => void;
}

/** The intent of a sign-in, with the user whom it names. */
export interface ResolvedIntent {
  /** Hash of the secret of an invitation that is to be accepted. */
  readonly invitation?: string;
  /** The signed-in user who is to be connected, and their session. */
  readonly user?: StoredUser;
  readonly sessionId?: string;
}

/** @returns the user who may now have a session @throws OidcFailure; nothing changes then, except for roles that the groups do not give any more */
export type OidcSignIn = (person: OidcPerson, intent: ResolvedIntent, now: number) => Promise<StoredUser>;

/** The user whom a sign-in is about: one who exists, or one whom it makes. */
interface Subject {
  readonly id: string;
  readonly isKnown: boolean;
  readonly user?: StoredUser;
  readonly newUser?: ProvidedUser;
  readonly foundBy?: string;
}

export function createOidcSignIn(options: OidcSignInOptions): OidcSignIn {
  const { store } = options;
  const decide = createDecide(options);

  return (person, intent, now) =>
    retryStale(async () => {
      const { signIn, entries, mayEnter } = await decide(person, intent, now);
      await store.signInByIdentity(signIn, ...entries);
      if (!mayEnter) throw noRole(person);
      const user = await store.findUser(signIn.userId);
      if (user === undefined) throw noRole(person);
      return user;
    });
}

function createDecide(options: OidcSignInOptions) {
  const { store, directory, mapping } = options;
  const findSubject = createFindSubject(options);

  return async (person: OidcPerson, intent: ResolvedIntent, now: number) => {
    await requireSession(store, intent);
    const invitation = await openInvitation(store, intent, now);
    const accountIds = directory.accounts().map(({ id }) => id);
    const given = rolesOfGroups(person.groups, mapping, accountIds);
    const subject = await findSubject(person, intent, { invitation, hasRole: given.size > 0, now });
    const held = subject.newUser === undefined ? await store.heldRoles(subject.id) : new Map();
    // Removed accounts are not there any more: their memberships go with them.
    const current = new Map([...held].filter(([id]) => accountIds.includes(id)));
    const wanted = roleChanges(withInvitation(current, invitation), given);
    const roles = await permitted(options, subject.id, joined(current, wanted, invitation));
    const identity = { issuer: person.issuer, subject: person.subject };
    const endsSessions = roles.some(isLoss);
    const signIn: IdentitySignIn = {
      identity,
      userId: subject.id,
      isKnown: subject.isKnown,
      ...(subject.newUser !== undefined && { newUser: subject.newUser }),
      ...(subject.foundBy !== undefined && { foundBy: subject.foundBy }),
      ...(intent.sessionId !== undefined && { sessionId: intent.sessionId }),
      ...(invitation !== undefined && { invitation }),
      roles,
      endsSessions,
      now,
    };
    const left = current.size + roles.filter(({ before }) => before === null).length;
    const lost = roles.filter(({ after }) => after === null).length;
    const mayEnter = subject.user?.operator === true || intent.user !== undefined || left > lost;
    return { signIn, entries: entriesOf(person, subject, signIn, invitation), mayEnter };
  };
}

/** A session that ended since the person came back connects nobody: a link for a new password may have ended it. @throws OidcFailure */
async function requireSession(
  store: Pick<SessionStore, 'sessions'>,
  { user, sessionId }: ResolvedIntent,
): Promise<void> {
  if (user === undefined) return;
  if ((await store.sessions(user.id)).some(({ id }) => id === sessionId)) return;
  throw new OidcFailure('expired', 'the session that was to be connected has ended');
}

/** The invitation that the person brings. @throws OidcFailure where it works no longer */
async function openInvitation(
  store: Pick<PeopleStore, 'findInvitation'>,
  { invitation: tokenHash }: ResolvedIntent,
  now: number,
): Promise<Invitation | undefined> {
  if (tokenHash === undefined) return undefined;
  const found = await store.findInvitation({ tokenHash });
  if (found === undefined || found.acceptedAt !== null || found.expiresAt <= now)
    throw new OidcFailure('invitation_used', 'the invitation was used, cancelled or has expired');
  return found;
}

/** Roles as if the invitation was accepted before the groups are looked at; a member keeps the role. */
function withInvitation(
  held: ReadonlyMap<string, HeldRole>,
  invitation: Invitation | undefined,
): ReadonlyMap<string, HeldRole> {
  if (invitation === undefined || held.has(invitation.accountId)) return held;
  const { accountId, role } = invitation;
  return new Map([...held, [accountId, { role, byGroups: false, handRole: null }]]);
}

/** The changes from the stored roles, with the invited one. */
function joined(
  current: ReadonlyMap<string, HeldRole>,
  wanted: readonly HeldRoleChange[],
  invitation: Invitation | undefined,
): HeldRoleChange[] {
  if (invitation === undefined || current.has(invitation.accountId)) return [...wanted];
  const { accountId, role } = invitation;
  const ofGroups = wanted.find((change) => change.accountId === accountId)?.after;
  const after = ofGroups ?? { role, byGroups: false, handRole: null };
  return [...wanted.filter((change) => change.accountId !== accountId), { accountId, before: null, after }];
}

/** The changes without those that would take the only owner from an account. */
async function permitted(
  { store, onOwnerKept }: OidcSignInOptions,
  userId: string,
  changes: readonly HeldRoleChange[],
): Promise<HeldRoleChange[]> {
  const kept: string[] = [];
  for (const { accountId, before, after } of changes) {
    const losesOwner = before?.role === 'owner' && after?.role !== 'owner';
    if (!losesOwner || (await store.hasOtherOwner(accountId, userId))) continue;
    kept.push(accountId);
    onOwnerKept(accountId, userId);
  }
  return changes.filter(({ accountId }) => !kept.includes(accountId));
}

interface FindContext {
  readonly invitation: Invitation | undefined;
  /** Whether groups give any role. */
  readonly hasRole: boolean;
  readonly now: number;
}

/** Users are found by issuer and subject; by an address only if the provider has verified it, and an operator, too. */
function createFindSubject({ store, makeId }: OidcSignInOptions) {
  async function toConnect(user: StoredUser, isKnown: boolean, person: OidcPerson): Promise<Subject> {
    const others = (await store.identitiesOf(user.id)).filter(({ issuer }) => issuer === person.issuer);
    // Another node may have connected the same person since the identity was looked up.
    if (isKnown || others.some(({ subject }) => subject === person.subject))
      return { id: user.id, isKnown: true, user };
    if (others.length > 0)
      throw otherIdentity(`user ${user.id} is connected to another account at the provider`);
    return { id: user.id, isKnown: false, user };
  }

  return async (person: OidcPerson, intent: ResolvedIntent, context: FindContext): Promise<Subject> => {
    const { email, emailVerified } = person;
    const { invitation, hasRole, now } = context;
    const identity = await store.findIdentity(person);
    const known = identity && (await store.findUser(identity.userId));
    if (intent.user !== undefined) {
      if (known !== undefined && known.id !== intent.user.id)
        throw otherIdentity(`this account at the provider is connected to user ${known.id}`);
      return toConnect(intent.user, known !== undefined, person);
    }
    const address = known?.email ?? email;
    if (invitation !== undefined && invitation.email !== address)
      throw new OidcFailure('other_address', 'the invitation is for another address');
    if (known !== undefined) return { id: known.id, isKnown: true, user: known };
    const claiming = email === undefined ? [] : await store.usersOf(email);
    const owner = claiming.find(({ verified }) => verified);
    if (owner !== undefined && emailVerified) {
      const subject = await toConnect(owner, false, person);
      return subject.isKnown ? subject : { ...subject, foundBy: owner.email };
    }
    if (invitation === undefined && !hasRole) throw noRole(person);
    if (email === undefined)
      throw new OidcFailure('no_email', 'the provider sends no address: the scope email may be missing');
    if (!emailVerified && (owner !== undefined || claiming.length >= MAX_CLAIMS))
      throw new OidcFailure(
        'unverified_email',
        'the address belongs to a user, and the provider has not verified it',
      );
    const { invitedBy = null, accountId: homeAccount = null } = invitation ?? {};
    const newUser = { email, name: person.name, verified: emailVerified, invitedBy, homeAccount };
    return { id: makeId('usr', now), isKnown: false, newUser };
  };
}

/** The entries of everything that a sign-in changes; the sign-in itself is noted elsewhere. */
function entriesOf(
  { issuer, subject: person }: OidcPerson,
  { user, newUser }: Subject,
  { isKnown, roles, endsSessions, now }: IdentitySignIn,
  invitation: Invitation | undefined,
): AuditEntry[] {
  const about = user ?? (newUser as ProvidedUser);
  const entry = (accountId: string | null, action: string, detail: string): AuditEntry => ({
    at: now,
    by: `OpenID provider ${new URL(issuer).host}`,
    accountId,
    action,
    target: nameActor(about, accountId),
    detail,
  });
  const accounts = roles.length === 0 ? [null] : roles.map(({ accountId }) => accountId);
  const connected = isKnown ? [] : accounts.map((id) => entry(id, 'identity_connected', person));
  const changed = roles.flatMap((change) => {
    const { accountId, before, after } = change;
    if (accountId === invitation?.accountId && before === null)
      return [entry(accountId, 'invitation_accepted', `${after?.role}, invited by ${invitation.invitedBy}`)];
    const ended = endsSessions && isLoss(change) ? [entry(accountId, 'sessions_ended', '')] : [];
    const words = fromTo(before?.role ?? 'none', after?.role ?? 'none');
    return [entry(accountId, 'role_by_groups', words), ...ended];
  });
  return [...connected, ...changed];
}

function noRole({ groups }: OidcPerson): OidcFailure {
  const message = `none of the ${groups.length} groups of this person has a role here`;
  return new OidcFailure('no_role', message);
}

function otherIdentity(message: string): OidcFailure {
  return new OidcFailure('other_identity', message);
}
