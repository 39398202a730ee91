/** Connections to the admin APIs of providers, in both databases. */
import type { ProviderKind } from '../model/account-provider.ts';
import type { ProviderConnection } from '../model/take-back.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';
import type { ConnectionChanges, ProviderConnectionStore } from './take-back-store.ts';
import { decodeText, encodeText } from './text.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

const REMOVE = `DELETE FROM provider_connections WHERE account_id = $1 AND id = $2
  AND NOT EXISTS (SELECT 1 FROM takeback_jobs AS j WHERE j.connection_id = provider_connections.id AND j.state = 'running')
  RETURNING id`;

export function createProviderConnectionStore({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): ProviderConnectionStore {
  return {
    async saveConnection(connection, ...audit) {
      await change(audit, insert(connection));
    },
    async changeConnection(accountId, id, changes, ...audit) {
      const [row] = await change<Row>(audit, update(accountId, id, changes));
      return row && toConnection(row);
    },
    async removeConnection(accountId, id, ...audit) {
      return (await change(audit, { sql: REMOVE, values: [accountId, encodeText(id)] })).length > 0;
    },
    async connections(accountId) {
      const sql = 'SELECT * FROM provider_connections WHERE account_id = $1 ORDER BY id';
      return (await query<Row>(sql, [accountId])).map(toConnection);
    },
  };
}

function toConnection(row: Row): ProviderConnection {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    kind: row.kind as ProviderKind,
    name: decodeText(row.name as string),
    url: decodeText(row.url as string),
    clientId: decodeOrNull(row.client_id),
    realm: decodeOrNull(row.realm),
    secret: row.secret as string,
    perSecond: row.per_second as number,
    isSessionUser: Boolean(row.session_is_user),
    createdAt: row.created_at as number,
  };
}

function decodeOrNull(text: Row[string] | undefined): string | null {
  return typeof text === 'string' ? decodeText(text) : null;
}

function insert(connection: ProviderConnection): SqlStatement {
  const { id, accountId, kind, createdAt } = connection;
  const row: [string, SqlValue][] = [
    ['id', id],
    ['account_id', accountId],
    ['kind', kind],
    ['created_at', createdAt],
    ...columnsOf(connection),
  ];
  const places = row.map((_, at) => `$${at + 1}`);
  return {
    sql: `INSERT INTO provider_connections (${row.map(([name]) => name).join(', ')})
      VALUES (${places.join(', ')}) RETURNING id`,
    values: row.map(([, value]) => value),
  };
}

function update(accountId: string, id: string, changes: ConnectionChanges): SqlStatement {
  const columns = columnsOf(changes);
  const sets = columns.map(([name], at) => `${name} = $${at + 3}`);
  return {
    sql: `UPDATE provider_connections SET ${['id = id', ...sets].join(', ')} WHERE account_id = $1 AND id = $2 RETURNING *`,
    values: [accountId, encodeText(id), ...columns.map(([, value]) => value)],
  };
}

function columnsOf(changes: ConnectionChanges): [string, SqlValue][] {
  const { name, url, clientId, realm, secret, perSecond, isSessionUser } = changes;
  const columns: [string, SqlValue | undefined][] = [
    ['name', name && encodeText(name)],
    ['url', url && encodeText(url)],
    ['client_id', clientId && encodeText(clientId)],
    ['realm', realm && encodeText(realm)],
    ['secret', secret],
    ['per_second', perSecond],
    ['session_is_user', isSessionUser === undefined ? undefined : Number(isSessionUser)],
  ];
  return columns.filter((column): column is [string, SqlValue] => column[1] !== undefined);
}
