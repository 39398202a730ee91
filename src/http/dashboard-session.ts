/** GET /dashboard/api/session: the signed-in user with their accounts, and how a session starts with a password. */
import type { Directory } from '../accounts/directory.ts';
import type { KnownDevices } from '../accounts/known-device.ts';
import type { SignIn, SignInAnswer, Visitor } from '../accounts/sign-in.ts';
import type { Session } from '../contract/dashboard-account.ts';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import { Problem } from '../contract/problem.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import { isMadeUpEmail, MADE_UP_DOMAIN } from '../store/sign-in-store.ts';
import type { Account } from '../store/store.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type { DashboardRoutes, OpenCall } from './dashboard-route.ts';
import { isWrongSecret, toSignInProblem } from './dashboard-sign-in-problems.ts';
import { zoneFacts } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface SessionOptions {
  readonly store: Pick<PeopleStore, 'memberships'>;
  readonly directory: Pick<Directory, 'account' | 'accounts'>;
  readonly distrusted: () => readonly DistrustedSource[];
}

export function sessionRoute(routes: DashboardRoutes, options: SessionOptions): void {
  routes.forUser({
    method: 'GET',
    path: '/session',
    handle: ({ user }) => describeSession(user, options),
  });
}

export async function describeSession(user: StoredUser, options: SessionOptions): Promise<Session> {
  const accounts = await accountsOf(user, options);
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      operator: user.operator,
      two_factor: user.twoFactor,
    },
    accounts,
    // A user without an account learns nothing about the installation.
    distrusted: user.operator || accounts.length > 0 ? options.distrusted() : [],
  };
}

async function accountsOf(
  user: StoredUser,
  { store, directory }: SessionOptions,
): Promise<Session['accounts']> {
  if (user.operator) {
    return directory.accounts().map((account) => ({ ...shown(account), role: 'owner' as const }));
  }
  const memberships = await store.memberships({ userId: user.id });
  return memberships.flatMap(({ accountId, role }) => {
    const account = directory.account(accountId);
    return account === undefined ? [] : [{ ...shown(account), role }];
  });
}

function shown(account: Account) {
  const { id, name, plan, timeZone } = account;
  return { id, name, plan, time_zone: timeZone, settings_version: versionOf(zoneFacts(account)) };
}

/** Signs a user in with the password just set or typed. @throws Problem when it is wrong, or not enough */
export type StartSession = (
  call: OpenCall<unknown>,
  logins: readonly string[],
  password: string,
) => Promise<Session>;

export interface StartSessionOptions extends SessionOptions {
  readonly signIn: Pick<SignIn, 'call'>;
  readonly devices: Pick<KnownDevices, 'remember'>;
  readonly origins: Pick<CsrfOrigins, 'addCookies'>;
  readonly visitorOf: VisitorOf;
  readonly store: Pick<PeopleStore, 'memberships' | 'findUser'>;
}

export function createStartSession(options: StartSessionOptions): StartSession {
  const { signIn, store, origins, devices } = options;
  return async ({ context }, logins, password) => {
    const visitor = options.visitorOf(context);
    const answer = await signInAsOneOf(signIn, logins, password, { ...visitor, cookie: undefined });
    if (!answer.ok) throw toSignInProblem(answer.code);
    if (answer.body.twoFactorRedirect === true) {
      throw new Problem('signed_out', undefined, {
        message: 'This user signs in with 2FA.',
        resolution: 'Sign in, then open the link again.',
      });
    }
    const { id } = answer.body.user as { id: string };
    const user = await store.findUser(id);
    if (user === undefined) throw new Problem('signed_out');
    const device = await devices.remember(visitor.cookie, user.login);
    origins.addCookies(context, [...answer.cookies, device]);
    return describeSession(user, options);
  };
}

/**
 * The logins of the users who claim an address; the one whose password is right signs in. Without such a user it is a login
 * that does not exist, so that the timing is the same.
 */
export async function loginsOf(store: Pick<PeopleStore, 'usersOf'>, address: string): Promise<string[]> {
  const claiming = await store.usersOf(address);
  if (claiming.length > 0) return claiming.map(({ login }) => login);
  return [isMadeUpEmail(address) ? `nobody${MADE_UP_DOMAIN}` : address];
}

/** @param logins at least one; each costs a hash */
export async function signInAsOneOf(
  signIn: Pick<SignIn, 'call'>,
  logins: readonly string[],
  password: string,
  visitor: Visitor,
): Promise<SignInAnswer> {
  let answer: SignInAnswer | undefined;
  for (const email of logins) {
    answer = await signIn.call('sign-in/email', { email, password }, visitor);
    if (answer.ok || !isWrongSecret(answer.code)) break;
  }
  if (answer === undefined) throw new Error('nobody to sign in');
  return answer;
}
