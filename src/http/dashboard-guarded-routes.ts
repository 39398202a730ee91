/** Guards every route of the dashboard's API: our own pages only, signed in, in the role it needs. */
import { nameActor } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import { Problem } from '../contract/problem.ts';
import { isAtLeast, type Role } from '../model/role.ts';
import type { AuditEntry, AuditStore } from '../store/audit-store.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { Account } from '../store/store.ts';
import { createReadLazily } from './core/body.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Routes } from './core/request-handler.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type { AccountRoute, DashboardRoutes, OpenCall, OpenRoute, UserRoute } from './dashboard-route.ts';

export interface GuardOptions {
  readonly store: AuditStore;
  readonly enterAccount: EnterAccount;
  readonly isMember: IsMember;
  readonly findCurrentUser: FindCurrentUser;
  readonly origins: Pick<CsrfOrigins, 'check'>;
  readonly clock: () => number;
}

const PREFIX = '/dashboard/api';
const ACCOUNT_PATH = '/accounts/:account';
const OK = 200;
const NO_CONTENT = 204;

export function createGuardedRoutes(routes: Routes, options: GuardOptions): DashboardRoutes {
  const { store, enterAccount, isMember, findCurrentUser, origins, clock } = options;

  /** `admit` comes before the body is checked: a user without access must not learn what the route expects. */
  function add<Body, Admitted>(
    { method, path, body }: Omit<OpenRoute<Body>, 'handle'>,
    admit: (context: RequestContext) => Promise<Admitted>,
    handle: (call: OpenCall<Body> & Admitted) => unknown,
  ): void {
    const read = body === undefined ? () => undefined : createReadLazily(body);
    const guarded = async (context: RequestContext) => {
      origins.check(context);
      const { params, query, rawBody } = context;
      const now = clock();
      const admitted = await admit(context);
      answer(
        context,
        await handle({ context, params, query, now, ...admitted, body: read(rawBody) as Body }),
      );
    };
    routes.add(method, PREFIX + path, guarded, body);
  }

  async function admitUser(context: RequestContext) {
    const current = await findCurrentUser(context);
    if (current === undefined) throw new Problem('signed_out');
    const auditEntry = (accountId: string | null, action: string, target: string, detail: string) =>
      auditEntryOf(current.user, { at: clock(), accountId, action, target, detail });
    const audit = (...entry: Parameters<typeof auditEntry>) => store.audit(auditEntry(...entry));
    return { ...current, auditEntry, audit };
  }

  return {
    forAnybody<Body>(route: OpenRoute<Body>) {
      add<Body, object>(route, async () => ({}), route.handle);
    },
    forUser<Body>(route: UserRoute<Body>) {
      add(route, admitUser, route.handle);
    },
    forMember<Body>(route: UserRoute<Body>) {
      const admit = async (context: RequestContext) => {
        const admitted = await admitUser(context);
        if (!(await isMember(admitted.user))) throw new Problem('forbidden');
        return admitted;
      };
      add(route, admit, route.handle);
    },
    forOperator<Body>(route: UserRoute<Body>) {
      const admit = async (context: RequestContext) => {
        const admitted = await admitUser(context);
        if (!admitted.user.operator) throw new Problem('forbidden');
        return admitted;
      };
      add(route, admit, route.handle);
    },
    forAccount<Body>(route: AccountRoute<Body>) {
      if (!route.path.startsWith(ACCOUNT_PATH)) throw new Error(`${route.path} names no account`);
      const admit = async (context: RequestContext) => {
        const { user, sessionId, ...ofUser } = await admitUser(context);
        const accountId = context.params.account as string;
        const { account, role } = await enterAccount(user, accountId, route.minRole);
        const auditEntry = ofUser.auditEntry.bind(undefined, accountId);
        const audit = ofUser.audit.bind(undefined, accountId);
        return { user, sessionId, account, role, auditEntry, audit };
      };
      add(route, admit, route.handle);
    },
  };
}

/** A handler that streams has answered by itself. */
function answer(context: RequestContext, result: unknown): void {
  if (context.response.headersSent) return;
  if (result === undefined) context.empty(NO_CONTENT);
  else context.json(OK, JSON.stringify(result));
}

/** An entry of the audit log about what a user did. */
export function auditEntryOf(
  user: Parameters<typeof nameActor>[0],
  entry: Omit<AuditEntry, 'by'>,
): AuditEntry {
  return { ...entry, by: nameActor(user, entry.accountId) };
}

/**
 * Decides in which role a user may see an account. Read for every call, so that a removed member loses access at once.
 * @throws Problem `not_found` where there is no account or the user is not a member; `forbidden` where the role is too low
 */
export type EnterAccount = (
  user: StoredUser,
  accountId: string,
  minRole: Role,
) => Promise<{ account: Account; role: Role }>;

export function createEnterAccount(
  store: Pick<PeopleStore, 'memberships'>,
  directory: Pick<Directory, 'account'>,
): EnterAccount {
  async function roleIn(user: StoredUser, accountId: string): Promise<Role | undefined> {
    if (user.operator) return 'owner';
    return (await store.memberships({ userId: user.id, accountId }))[0]?.role;
  }

  return async (user, accountId, minRole) => {
    const role = await roleIn(user, accountId);
    const account = directory.account(accountId);
    if (role === undefined || account === undefined) throw new Problem('not_found');
    if (!isAtLeast(role, minRole)) throw new Problem('forbidden');
    return { account, role };
  };
}

/** Whether a user belongs to the installation: a removed member may still sign in, to leave or to accept an invitation. */
export type IsMember = (user: StoredUser) => Promise<boolean>;

export function createIsMember(
  store: Pick<PeopleStore, 'memberships'>,
  directory: Pick<Directory, 'account'>,
): IsMember {
  return async ({ id: userId, operator }) =>
    operator ||
    (await store.memberships({ userId })).some(({ accountId }) => directory.account(accountId) !== undefined);
}

export interface CurrentUser {
  readonly user: StoredUser;
  readonly sessionId: string;
}

/** The user of the request's session, read for every request; `undefined`: nobody is signed in. */
export type FindCurrentUser = (context: RequestContext) => Promise<CurrentUser | undefined>;

export function createFindCurrentUser(
  store: Pick<PeopleStore, 'findUser'>,
  signIn: Pick<SignIn, 'session'>,
  visitorOf: VisitorOf,
): FindCurrentUser {
  return async (context) => {
    const session = await signIn.session(visitorOf(context));
    const user = session && (await store.findUser(session.userId));
    return user && { user, sessionId: session.sessionId };
  };
}
