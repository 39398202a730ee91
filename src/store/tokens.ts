/** Tokens of the management API in both databases: every change gets a new version of the directory, so that services find it. */
import type { ManageScope, ManageToken } from '../model/manage-token.ts';
import { insertVersioned, type SqlDatabase } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';
import type { TokenStore } from './token-store.ts';

type TokenRow = Readonly<Record<string, string | number | null>>;

const READ_CHANGED = 'SELECT * FROM manage_tokens WHERE version > $1 ORDER BY id';

export function createTokenStore(database: SqlDatabase): TokenStore {
  const { change } = database;
  const nextVersion = database.nextVersion('directory');
  const newVersion = database.newVersion('directory');
  const revoke = `UPDATE manage_tokens SET revoked_at = $2, version = ${newVersion}
    WHERE id = $1 AND revoked_at IS NULL RETURNING id`;
  return {
    async saveToken(token, ...audit) {
      const insert = insertVersioned('manage_tokens', toRow(token), newVersion, 'WHERE true RETURNING id');
      await change(audit, ...nextVersion, insert);
    },
    async revokeToken(id, at, ...audit) {
      await change(audit, ...nextVersion, { sql: revoke, values: [id, at] });
    },
  };
}

export async function tokensSince(
  { query }: Pick<SqlDatabase, 'query'>,
  version: number,
): Promise<ManageToken[]> {
  return (await query<TokenRow>(READ_CHANGED, [version])).map(toToken);
}

function toRow(token: ManageToken) {
  return {
    id: token.id,
    name: token.name,
    hash: token.hash,
    prefix: token.prefix,
    scopes: token.scopes.join(' '),
    account_id: token.accountId,
    created_by: encodeText(token.createdBy),
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    revoked_at: token.revokedAt,
  };
}

function toToken(row: TokenRow): ManageToken {
  return {
    id: row.id as string,
    name: row.name as string,
    hash: row.hash as string,
    prefix: row.prefix as string,
    scopes: (row.scopes as string).split(' ') as ManageScope[],
    accountId: row.account_id as string | null,
    createdBy: decodeText(row.created_by as string),
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    lastUsedAt: row.last_used_at as number | null,
    revokedAt: row.revoked_at as number | null,
  };
}
