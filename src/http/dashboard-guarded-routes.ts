/** Guards every route of the dashboard's API: our own pages only, signed in, in the role it needs. */
import { nameActor } from '../accounts/name-user.ts';
import { Problem } from '../contract/problem.ts';
import type { AuditStore } from '../store/dashboard-store.ts';
import { createReadMessage } from './body.ts';
import type { Access } from './dashboard-access.ts';
import type { CsrfOrigins } from './dashboard-csrf.ts';
import type { CurrentUser, FindCurrentUser } from './dashboard-current-user.ts';
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
