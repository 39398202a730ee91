/** /dashboard/api/invitations: shows what an invite link offers; a new or an existing user accepts it. */
import { hashPassword } from '../accounts/password.ts';
import { hashLinkSecret } from '../accounts/secret-link.ts';
import type { SessionClock } from '../accounts/session-clock.ts';
import { readName, readNewPassword } from '../accounts/user-fields.ts';
import type { Session } from '../contract/dashboard-account.ts';
import type { InvitationOffer } from '../contract/dashboard-people.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Invitation, PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { SignInStore } from '../store/sign-in-store.ts';
import { auditEntryOf, type FindCurrentUser } from './dashboard-guarded-routes.ts';
import { requirePasswords, type SignInMethods } from './dashboard-oidc.ts';
import { isOpen } from './dashboard-people.ts';
import type { DashboardRoutes, OpenCall } from './dashboard-route.ts';
import { describeSession, loginsOf, type SessionOptions, type StartSession } from './dashboard-session.ts';
import type { Attempts } from './dashboard-sign-in-attempts.ts';
import { bodyOf, SHORT_TEXT } from './dashboard-values.ts';

export interface InvitationOptions extends SessionOptions {
  readonly store: SignInStore & PeopleStore;
  readonly findCurrentUser: FindCurrentUser;
  readonly sessionClock: Pick<SessionClock, 'now'>;
  readonly attempts: Attempts;
  readonly startSession: StartSession;
  readonly makeId: MakeId;
  readonly signInMethods: SignInMethods;
}

interface JoinBody {
  readonly secret: string;
  readonly name?: string;
  readonly password?: string;
}

export function invitationRoutes(routes: DashboardRoutes, options: InvitationOptions): void {
  const { store, directory } = options;
  const join = createJoin(options);

  /** Invitations expire by the session clock: the wall clock may be wrong. */
  const timed = <Call extends OpenCall<unknown>>(call: Call): Call => ({
    ...call,
    now: options.sessionClock.now(),
  });

  // It changes nothing, but the secret must not be in a path: proxies log paths.
  routes.forAnybody<{ secret: string }>({
    method: 'POST',
    path: '/invitations/read',
    body: bodyOf({ secret: SHORT_TEXT }),
    async handle(unclocked): Promise<InvitationOffer> {
      const call = timed(unclocked);
      const { email, accountId, role, invitedBy, expiresAt } = await offerOf(store, call);
      const account_name = directory.account(accountId)?.name ?? '';
      return { email, account_name, role, invited_by: invitedBy, expires_at: toTimestamp(expiresAt) };
    },
  });
  routes.forAnybody<JoinBody>({
    method: 'POST',
    path: '/invitations',
    body: bodyOf({ secret: SHORT_TEXT, name: SHORT_TEXT, password: SHORT_TEXT }, ['secret']),
    async handle(unclocked) {
      const call = timed(unclocked);
      const offer = await offerOf(store, call);
      const current = await options.findCurrentUser(call.context);
      if (current !== undefined) return join.asUser(current.user, offer, call.now);
      requirePasswords(options.signInMethods);
      return join.byPassword(offer, call);
    },
  });
}

async function offerOf(
  store: Pick<PeopleStore, 'findInvitation'>,
  { body, now }: OpenCall<{ secret: string }>,
): Promise<Invitation> {
  const invitation = await store.findInvitation({ tokenHash: hashLinkSecret(body.secret) });
  if (invitation === undefined || !isOpen(invitation, now)) throw usedUp();
  return invitation;
}

/** Accepts an offer: as the user who is signed in, or with a password. */
function createJoin(options: InvitationOptions) {
  const { store, attempts, startSession, makeId } = options;

  async function asUser(user: StoredUser, offer: Invitation, now: number): Promise<Session> {
    if (user.email !== offer.email) {
      throw new Problem('conflict', undefined, {
        message: `You are signed in as ${user.email}; the invitation is for ${offer.email}.`,
        resolution: 'Sign out, then open the link again.',
      });
    }
    const entry = acceptedBy(user, offer, now);
    if (!(await store.joinAsUser(user.id, offer.tokenHash, now, entry))) throw usedUp();
    return describeSession(user, options);
  }

  async function asKnown(offer: Invitation, call: OpenCall<JoinBody>, password: string) {
    const logins = await loginsOf(store, offer.email);
    const session = await startSession(call, logins, password).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'sign_in_failed') return undefined;
      throw error;
    });
    const user = session && (await store.findUser(session.user.id));
    return user && asUser(user, offer, call.now);
  }

  async function asNew(offer: Invitation, call: OpenCall<JoinBody>, name: string, password: string) {
    const { email, tokenHash, invitedBy, accountId } = offer;
    const passwordHash = await hashPassword(password);
    const user = { id: makeId('usr', call.now), email, name, passwordHash };
    const unproven = { email, verified: false, invitedBy, homeAccount: accountId };
    const entry = acceptedBy(unproven, offer, call.now);
    if (!(await store.joinAsNewUser(user, tokenHash, call.now, entry))) {
      await offerOf(store, call);
      // The address belongs to another user, or cannot be claimed again in this account.
      throw new Problem('sign_in_failed');
    }
    const made = await store.findUser(user.id);
    return startSession(call, [made?.login ?? email], password);
  }

  /**
   * An existing user signs in with the password; a new user sets it. A wrong password gets the same answer in both cases,
   * after the same number of hashes, so that the link does not reveal whether the address has a user.
   */
  async function byPassword(offer: Invitation, call: OpenCall<JoinBody>): Promise<Session> {
    const { body } = call;
    const name = body.name === undefined ? undefined : readName(body.name);
    const password = name === undefined ? (body.password ?? '') : readNewPassword(body.password);
    return attempts.provePassword(call.context, { email: offer.email, invited: true }, async () => {
      const known = await asKnown(offer, call, password);
      if (known !== undefined) return known;
      if (name === undefined) throw new Problem('sign_in_failed');
      return asNew(offer, call, name, password);
    });
  }

  return { asUser, byPassword };
}

function acceptedBy(
  user: Parameters<typeof auditEntryOf>[0],
  { accountId, email: target, role, invitedBy }: Invitation,
  at: number,
): AuditEntry {
  const detail = `${role}, invited by ${invitedBy}`;
  return auditEntryOf(user, { at, accountId, action: 'invitation_accepted', target, detail });
}

function usedUp(): Problem {
  return new Problem('not_found', undefined, {
    message: 'This invitation was used, cancelled or has expired.',
    resolution: 'Ask the person who invited you for another one.',
  });
}
