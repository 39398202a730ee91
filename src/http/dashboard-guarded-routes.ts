/** Guards every route of the dashboard's API: our own pages only, signed in, in the role it asks for. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { nameActor } from '../accounts/name-user.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import { Problem } from '../contract/problem.ts';
import type { AuditEntry, AuditStore, PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import { createReadMessage } from './body.ts';
import type { Access } from './dashboard-access.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type {
  AccountRoute,
  DashboardRoutes,
  OpenCall,
  OpenRoute,
  UserCall,
  UserRoute,
} from './dashboard-route.ts';

export interface GuardOptions {
  readonly store: PeopleStore & AuditStore;
  readonly access: Access;
  readonly signIn: Pick<SignIn, 'session'>;
  readonly origins: Pick<CsrfOrigins, 'check'>;
  readonly visitorOf: VisitorOf;
  readonly clock: () => number;
  readonly ready: () => Promise<boolean>;
}

const PREFIX = '/dashboard/api';
const ACCOUNT_PATH = '/accounts/:account';

export function createGuardedRoutes(app: FastifyInstance, options: GuardOptions): DashboardRoutes {
  const { store, access, clock } = options;

  function asUser<Body>(call: OpenCall<Body>, user: StoredUser, sessionId: string): UserCall<Body> {
    const auditEntry = (
      accountId: string | null,
      action: string,
      target: string,
      detail: string,
    ): AuditEntry => ({ at: clock(), by: nameActor(user, accountId), accountId, action, target, detail });
    return { ...call, user, sessionId, auditEntry, audit: (...given) => store.audit(auditEntry(...given)) };
  }

  /** The body is looked at last: who may not call a route learns nothing of what it takes. */
  function add<Body>(route: Omit<OpenRoute<Body>, 'handle'>, serve: Serve<Body>): void {
    const read = route.body === undefined ? () => undefined : createReadMessage(route.body);
    app.route({
      method: route.method,
      url: PREFIX + route.path,
      async handler(request, reply) {
        reply.header('Cache-Control', 'no-store');
        if (!(await options.ready())) throw new Problem('unavailable');
        options.origins.check(request);
        const result = await serve({
          request,
          reply,
          params: request.params as Record<string, string>,
          query: lastOfEach(request.query as Record<string, string | string[]>),
          now: clock(),
          body: () => read((request.body as Buffer | undefined) ?? Buffer.alloc(0)) as Body,
        });
        return answer(reply, result);
      },
    });
  }

  async function signedIn({
    request,
  }: Pick<OpenCall<unknown>, 'request'>): Promise<{ user: StoredUser; sessionId: string }> {
    const session = await options.signIn.session(options.visitorOf(request));
    const user = session === undefined ? undefined : await store.findUser(session.userId);
    if (session === undefined || user === undefined) throw new Problem('signed_out');
    return { user, sessionId: session.sessionId };
  }

  return {
    forAnybody<Body>(route: OpenRoute<Body>) {
      add<Body>(route, (unread) => route.handle({ ...unread, body: unread.body() }));
    },
    forUser<Body>(route: UserRoute<Body>) {
      add<Body>(route, async (unread) => {
        const { user, sessionId } = await signedIn(unread);
        if (route.operatorOnly === true && !user.operator) throw new Problem('forbidden');
        return route.handle(asUser({ ...unread, body: unread.body() }, user, sessionId));
      });
    },
    forAccount<Body>(route: AccountRoute<Body>) {
      if (!route.path.startsWith(ACCOUNT_PATH)) throw new Error(`${route.path} names no account`);
      add<Body>(route, async (unread) => {
        const { user, sessionId } = await signedIn(unread);
        const { account, role } = await access.enter(user, unread.params.account as string, route.least);
        const { audit, auditEntry, ...call } = asUser({ ...unread, body: unread.body() }, user, sessionId);
        return route.handle({
          ...call,
          account,
          role,
          auditEntry: (...given) => auditEntry(account.id, ...given),
          audit: (...given) => audit(account.id, ...given),
        });
      });
    },
  };
}

type Serve<Body> = (unread: Omit<OpenCall<Body>, 'body'> & { body(): Body }) => unknown;

function answer(reply: FastifyReply, result: unknown): FastifyReply {
  if (result === reply) return reply;
  if (result === undefined) return reply.code(204).send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result));
}

function lastOfEach(query: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, [value].flat().at(-1) as string]),
  );
}
