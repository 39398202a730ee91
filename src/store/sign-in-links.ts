/** The links that let people sign in or set a password, as both databases store them. */
import type { Link, LinkPurpose } from './sign-in-store.ts';
import { isoTime, type SqlDatabase, type SqlStatement } from './sql-database.ts';
import { encodeText } from './text.ts';

const READ = `SELECT * FROM auth_verifications WHERE id = $1 AND "expiresAt" > $2 AND identifier LIKE 'link-%'`;
const SAVE = `INSERT INTO auth_verifications (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
  VALUES ($1, $2, $3, $4, $5, $5) RETURNING id`;

interface LinkRow {
  readonly id: string;
  readonly identifier: string;
  readonly value: string;
  readonly expiresAt: Date | string;
}

/** Finds a link, see `SignInStore.findLink`. @param lock what PostgreSQL adds to the statement to lock the link */
export async function findLink(
  query: SqlDatabase['query'],
  tokenHash: string,
  now: number,
  lock = '',
): Promise<Link | undefined> {
  const [row] = await query<LinkRow>(`${READ} ${lock}`, [encodeText(tokenHash), isoTime(now)]);
  if (row === undefined) return undefined;
  const link = toLink(row);
  if (link.purpose !== 'first') return link;
  const operators = await query('SELECT 1 FROM auth_users WHERE operator LIMIT 1');
  return operators.length > 0 ? undefined : link;
}

export function insertLink({ tokenHash, purpose, userId, expiresAt }: Link): SqlStatement {
  const values = [tokenHash, `link-${purpose}`, userId ?? '', isoTime(expiresAt), isoTime(Date.now())];
  return { sql: SAVE, values };
}

/** The user who signs in with this email, in lower case. */
export async function findUserId(query: SqlDatabase['query'], email: string): Promise<string | undefined> {
  const sql = 'SELECT id FROM auth_users WHERE email = $1';
  return (await query<{ id: string }>(sql, [encodeText(email)]))[0]?.id;
}

function toLink({ id, identifier, value, expiresAt }: LinkRow): Link {
  return {
    tokenHash: id,
    purpose: identifier.slice('link-'.length) as LinkPurpose,
    userId: value === '' ? null : value,
    expiresAt: new Date(expiresAt).getTime(),
  };
}
