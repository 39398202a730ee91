/** Signs a user in with the password just set or typed, and returns the session with its accounts. */
import type { KnownDevices } from '../accounts/known-device.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { Session } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import { addCookies } from './dashboard-cookies.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type { OpenCall } from './dashboard-route.ts';
import { describeSession, type SessionOptions } from './dashboard-session.ts';
import { signInAsOneOf } from './dashboard-sign-in-by-address.ts';
import { toSignInProblem } from './dashboard-sign-in-problems.ts';

/** @throws Problem when the password is not right, or is not enough */
export type StartSession = (
  call: OpenCall<unknown>,
  logins: readonly string[],
  password: string,
) => Promise<Session>;

export interface StartSessionOptions extends SessionOptions {
  readonly signIn: Pick<SignIn, 'call'>;
  readonly devices: Pick<KnownDevices, 'remember'>;
  readonly origins: Pick<CsrfOrigins, 'isSecure'>;
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
    addCookies(context, [...answer.cookies, device], origins.isSecure(context));
    return describeSession(user, options);
  };
}
