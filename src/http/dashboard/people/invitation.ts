/** /dashboard/api/invitations/:token: what a link offers, and taking it up, as a new user or as the one it was made for. */
import { hashPassword } from '../../../accounts/people/password.ts';
import { hashLinkSecret } from '../../../accounts/people/secret-link.ts';
import type { SignIn } from '../../../accounts/people/sign-in.ts';
import { readName, readNewPassword } from '../../../accounts/people/user-fields.ts';
import type { Session } from '../../../contract/dashboard/account.ts';
import type { InvitationOffer } from '../../../contract/dashboard/people.ts';
import type { MakeId } from '../../../contract/identifiers.ts';
import { Problem } from '../../../contract/problem.ts';
import { toTimestamp } from '../../../contract/timestamp.ts';
import type { AuditEntry, Invitation, PeopleStore, StoredUser } from '../../../store/dashboard-store.ts';
import type { SignInStore } from '../../../store/sign-in-store.ts';
import type { DashboardRoutes, OpenCall } from '../route.ts';
import type { Attempts } from './attempts.ts';
import { describeSession, type SessionOptions } from './session.ts';
import type { Welcome } from './welcome.ts';

export interface InvitationOptions extends SessionOptions {
  readonly store: SignInStore & PeopleStore;
  readonly signIn: Pick<SignIn, 'session'>;
  readonly attempts: Attempts;
  readonly welcome: Welcome;
  readonly makeId: MakeId;
}

interface JoinBody {
  readonly name?: string;
  readonly password?: string;
}

const PATH = '/invitations/:token';
const TEXT = { type: 'string', maxLength: 300 };
const BODY = { type: 'object', properties: { name: TEXT, password: TEXT } };

export function invitationRoutes(routes: DashboardRoutes, options: InvitationOptions): void {
  const { store, directory, welcome } = options;

  async function offerOf({ params, now }: OpenCall<unknown>): Promise<Invitation> {
    const invitation = await store.findInvitation({ tokenHash: hashLinkSecret(params.token as string) });
    if (invitation === undefined || invitation.acceptedAt !== null || invitation.expiresAt <= now)
      throw usedUp();
    return invitation;
  }

  async function signedIn({ request }: OpenCall<unknown>): Promise<StoredUser | undefined> {
    const session = await options.signIn.session(request.headers.cookie);
    return session === undefined ? undefined : store.findUser(session.userId);
  }

  async function joinSignedIn(user: StoredUser, offer: Invitation, now: number): Promise<Session> {
    if (user.email !== offer.email) {
      throw new Problem('conflict', undefined, {
        message: `You are signed in as ${user.email}; the invitation is for ${offer.email}.`,
        resolution: 'Sign out, then open the link again.',
      });
    }
    if (!(await store.joinAsUser(user.id, offer.tokenHash, now, acceptedBy(offer, now)))) throw usedUp();
    return describeSession(user, options);
  }

  /** Whoever is known already proves it with the password they have; for anybody else it becomes theirs. */
  async function joinByPassword(offer: Invitation, call: OpenCall<JoinBody>): Promise<Session> {
    const { body, now } = call;
    const known = await store.findUserId(offer.email);
    const password = known === undefined ? readNewPassword(body.password) : (body.password ?? '');
    if (known !== undefined) {
      const session = await options.attempts.provePassword(call, { email: offer.email }, () =>
        welcome(call, offer.email, password),
      );
      if (!(await store.joinAsUser(known, offer.tokenHash, now, acceptedBy(offer, now)))) throw usedUp();
      const user = await store.findUser(known);
      return user === undefined ? session : describeSession(user, options);
    }
    return options.attempts.hashForLink(call, async () => {
      const user = {
        id: options.makeId('usr', now),
        email: offer.email,
        name: readName(body.name),
        passwordHash: await hashPassword(password),
      };
      const entry = acceptedBy(offer, now);
      if (!(await store.joinAsNewUser(user, offer.tokenHash, now, entry))) throw usedUp();
      return welcome(call, offer.email, password);
    });
  }

  routes.forAnybody({
    method: 'GET',
    path: PATH,
    async handle(call): Promise<InvitationOffer> {
      const { email, accountId, role, invitedBy, expiresAt } = await offerOf(call);
      const account_name = directory.account(accountId)?.name ?? '';
      return { email, account_name, role, invited_by: invitedBy, expires_at: toTimestamp(expiresAt) };
    },
  });
  routes.forAnybody<JoinBody>({
    method: 'POST',
    path: PATH,
    body: BODY,
    async handle(call) {
      const offer = await offerOf(call);
      const user = await signedIn(call);
      return user === undefined ? joinByPassword(offer, call) : joinSignedIn(user, offer, call.now);
    },
  });
}

function acceptedBy({ accountId, email, role, invitedBy }: Invitation, at: number): AuditEntry {
  const detail = `${role}, invited by ${invitedBy}`;
  return { at, by: email, accountId, action: 'invitation_accepted', target: email, detail };
}

function usedUp(): Problem {
  return new Problem('not_found', undefined, {
    message: 'This invitation does not hold any more.',
    resolution: 'Ask the person who invited you for another one.',
  });
}
