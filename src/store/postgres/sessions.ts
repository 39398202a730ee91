/** Lists, updates and ends sessions of the dashboard in PostgreSQL. The sign-in library begins them. */
import type { SessionStore, StoredSession } from '../sign-in-store.ts';
import { encodeText } from '../text.ts';
import { changeAudited } from './audit.ts';
import type { Database } from './database.ts';

const READ_ALL = 'SELECT * FROM auth_sessions WHERE "userId" = $1 ORDER BY "updatedAt" DESC, id';
const TOUCH = `UPDATE auth_sessions SET "createdAt" = $2, "updatedAt" = $3, "ipAddress" = $4, "userAgent" = $5
  WHERE id = $1`;
const END = `DELETE FROM auth_sessions WHERE "userId" = $1 AND ($2::text IS NULL OR id = $2)
  AND ($3::text IS NULL OR id <> $3) RETURNING id`;
/** A lock after wrong codes lasts 15 minutes: one that ends later was made by a wrong clock. */
const LOCK_MS = 900_000;

interface SessionRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

export function createSessionStore(database: Pick<Database, 'query' | 'transaction'>): SessionStore {
  const { query } = database;
  return {
    async sessions(userId) {
      return (await query<SessionRow>(READ_ALL, [encodeText(userId)])).map(toSession);
    },
    async touchSession({ id, createdAt, seenAt, network, userAgent }) {
      await query(TOUCH, [id, iso(createdAt), iso(seenAt), network, encodeText(userAgent)]);
    },
    async endSessions({ userId, only = null, except = null }, ...audit) {
      const ids = [userId, only, except].map((id) => (id === null ? null : encodeText(id)));
      await changeAudited(database, audit, END, ids);
    },
    async tidySignIn({ createdAt, seenAt, now }) {
      await query('DELETE FROM auth_sessions WHERE "createdAt" < $1 OR "updatedAt" < $2', [
        iso(createdAt),
        iso(seenAt),
      ]);
      await query('DELETE FROM auth_verifications WHERE "expiresAt" < $1', [iso(now)]);
      await query('UPDATE auth_two_factors SET "lockedUntil" = NULL WHERE "lockedUntil" > $1', [
        iso(now + LOCK_MS),
      ]);
    },
  };
}

function toSession({ id, createdAt, updatedAt, ipAddress, userAgent }: SessionRow): StoredSession {
  return {
    id,
    createdAt: createdAt.getTime(),
    seenAt: updatedAt.getTime(),
    network: ipAddress ?? '',
    userAgent: userAgent ?? '',
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
