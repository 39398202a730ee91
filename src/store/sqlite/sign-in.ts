/** Users, passwords and links in SQLite. Each statement of a job checks by itself that the link still works. */
import { createTurns } from '../../platform/turns.ts';
import { findLink, findUserId, insertLink } from '../sign-in-links.ts';
import {
  isMadeUpEmail,
  MADE_UP_DOMAIN,
  MAX_CLAIMS,
  type NewUser,
  type SessionStore,
  type SignInStore,
} from '../sign-in-store.ts';
import { isoTime, type SqlStatement, type SqlValue } from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { JobQueue } from '../sqlite-jobs.ts';
import { auditStatements, createSqlDatabase } from './sql-database.ts';

const NO_OPERATOR = 'NOT EXISTS (SELECT 1 FROM auth_users WHERE operator = 1)';
const LINK_WORKS = `EXISTS (SELECT 1 FROM auth_verifications WHERE id = ? AND expiresAt > ?
  AND (identifier = 'link-operator' OR (identifier = 'link-first' AND ${NO_OPERATOR})))`;
const RESET_WORKS = "id = ? AND expiresAt > ? AND identifier = 'link-reset'";
const INVITATION_WORKS = 'token_hash = ? AND expires_at > ? AND accepted_at IS NULL';
const IS_USER = 'EXISTS (SELECT 1 FROM auth_users WHERE id = ?)';

/** Whether an invitation may create this user: see docs/decisions/010. */
const MAY_CLAIM = `EXISTS (SELECT 1 FROM invitations i WHERE ${INVITATION_WORKS} AND i.email = ?
  AND NOT EXISTS (SELECT 1 FROM auth_users u WHERE coalesce(u.address, u.email) = i.email AND u.emailVerified = 1)
  AND (EXISTS (SELECT 1 FROM auth_users o WHERE o.email = i.invited_by AND o.operator = 1)
    OR ((SELECT count(*) FROM auth_users u WHERE coalesce(u.address, u.email) = i.email) < ${MAX_CLAIMS}
      AND NOT EXISTS (SELECT 1 FROM auth_users u WHERE coalesce(u.address, u.email) = i.email
        AND (u.home_account = i.account_id OR EXISTS (SELECT 1 FROM memberships m
          WHERE m.user_id = u.id AND m.account_id = i.account_id))))))`;
/** An operator's address is verified, so others who claim it get a placeholder instead. */
const YIELD_ADDRESS = `UPDATE auth_users SET address = email, email = id || '${MADE_UP_DOMAIN}'
  WHERE email = ? AND emailVerified = 0`;

const REMOVE_FIRST = "DELETE FROM auth_verifications WHERE identifier = 'link-first'";
const JOIN = `INSERT INTO memberships (user_id, account_id, role)
  SELECT ?, account_id, role FROM invitations WHERE ${INVITATION_WORKS} AND ${IS_USER}
  ON CONFLICT (user_id, account_id) DO NOTHING`;
const ACCEPT = `UPDATE invitations SET accepted_at = ? WHERE ${INVITATION_WORKS} AND ${IS_USER}`;

export function createSignInStore(
  reads: SqliteConnection,
  { submit }: JobQueue,
): Omit<SignInStore, keyof SessionStore> {
  const { query, change } = createSqlDatabase(reads, { submit });
  const readUser = reads.prepare('SELECT 1 FROM auth_users WHERE id = ?');
  const readInvitation = reads.prepare(`SELECT 1 FROM invitations WHERE ${INVITATION_WORKS}`);
  const isUser = (id: string) => readUser.get(id) !== undefined;
  // If two requests use the same link at once, the second finds it used.
  const inTurn = createTurns();

  const resetPassword: SignInStore['resetPassword'] = async (passwordHash, tokenHash, now, ...audit) => {
    const link = await findLink(query, tokenHash, now);
    if (link?.purpose !== 'reset') return false;
    const userId = link.userId as string;
    const statements = [...reset(userId, passwordHash, tokenHash, now), ...auditStatements(audit)];
    await submit({ statements });
    return true;
  };

  const joinAsUser: SignInStore['joinAsUser'] = async (userId, tokenHash, now, ...audit) => {
    if (readInvitation.get(tokenHash, now) === undefined || !isUser(userId)) return false;
    await submit({ statements: [...join(userId, tokenHash, now), ...auditStatements(audit)] });
    return true;
  };

  return {
    async saveLink(link, ...audit) {
      const remove = link.purpose === 'first' ? [{ sql: REMOVE_FIRST, values: [] }] : [];
      await change(audit, ...remove, insertLink(link));
    },
    findLink: (tokenHash, now) => findLink(query, tokenHash, now),
    async claimOperator(user, tokenHash, now, ...audit) {
      if (isMadeUpEmail(user.email)) return false;
      await submit({ statements: [...insertOperator(user, tokenHash, now), ...auditStatements(audit)] });
      return isUser(user.id);
    },
    resetPassword: (...values) => inTurn(() => resetPassword(...values)),

    async joinAsNewUser(user, tokenHash, now, ...audit) {
      if (isMadeUpEmail(user.email)) return false;
      const insert = insertUser(user, false, MAY_CLAIM, [tokenHash, now, user.email], now, tokenHash);
      await submit({ statements: [...insert, ...join(user.id, tokenHash, now), ...auditStatements(audit)] });
      return isUser(user.id);
    },
    joinAsUser: (...values) => inTurn(() => joinAsUser(...values)),
    findUserId: (email) => findUserId(query, email),
  };
}

