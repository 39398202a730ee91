/** /dashboard/api/claim: a link that makes an operator, or lets a user set a new password. Each works once. */
import { nameActor } from '../accounts/audit-log.ts';
import { hashPassword } from '../accounts/password.ts';
import { hashLinkSecret } from '../accounts/secret-link.ts';
import type { SessionClock } from '../accounts/session-clock.ts';
import { readName, readNewPassword, readUserEmail } from '../accounts/user-fields.ts';
import type { Session } from '../contract/dashboard-account.ts';
import type { Claim, FirstStart } from '../contract/dashboard-people.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import type { Link, SignInStore } from '../store/sign-in-store.ts';
import { requirePasswords, type SignInMethods } from './dashboard-oidc.ts';
import type { DashboardRoutes, OpenCall } from './dashboard-route.ts';
import type { StartSession } from './dashboard-session.ts';
import type { Attempts } from './dashboard-sign-in-attempts.ts';
import { bodyOf, SHORT_TEXT } from './dashboard-values.ts';

export interface ClaimOptions {
  readonly store: SignInStore & Pick<PeopleStore, 'findUser' | 'users'>;
  readonly attempts: Pick<Attempts, 'hashForLink'>;
  readonly startSession: StartSession;
  readonly sessionClock: Pick<SessionClock, 'now'>;
  readonly makeId: MakeId;
  readonly signInMethods: SignInMethods;
}

interface ClaimBody {
  readonly secret: string;
  readonly name?: string;
  readonly email?: string;
  readonly password: string;
}

const PROPERTIES = { secret: SHORT_TEXT, name: SHORT_TEXT, email: SHORT_TEXT, password: SHORT_TEXT };

export function claimRoutes(routes: DashboardRoutes, options: ClaimOptions): void {
  const { store, signInMethods } = options;
  firstStartRoute(routes, options);

  async function linkOf({ body }: OpenCall<{ secret: string }>): Promise<Link> {
    const link = await store.findLink(hashLinkSecret(body.secret), options.sessionClock.now());
    if (link === undefined) throw usedUp();
    return link;
  }

  async function makeOperator(link: Link, { body, now }: OpenCall<ClaimBody>): Promise<string> {
    const [name, email] = [readName(body.name), readUserEmail(body.email)];
    const passwordHash = await hashPassword(readNewPassword(body.password));
    const user = { id: options.makeId('usr', now), email, name, passwordHash };
    const entry = entryOf('operator_made', email, now);
    if (!(await store.claimOperator(user, link.tokenHash, now, entry))) {
      if ((await store.findUserId(email)) === undefined) throw usedUp();
      throw new Problem('conflict', 'email', {
        message: 'This email cannot be used here.',
        resolution: 'Choose another one.',
      });
    }
    return email;
  }

  async function reset(link: Link, { body, now }: OpenCall<ClaimBody>): Promise<string> {
    const user = await store.findUser(link.userId as string);
    const passwordHash = await hashPassword(readNewPassword(body.password));
    if (user === undefined) throw usedUp();
    const entry = entryOf('password_reset', nameActor(user, null), now);
    if (!(await store.resetPassword(passwordHash, link.tokenHash, now, entry))) throw usedUp();
    return user.login;
  }

  async function claim(link: Link, call: OpenCall<ClaimBody>): Promise<Session> {
    const login = link.purpose === 'reset' ? await reset(link, call) : await makeOperator(link, call);
    return options.startSession(call, [login], call.body.password);
  }

  // It changes nothing, but the secret must not be in a path: proxies log paths.
  routes.forAnybody<{ secret: string }>({
    method: 'POST',
    path: '/claim/read',
    body: bodyOf({ secret: SHORT_TEXT }),
    async handle(call): Promise<Claim> {
      const { purpose, userId } = await linkOf(call);
      if (purpose !== 'reset') return { purpose: 'operator', email: null };
      return { purpose, email: (await store.findUser(userId as string))?.email ?? null };
    },
  });
  routes.forAnybody<ClaimBody>({
    method: 'POST',
    path: '/claim',
    body: bodyOf(PROPERTIES, ['secret', 'password']),
    async handle(unclocked) {
      requirePasswords(signInMethods);
      const call = { ...unclocked, now: options.sessionClock.now() };
      const link = await linkOf(call);
      return options.attempts.hashForLink(() => claim(link, call));
    },
  });
}

function firstStartRoute(routes: DashboardRoutes, { store, signInMethods }: ClaimOptions): void {
  let hasOperator = false;
  routes.forAnybody({
    method: 'GET',
    path: '/first-start',
    async handle(): Promise<FirstStart> {
      // An operator never disappears: the answer is remembered, so that strangers cannot cause queries.
      hasOperator ||= (await store.users()).some(({ operator }) => operator);
      return {
        needs_operator: !hasOperator,
        passwords: signInMethods.hasPasswords,
        oidc: signInMethods.oidc?.label ?? null,
      };
    },
  });
}

function entryOf(action: string, email: string, at: number): AuditEntry {
  return { at, by: email, accountId: null, action, target: email, detail: 'by a link' };
}

function usedUp(): Problem {
  return new Problem('not_found', undefined, {
    message: 'This link no longer works.',
    resolution:
      'If there is no operator yet, restart the service for a new link. Otherwise run gatehouse user link ' +
      '--new-operator, or gatehouse user link EMAIL if you are locked out.',
  });
}
