/** Lists, updates and ends sessions of the dashboard in both databases, and changes a password. The sign-in library begins the sessions. */
import type { SessionStore, StoredSession } from './sign-in-store.ts';
import { isoTime, type SqlDatabase } from './sql-database.ts';
import { encodeText } from './text.ts';

const READ_ALL = 'SELECT * FROM auth_sessions WHERE "userId" = $1 ORDER BY "updatedAt" DESC, id';
const TOUCH = `UPDATE auth_sessions SET "createdAt" = $2, "updatedAt" = $3, "ipAddress" = $4, "userAgent" = $5
  WHERE id = $1 RETURNING id`;
const END = `DELETE FROM auth_sessions WHERE "userId" = $1 AND id = coalesce($2, id) AND id IS DISTINCT FROM $3
  RETURNING id`;
/** A hash has a salt, so it belongs to one user. */
const REPLACE_PASSWORD =
  'UPDATE auth_credentials SET password = $2, "updatedAt" = $3 WHERE password = $1 RETURNING id';
const REMOVE_OLD_SESSIONS =
  'DELETE FROM auth_sessions WHERE "createdAt" < $1 OR "updatedAt" < $2 RETURNING id';
const REMOVE_OLD_CODES = 'DELETE FROM auth_verifications WHERE "expiresAt" < $1 RETURNING id';
const END_LOCKS = 'UPDATE auth_two_factors SET "lockedUntil" = NULL WHERE "lockedUntil" > $1 RETURNING id';
/** A lock after wrong codes lasts 15 minutes: one that ends later was made by a wrong clock. */
const LOCK_MS = 900_000;

interface SessionRow {
  readonly id: string;
  readonly createdAt: string | Date;
  readonly updatedAt: string | Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

export function createSessionStore({ query, change }: Pick<SqlDatabase, 'query' | 'change'>): SessionStore {
  return {
    async sessions(userId) {
      return (await query<SessionRow>(READ_ALL, [encodeText(userId)])).map(toSession);
    },
    async touchSession({ id, createdAt, seenAt, network, userAgent }) {
      const values = [id, isoTime(createdAt), isoTime(seenAt), network, encodeText(userAgent)];
      await change([], { sql: TOUCH, values });
    },
    async endSessions({ userId, only = null, except = null }, ...audit) {
      const values = [userId, only, except].map((id) => (id === null ? null : encodeText(id)));
      await change(audit, { sql: END, values });
    },
    async replacePassword(hash, newHash, now) {
      const values = [hash, newHash, isoTime(now)];
      return (await change([], { sql: REPLACE_PASSWORD, values })).length > 0;
    },
    async tidySignIn({ createdAt, seenAt, now }) {
      await change([], { sql: REMOVE_OLD_SESSIONS, values: [isoTime(createdAt), isoTime(seenAt)] });
      await change([], { sql: REMOVE_OLD_CODES, values: [isoTime(now)] });
      await change([], { sql: END_LOCKS, values: [isoTime(now + LOCK_MS)] });
    },
  };
}

function toSession({ id, createdAt, updatedAt, ipAddress, userAgent }: SessionRow): StoredSession {
  return {
    id,
    createdAt: new Date(createdAt).getTime(),
    seenAt: new Date(updatedAt).getTime(),
    network: ipAddress ?? '',
    userAgent: userAgent ?? '',
  };
}