/** Uses a link to set a new password, and ends everything that the old one opened. */
function reset(userId: string, passwordHash: string, tokenHash: string, now: number): SqlStatement[] {
  const works = `EXISTS (SELECT 1 FROM auth_verifications WHERE ${RESET_WORKS})`;
  const statement = (sql: string, ...values: SqlValue[]): SqlStatement => ({
    sql: `${sql} AND ${works}`,
    values: [...values, tokenHash, isoTime(now)],
  });
  return [
    // A person who signed in at an OpenID provider alone has none yet.
    statement(
      `INSERT INTO auth_credentials (id, accountId, providerId, userId, password, createdAt, updatedAt)
        SELECT ?, ?, 'credential', ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM auth_credentials WHERE userId = ?)`,
      `cred_${userId}`,
      userId,
      userId,
      passwordHash,
      isoTime(now),
      isoTime(now),
      userId,
    ),
    statement('UPDATE auth_credentials SET password = ? WHERE userId = ?', passwordHash, userId),
    statement('UPDATE auth_users SET twoFactorEnabled = 0 WHERE id = ?', userId),
    statement('DELETE FROM auth_two_factors WHERE userId = ?', userId),
    // Somebody else may have connected an account of a provider.
    statement('DELETE FROM oidc_identities WHERE user_id = ?', userId),
    statement('DELETE FROM auth_sessions WHERE userId = ?', userId),
    // Also sign-ins that wait for the second factor, and all links of the user, with the one just used.
    statement('DELETE FROM auth_verifications WHERE value = ?', userId),
  ];
}

/** Works only while the link works, and uses it up. */
function insertOperator(user: NewUser, tokenHash: string, now: number): SqlStatement[] {
  const works = [tokenHash, isoTime(now)];
  const free = `${LINK_WORKS} AND NOT EXISTS (SELECT 1 FROM auth_users WHERE email = ?)`;
  return [
    { sql: `${YIELD_ADDRESS} AND ${LINK_WORKS}`, values: [user.email, ...works] },
    ...insertUser(user, true, free, [...works, user.email], now),
    {
      sql: `DELETE FROM auth_verifications WHERE (id = ? OR identifier = 'link-first') AND ${IS_USER}`,
      values: [tokenHash, user.id],
    },
  ];
}

/** Inserts nothing unless `condition` is true. @param invitation hash of the invitation that creates the user */
function insertUser(
  { id, email, name, passwordHash }: NewUser,
  operator: boolean,
  condition: string,
  conditionValues: readonly SqlValue[],
  now: number,
  invitation: string | null = null,
): SqlStatement[] {
  const at = isoTime(now);
  const is = operator ? 1 : 0;
  return [
    {
      sql: `INSERT INTO auth_users (id, name, email, address, emailVerified, createdAt, updatedAt, twoFactorEnabled,
          operator, invited_by, home_account)
        SELECT ?, ?, CASE WHEN taken THEN ? ELSE ? END, CASE WHEN taken THEN ? END, ?, ?, ?, 0, ?,
          (SELECT invited_by FROM invitations WHERE token_hash = ?),
          (SELECT account_id FROM invitations WHERE token_hash = ?)
        FROM (SELECT EXISTS (SELECT 1 FROM auth_users WHERE email = ?) AS taken) WHERE ${condition}`,
      values: [
        id,
        name,
        id + MADE_UP_DOMAIN,
        email,
        email,
        is,
        at,
        at,
        is,
        invitation,
        invitation,
        email,
        ...conditionValues,
      ],
    },
    {
      sql: `INSERT INTO auth_credentials (id, accountId, providerId, userId, password, createdAt, updatedAt)
        SELECT ?, ?, 'credential', ?, ?, ?, ? WHERE ${IS_USER}`,
      values: [`cred_${id}`, id, id, passwordHash, at, at, id],
    },
  ];
}

function join(userId: string, tokenHash: string, now: number): SqlStatement[] {
  return [
    { sql: JOIN, values: [userId, tokenHash, now, userId] },
    { sql: ACCEPT, values: [now, tokenHash, now, userId] },
  ];
}
