/** Guards every route of the dashboard's API: our own pages only, signed in, in the role it needs. */
import { nameActor } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { Role } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import type { AuditStore, PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { Account } from '../store/store.ts';
import { createReadMessage } from './body.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type {
  AccountRoute,
  DashboardRoutes,
  OpenCall,
  OpenRoute,
  UserCall,
  UserRoute,
} from './dashboard-route.ts';
import type { RequestContext } from './request-context.ts';
import type { Routes } from './request-handler.ts';

export interface GuardOptions {
  readonly store: AuditStore;
  readonly access: Access;
  readonly findCurrentUser: FindCurrentUser;
  readonly origins: Pick<CsrfOrigins, 'check'>;
  readonly clock: () => number;
  readonly ready: () => Promise<boolean>;
}

const PREFIX = '/dashboard/api';
const ACCOUNT_PATH = '/accounts/:account';
const OK = 200;
const NO_CONTENT = 204;

/** A call whose body is not checked yet: a user without access must not learn what the route expects. */
type UnreadCall<Body> = Omit<OpenCall<Body>, 'body'> & { readBody(): Body };

export function createGuardedRoutes(routes: Routes, options: GuardOptions): DashboardRoutes {
  const { store, access, findCurrentUser, origins, clock, ready } = options;

  function add<Body>(
    { method, path, body }: Omit<OpenRoute<Body>, 'handle'>,
    serve: (call: UnreadCall<Body>) => unknown,
  ): void {
    const read = body === undefined ? () => undefined : createReadMessage(body);
    routes.add(method, PREFIX + path, async (context) => {
      context.header('Cache-Control', 'no-store');
      if (!(await ready())) throw new Problem('unavailable');
      origins.check(context);
      const { params, query } = context;
      const readBody = () => read(context.rawBody) as Body;
      answer(context, await serve({ context, params, query, now: clock(), readBody }));
    });
  }

  async function signedIn({ context }: Pick<OpenCall<unknown>, 'context'>): Promise<CurrentUser> {
    const current = await findCurrentUser(context);
    if (current === undefined) throw new Problem('signed_out');
    return current;
  }

  return {
    forAnybody<Body>(route: OpenRoute<Body>) {
      add<Body>(route, (call) => route.handle(read(call)));
    },
    forUser<Body>(route: UserRoute<Body>) {
      add<Body>(route, async (call) => {
        const current = await signedIn(call);
        if (route.operatorOnly === true && !current.user.operator) throw new Problem('forbidden');
        return route.handle(asUser(read(call), current, store, clock));
      });
    },
    forAccount<Body>(route: AccountRoute<Body>) {
      if (!route.path.startsWith(ACCOUNT_PATH)) throw new Error(`${route.path} names no account`);
      add<Body>(route, async (call) => {
        const current = await signedIn(call);
        const { account, role } = await access.enter(
          current.user,
          call.params.account as string,
          route.minRole,
        );
        const { audit, auditEntry, ...userCall } = asUser(read(call), current, store, clock);
        return route.handle({
          ...userCall,
          account,
          role,
          auditEntry: (...entry) => auditEntry(account.id, ...entry),
          audit: (...entry) => audit(account.id, ...entry),
        });
      });
    },
  };
}

function read<Body>({ readBody, ...call }: UnreadCall<Body>): OpenCall<Body> {
  return { ...call, body: readBody() };
}

function asUser<Body>(
  call: OpenCall<Body>,
  { user, sessionId }: CurrentUser,
  store: AuditStore,
  clock: () => number,
): UserCall<Body> {
  const auditEntry: UserCall<Body>['auditEntry'] = (accountId, action, target, detail) => ({
    at: clock(),
    by: nameActor(user, accountId),
    accountId,
    action,
    target,
    detail,
  });
  return { ...call, user, sessionId, auditEntry, audit: (...entry) => store.audit(auditEntry(...entry)) };
}

/** A handler that streams has answered by itself. */
function answer(context: RequestContext, result: unknown): void {
  if (context.response.headersSent) return;
  if (result === undefined) context.empty(NO_CONTENT);
  else context.json(OK, JSON.stringify(result));
}

/** Decides what a user may see of an account, and in which role. */
export interface Access {
  /**
   * Read for every call, so that a removed member loses access at once.
   * @throws Problem `not_found` where there is no account or the user is not a member; `forbidden` where the role is too low
   */
  enter(user: StoredUser, accountId: string, minRole: Role): Promise<{ account: Account; role: Role }>;
}

export interface AccessOptions {
  readonly store: Pick<PeopleStore, 'memberships'>;
  readonly directory: Pick<Directory, 'account'>;
}

export function createAccess({ store, directory }: AccessOptions): Access {
  async function roleIn(user: StoredUser, accountId: string): Promise<Role | undefined> {
    if (user.operator) return 'owner';
    return (await store.memberships({ userId: user.id, accountId }))[0]?.role;
  }

  return {
    async enter(user, accountId, minRole) {
      const role = await roleIn(user, accountId);
      const account = directory.account(accountId);
      if (role === undefined || account === undefined) throw new Problem('not_found');
      if (minRole === 'owner' && role !== 'owner') throw new Problem('forbidden');
      return { account, role };
    },
  };
}

export interface CurrentUser {
  readonly user: StoredUser;
  readonly sessionId: string;
}

/** The user of the request's session, read for every request; `undefined`: nobody is signed in. */
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
