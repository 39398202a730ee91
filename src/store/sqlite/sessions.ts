/** Lists, updates and ends sessions of the dashboard in SQLite. The sign-in library begins them. */
import type { SessionStore, StoredSession } from '../sign-in-store.ts';
import { encodeText } from '../text.ts';
import { auditStatements } from './audit.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { UnstoredSignIns } from './unstored-sign-ins.ts';

const TOUCH =
  'UPDATE auth_sessions SET createdAt = ?, updatedAt = ?, ipAddress = ?, userAgent = ? WHERE id = ?';
/** Values: the user; `only`, null for every session; `except`, null for no exception. */
export const END_SESSIONS =
  'DELETE FROM auth_sessions WHERE userId = ? AND id = coalesce(?, id) AND id IS NOT ?';
/** A lock after wrong codes lasts 15 minutes: one that ends later was made by a wrong clock. */
const LOCK_MS = 900_000;

/** @param unstored sessions that could not be stored yet; they can be ended too */
export function createSessionStore(
  reads: SqliteConnection,
  { submit }: Pick<SqliteCommitter, 'submit'>,
  unstored: Pick<UnstoredSignIns, 'whileEnding'>,
): SessionStore {
  const readAll = reads.prepare('SELECT * FROM auth_sessions WHERE userId = ? ORDER BY updatedAt DESC, id');
  return {
    async sessions(userId) {
      return (readAll.all(userId) as Record<string, string | null>[]).map(toSession);
    },
    async touchSession({ id, createdAt, seenAt, network, userAgent }) {
      const values = [iso(createdAt), iso(seenAt), network, encodeText(userAgent), id];
      await submit({ statements: [{ sql: TOUCH, values }] });
    },
    async endSessions({ userId, only = null, except = null }, ...audit) {
      const statements = [{ sql: END_SESSIONS, values: [userId, only, except] }, ...auditStatements(audit)];
      await unstored.whileEnding({ userId, only, except }, () => submit({ statements }));
    },
    async tidySignIn({ createdAt, seenAt, now }) {
      const statements = [
        {
          sql: 'DELETE FROM auth_sessions WHERE createdAt < ? OR updatedAt < ?',
          values: [iso(createdAt), iso(seenAt)],
        },
        { sql: 'DELETE FROM auth_verifications WHERE expiresAt < ?', values: [iso(now)] },
        {
          sql: 'UPDATE auth_two_factors SET lockedUntil = NULL WHERE lockedUntil > ?',
          values: [iso(now + LOCK_MS)],
        },
      ];
      await submit({ statements });
    },
  };
}

function toSession(row: Record<string, string | null>): StoredSession {
  return {
    id: row.id as string,
    createdAt: Date.parse(row.createdAt as string),
    seenAt: Date.parse(row.updatedAt as string),
    network: row.ipAddress ?? '',
    userAgent: row.userAgent ?? '',
  };
}

/** As the sign-in library writes its dates. */
function iso(at: number): string {
  return new Date(at).toISOString();
}
