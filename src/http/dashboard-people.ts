/** /dashboard/api/operator/{people,invitations,memberships}: owners and operators decide who may see an account. */
import { auditLogsOf, nameActor, nameUser } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import { linkUrl, makeLinkSecret } from '../accounts/secret-link.ts';
import type { SessionClock } from '../accounts/session-clock.ts';
import { readUserEmail } from '../accounts/user-fields.ts';
import type {
  ChangedRole,
  CreatedInvitation,
  InvitationRow,
  People,
  UserRow,
} from '../contract/dashboard-installation.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import { ROLES, type Role } from '../model/role.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { Invitation, Membership, PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { CsrfOrigins } from './dashboard-csrf.ts';
import type { EnterAccount } from './dashboard-guarded-routes.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, SHORT_TEXT } from './dashboard-values.ts';
import { roleFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface PeopleRoutesOptions {
  readonly store: PeopleStore & Pick<AuditStore, 'auditEntries'>;
  readonly directory: Pick<Directory, 'account'>;
  readonly enterAccount: EnterAccount;
  readonly origins: Pick<CsrfOrigins, 'originOf'>;
  readonly makeId: MakeId;
  readonly sessionClock: Pick<SessionClock, 'now'>;
}

const VALID_MS = 7 * 86_400_000;

export function peopleRoutes(routes: DashboardRoutes, options: PeopleRoutesOptions): void {
  listRoute(routes, options);
  inviteRoute(routes, options);
  withdrawRoute(routes, options);
  verifyRoute(routes, options);
  removeRoute(routes, options);
  roleRoute(routes, options);
}

function nameOf(directory: PeopleRoutesOptions['directory']): (accountId: string) => string {
  return (accountId) => directory.account(accountId)?.name ?? '';
}

function listRoute(routes: DashboardRoutes, { store, directory, enterAccount }: PeopleRoutesOptions): void {
  routes.forUser({
    method: 'GET',
    path: '/operator/people',
    async handle({ user, query, now }): Promise<People> {
      const accountId = query.account;
      const name = nameOf(directory);
      if (accountId !== undefined) await enterAccount(user, accountId, 'owner');
      else if (!user.operator) throw new Problem('forbidden');
      const of = accountId === undefined ? {} : { accountId };
      const [users, memberships, invitations] = await Promise.all([
        store.users(),
        store.memberships(of),
        store.invitations(of),
      ]);
      const isOf = (id: string) => accountId === undefined || memberships.some(({ userId }) => userId === id);
      return {
        users: users
          .filter(({ id }) => isOf(id))
          .map((person) => showUser(person, memberships, name, accountId)),
        invitations: invitations
          .filter((invitation) => isOpen(invitation, now))
          .map((invitation) => showInvitation(invitation, name)),
      };
    },
  });
}

function inviteRoute(routes: DashboardRoutes, options: PeopleRoutesOptions): void {
  const { store, directory, enterAccount } = options;
  routes.forUser<{ email: string; account_id: string; role: Role }>({
    method: 'POST',
    path: '/operator/invitations',
    body: bodyOf({ email: SHORT_TEXT, account_id: SHORT_TEXT, role: { enum: [...ROLES] } }),
    async handle({ user, body, now, context, auditEntry }): Promise<CreatedInvitation> {
      const { account } = await enterAccount(user, body.account_id, 'owner');
      const email = readUserEmail(body.email);
      await refuseMember(store, { email, accountId: account.id }, user);
      const { secret, tokenHash } = makeLinkSecret();
      const link = linkUrl(options.origins.originOf(context), 'invitations', secret);
      const invitation: Invitation = {
        id: options.makeId('inv', now),
        tokenHash,
        email,
        accountId: account.id,
        role: body.role,
        invitedBy: nameUser(user),
        expiresAt: options.sessionClock.now() + VALID_MS,
        acceptedAt: null,
      };
      const entry = auditEntry(account.id, 'person_invited', invitation.email, body.role);
      await store.saveInvitation(invitation, entry);
      return { invitation: showInvitation(invitation, nameOf(directory)), link };
    },
  });
}

/** Roles are changed in place. An operator may invite the real owner of an address that a member only claims. */
async function refuseMember(
  store: PeopleStore,
  { email, accountId }: Pick<Invitation, 'email' | 'accountId'>,
  by: StoredUser,
): Promise<void> {
  const claiming = await store.usersOf(email);
  for (const { id, verified } of claiming.filter((person) => person.verified || !by.operator)) {
    const [membership] = await store.memberships({ userId: id, accountId });
    if (membership === undefined) continue;
    throw new Problem('conflict', 'email', {
      message: `${email} is in this account already${verified ? '' : ', not verified'}.`,
      resolution: 'Choose another address, or change the role of this person.',
    });
  }
}

function withdrawRoute(routes: DashboardRoutes, { store, enterAccount }: PeopleRoutesOptions): void {
  routes.forUser({
    method: 'DELETE',
    path: '/operator/invitations/:id',
    async handle({ user, params, auditEntry }) {
      const invitation = await store.findInvitation({ id: params.id as string });
      if (invitation === undefined || invitation.acceptedAt !== null) throw new Problem('not_found');
      const { id, accountId, email, role } = invitation;
      await enterAccount(user, accountId, 'owner');
      await store.removeInvitation(id, auditEntry(accountId, 'invitation_withdrawn', email, role));
    },
  });
}

function verifyRoute(routes: DashboardRoutes, { store }: PeopleRoutesOptions): void {
  routes.forOperator({
    method: 'POST',
    path: '/operator/people/:user/verify',
    async handle({ params, auditEntry }) {
      const person = await personOf(store, params.user as string);
      const accounts = await auditLogsOf(store, person);
      const entries = accounts.map((id) => auditEntry(id, 'person_verified', nameActor(person, id), ''));
      if (!(await store.verifyUser(person.id, ...entries))) throw new Problem('not_found');
    },
  });
}

function removeRoute(routes: DashboardRoutes, options: PeopleRoutesOptions): void {
  routes.forUser<MembershipBody>({
    method: 'DELETE',
    path: '/operator/memberships',
    body: MEMBERSHIP_BODY,
    async handle({ user, body, query, auditEntry }) {
      const { accountId, shown, membership } = await memberAt(query.version, options, user, body);
      const entry = auditEntry(accountId, 'person_removed', shown, membership.role);
      if (await options.store.removeMembership(membership, entry)) return;
      const { membership: current } = await memberAt(query.version, options, user, body);
      if (current.role !== membership.role) throw new Problem('unavailable');
      await refuseLastOwner(options, user, body);
    },
  });
}

function roleRoute(routes: DashboardRoutes, options: PeopleRoutesOptions): void {
  const { store } = options;
  routes.forUser<MembershipBody & { readonly role: Role }>({
    method: 'PATCH',
    path: '/operator/memberships',
    body: ROLE_BODY,
    async handle({ user, body, query, auditEntry }): Promise<ChangedRole> {
      const { accountId, shown, membership } = await memberAt(query.version, options, user, body);
      const { role } = membership;
      const changed = { version: versionOf(roleFacts(body)) };
      if (role === body.role) return changed;
      const entry = auditEntry(accountId, 'role_changed', shown, `${role} → ${body.role}`);
      if (await store.changeRole({ ...membership, role: body.role }, role, entry)) return changed;
      // The member may have been removed or changed meanwhile.
      const { membership: current } = await memberAt(query.version, options, user, body);
      if (current.role !== role) throw new Problem('unavailable');
      return refuseLastOwner(options, user, body);
    },
  });
}

/** @throws Problem `conflict`; `not_found` where the member was removed meanwhile */
async function refuseLastOwner(
  options: PeopleRoutesOptions,
  user: StoredUser,
  body: MembershipBody,
): Promise<never> {
  await memberOf(options, user, body);
  throw new Problem('conflict', undefined, {
    message: 'This is the only owner of the account.',
    resolution: 'Make somebody else an owner first.',
  });
}

export interface MembershipBody {
  readonly user_id: string;
  readonly account_id: string;
}

export const MEMBERSHIP_BODY = bodyOf({ user_id: SHORT_TEXT, account_id: SHORT_TEXT });
const ROLE_BODY = bodyOf({ user_id: SHORT_TEXT, account_id: SHORT_TEXT, role: { enum: [...ROLES] } });

/** The user with this id. @throws Problem `not_found` */
export async function personOf(store: Pick<PeopleStore, 'findUser'>, id: string): Promise<StoredUser> {
  const person = await store.findUser(id);
  if (person === undefined) throw new Problem('not_found');
  return person;
}

/** A member of an account that the caller owns. @throws Problem */
export async function memberOf(
  { store, enterAccount }: { readonly store: PeopleStore; readonly enterAccount: EnterAccount },
  owner: StoredUser,
  { user_id, account_id }: MembershipBody,
): Promise<{ person: StoredUser; membership: Membership }> {
  const { account } = await enterAccount(owner, account_id, 'owner');
  const [membership] = await store.memberships({ userId: user_id, accountId: account.id });
  if (membership === undefined) throw new Problem('not_found');
  return { person: await personOf(store, user_id), membership };
}

/** A member as the caller has read them. @throws Problem `changed_meanwhile` if they have another role since */
async function memberAt(
  version: string | undefined,
  options: PeopleRoutesOptions,
  owner: StoredUser,
  body: MembershipBody,
): Promise<{ accountId: string; shown: string; membership: Membership }> {
  const { person, membership } = await memberOf(options, owner, body);
  const { accountId } = membership;
  const shown = nameActor(person, accountId);
  await requireVersion(version, roleFacts(membership, shown), { store: options.store, accountId });
  return { accountId, shown, membership };
}

/** Whether an invitation can still be accepted. */
export function isOpen({ acceptedAt, expiresAt }: Invitation, now: number): boolean {
  return acceptedAt === null && expiresAt > now;
}

function showUser(
  { id, email, name, operator, verified, invitedBy, homeAccount, createdAt }: StoredUser,
  memberships: readonly Membership[],
  nameOf: (accountId: string) => string,
  accountId: string | undefined,
): UserRow {
  return {
    id,
    email,
    name,
    operator,
    verified,
    // An owner must not see who invites people in other accounts.
    invited_by: accountId === undefined || accountId === homeAccount ? invitedBy : null,
    created_at: toTimestamp(createdAt),
    memberships: memberships
      .filter(({ userId }) => userId === id)
      .map(({ accountId, role }) => ({
        account_id: accountId,
        account_name: nameOf(accountId),
        role,
        version: versionOf(roleFacts({ role })),
      })),
  };
}

function showInvitation(invitation: Invitation, nameOf: (accountId: string) => string): InvitationRow {
  return {
    id: invitation.id,
    email: invitation.email,
    account_id: invitation.accountId,
    account_name: nameOf(invitation.accountId),
    role: invitation.role,
    invited_by: invitation.invitedBy,
    expires_at: toTimestamp(invitation.expiresAt),
  };
}
