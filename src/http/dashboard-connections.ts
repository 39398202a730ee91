/** …/connections: admin APIs of providers, at which accounts of people who got in can be held. */
import type {
  ConnectionChangesBody,
  ConnectionCheck,
  ConnectionRow,
  ConnectionsPage,
  NewConnectionBody,
} from '../contract/dashboard-take-back.ts';
import { Problem } from '../contract/problem.ts';
import { PROVIDER_KINDS } from '../model/account-provider.ts';
import type { ProviderConnection } from '../model/take-back.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { ProviderConnectionStore } from '../store/take-back-store.ts';
import {
  type ConnectionAdmin,
  type ConnectionEdit,
  InvalidConnection,
} from '../takeback/connection-admin.ts';
import { toInstant } from './dashboard-history.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, FLAG, lineOf, unusable } from './dashboard-values.ts';
import { connectionFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface ConnectionRoutesOptions {
  readonly store: Pick<ProviderConnectionStore, 'connections'> & Pick<AuditStore, 'auditEntries'>;
  readonly connections: ConnectionAdmin;
}

const PATH = '/accounts/:account/connections';
const ONE = `${PATH}/:connection`;
const MAX_NAME = 100;
const LONG_TEXT = { type: 'string', maxLength: 4_000 };
const OPTIONAL_TEXT = { anyOf: [{ type: 'string', maxLength: 300 }, { type: 'null' }] };
const DEFAULT_PER_SECOND = 10;
const CHANGES = {
  name: LONG_TEXT,
  url: LONG_TEXT,
  secret: LONG_TEXT,
  client_id: OPTIONAL_TEXT,
  realm: OPTIONAL_TEXT,
  per_second: { type: 'integer', minimum: 1, maximum: 100 },
  session_is_user: FLAG,
};

export function connectionRoutes(routes: DashboardRoutes, options: ConnectionRoutesOptions): void {
  const { store, connections: admin } = options;

  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'analyst',
    async handle({ account }): Promise<ConnectionsPage> {
      return { connections: (await store.connections(account.id)).map(show) };
    },
  });

  routes.forAccount<NewConnectionBody>({
    method: 'POST',
    path: PATH,
    minRole: 'owner',
    body: bodyOf({ kind: { enum: PROVIDER_KINDS }, ...CHANGES }, ['kind', 'name', 'url', 'secret']),
    async handle({ account, body, now, auditEntry }): Promise<ConnectionRow> {
      const wanted = {
        ...DEFAULTS,
        ...readEdit(body),
        accountId: account.id,
        kind: body.kind,
        name: lineOf('name', body.name, MAX_NAME),
        url: body.url,
        secret: body.secret,
      };
      return show(await admin.create(wanted, now, auditEntry).catch(throwConnectionProblem));
    },
  });

  routes.forAccount<ConnectionChangesBody>({
    method: 'PATCH',
    path: ONE,
    minRole: 'owner',
    body: bodyOf(CHANGES, []),
    async handle(call): Promise<ConnectionRow> {
      const connection = await findCurrent(store, call);
      const changed = admin.change(connection, readEdit(call.body), call.auditEntry);
      return show(await changed.catch(throwConnectionProblem));
    },
  });

  routes.forAccount({
    method: 'DELETE',
    path: ONE,
    minRole: 'owner',
    async handle(call): Promise<void> {
      const connection = await findCurrent(store, call);
      if (await admin.remove(connection, call.auditEntry)) return;
      throw new Problem('conflict', undefined, {
        message: 'Accounts are being held or released at this provider.',
        resolution: 'Wait until the job has ended, or cancel it on the page Take back.',
      });
    },
  });

  routes.forAccount({
    method: 'POST',
    path: `${ONE}/check`,
    minRole: 'owner',
    async handle(call): Promise<ConnectionCheck> {
      return {
        problem: await admin.check(await findConnection(store, call.account.id, call.params.connection)),
      };
    },
  });
}

const DEFAULTS = { clientId: null, realm: null, perSecond: DEFAULT_PER_SECOND, isSessionUser: false };

/** @throws Problem `not_found` */
export async function findConnection(
  store: Pick<ProviderConnectionStore, 'connections'>,
  accountId: string,
  id: string | undefined,
): Promise<ProviderConnection> {
  const found = (await store.connections(accountId)).find((each) => each.id === id);
  if (found !== undefined) return found;
  throw new Problem('not_found', undefined, {
    message: 'This account has no connection with this id.',
    resolution: 'Load the page again: somebody may have removed it.',
  });
}

/** @throws Problem where somebody else changed it since the caller has read it */
async function findCurrent(
  store: ConnectionRoutesOptions['store'],
  { account, params, query }: Pick<AccountCall<unknown>, 'account' | 'params' | 'query'>,
): Promise<ProviderConnection> {
  const connection = await findConnection(store, account.id, params.connection);
  await requireVersion(query.version, connectionFacts(connection), { store, accountId: account.id });
  return connection;
}

/** @throws Problem `invalid_value` instead of InvalidConnection */
function throwConnectionProblem(error: Error): never {
  if (!(error instanceof InvalidConnection)) throw error;
  const message = `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`;
  throw unusable(error.param, message, 'Change this value and send it again.');
}

function readEdit(body: ConnectionChangesBody): Partial<ConnectionEdit> {
  const edit = {
    name: body.name === undefined ? undefined : lineOf('name', body.name, MAX_NAME),
    url: body.url,
    secret: body.secret,
    clientId: trimmed(body.client_id),
    realm: trimmed(body.realm),
    perSecond: body.per_second,
    isSessionUser: body.session_is_user,
  };
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
}

function trimmed(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? text.trim() : text;
}

function show(connection: ProviderConnection): ConnectionRow {
  return {
    id: connection.id,
    kind: connection.kind,
    name: connection.name,
    url: connection.url,
    client_id: connection.clientId,
    realm: connection.realm,
    per_second: connection.perSecond,
    session_is_user: connection.isSessionUser,
    created_at: toInstant(connection.createdAt),
    version: versionOf(connectionFacts(connection)),
  };
}
