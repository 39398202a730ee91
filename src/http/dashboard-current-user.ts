/** Tells which user a request of the dashboard comes from: by its session, asked for with every request. */
import type { SignIn } from '../accounts/sign-in.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { VisitorOf } from './dashboard-csrf.ts';
import type { RequestContext } from './request-context.ts';

export interface CurrentUser {
  readonly user: StoredUser;
  readonly sessionId: string;
}

/** `undefined`: nobody is signed in. */
export type FindCurrentUser = (context: RequestContext) => Promise<CurrentUser | undefined>;

export interface CurrentUserOptions {
  readonly store: Pick<PeopleStore, 'findUser'>;
  readonly signIn: Pick<SignIn, 'session'>;
  readonly visitorOf: VisitorOf;
}

export function createFindCurrentUser({ store, signIn, visitorOf }: CurrentUserOptions): FindCurrentUser {
  return async (context) => {
    const session = await signIn.session(visitorOf(context));
    const user = session === undefined ? undefined : await store.findUser(session.userId);
    return session === undefined || user === undefined ? undefined : { user, sessionId: session.sessionId };
  };
}
