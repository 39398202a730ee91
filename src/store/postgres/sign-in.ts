/** Users, passwords and links in PostgreSQL. Each use of a link is one transaction, which locks the link. */
import type { Role } from '../../contract/dashboard-account.ts';
import { findLink, findUserId, insertLink } from '../sign-in-links.ts';
import {
  isMadeUpEmail,
  MADE_UP_DOMAIN,
  MAX_CLAIMS,
  type NewUser,
  type SessionStore,
  type SignInStore,
} from '../sign-in-store.ts';
import { isoTime } from '../sql-database.ts';
import { encodeText } from '../text.ts';
import type { Database, Query } from './database.ts';
import { appendAudit, createSqlDatabase, lockName } from './sql-database.ts';

const READ_INVITATION = `SELECT account_id, role, email, invited_by FROM invitations
  WHERE token_hash = $1 AND expires_at > $2 AND accepted_at IS NULL FOR UPDATE`;
const ACCEPT = 'UPDATE invitations SET accepted_at = $2 WHERE token_hash = $1';
const JOIN = `INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, $3)
  ON CONFLICT (user_id, account_id) DO NOTHING`;
const INSERT_USER = `INSERT INTO auth_users
    (id, name, email, address, "emailVerified", "createdAt", "updatedAt", "twoFactorEnabled", operator, invited_by, home_account)
  SELECT $1, $2, CASE WHEN taken THEN $1 || '${MADE_UP_DOMAIN}' ELSE $3::text END, CASE WHEN taken THEN $3::text END,
    $5, $4, $4, false, $5, $6, $7
  FROM (SELECT EXISTS (SELECT 1 FROM auth_users WHERE email = $3) AS taken) AS address
  ON CONFLICT DO NOTHING RETURNING id`;
/** Whether an invitation may create this user: see docs/decisions/010. */
const MAY_CLAIM = `SELECT 1 WHERE NOT EXISTS
    (SELECT 1 FROM auth_users WHERE coalesce(address, email) = $1 AND "emailVerified")
  AND (EXISTS (SELECT 1 FROM auth_users WHERE email = $2 AND operator)
    OR ((SELECT count(*) FROM auth_users WHERE coalesce(address, email) = $1) < ${MAX_CLAIMS}
      AND NOT EXISTS (SELECT 1 FROM auth_users u WHERE coalesce(u.address, u.email) = $1
        AND (u.home_account = $3 OR EXISTS (SELECT 1 FROM memberships m
          WHERE m.user_id = u.id AND m.account_id = $3)))))`;
/** An operator's address is verified, so others who claim it get a placeholder instead. */
const YIELD_ADDRESS = `UPDATE auth_users SET address = email, email = id || '${MADE_UP_DOMAIN}'
  WHERE email = $1 AND NOT "emailVerified"`;
const INSERT_CREDENTIAL = `INSERT INTO auth_credentials
    (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
  VALUES ($1, $2, 'credential', $2, $3, $4, $4)`;
const SET_PASSWORD = 'UPDATE auth_credentials SET password = $2 WHERE "userId" = $1 RETURNING id';
const IS_TAKEN = 'SELECT 1 FROM auth_users WHERE coalesce(address, email) = $1 AND "emailVerified"';
/** Key of the advisory lock for creating operators one after the other: a `first` link creates only the first. */
const OPERATORS = 7_126_010;

interface InvitationRow {
  readonly account_id: string;
  readonly role: Role;
  readonly email: string;
  readonly invited_by: string;
}

export function createSignInStore(database: Database): Omit<SignInStore, keyof SessionStore> {
  const { query, transaction } = database;
  const { change } = createSqlDatabase(database);
  return {
    async saveLink(link, ...audit) {
      await change(audit, insertLink(link));
    },
    findLink: (tokenHash, now) => findLink(query, tokenHash, now),
    claimOperator: (user, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        await run('SELECT pg_advisory_xact_lock($1)', [OPERATORS]);
        const link = await findLink(run, tokenHash, now);
        if (link === undefined || link.purpose === 'reset' || isMadeUpEmail(user.email)) return false;
        await lockName(run, user.email);
        if ((await run(IS_TAKEN, [encodeText(user.email)])).length > 0) return false;
        await run(YIELD_ADDRESS, [encodeText(user.email)]);
        if (!(await insertUser(run, user, now))) return false;
        await run("DELETE FROM auth_verifications WHERE id = $1 OR identifier = 'link-first'", [tokenHash]);
        await appendAudit(run, audit);
        return true;
      }),
    resetPassword: (passwordHash, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        const link = await findLink(run, tokenHash, now, 'FOR UPDATE');
        if (link?.purpose !== 'reset') return false;
        const userId = link.userId as string;
        // A sign-in at a provider that is decided now sees all of this, or nothing.
        await lockName(run, userId);
        // A session that is stored at this moment is either there already, or waits and is compared with the new password.
        await run('SELECT 1 FROM auth_users WHERE id = $1 FOR UPDATE', [userId]);
        const changed = await run(SET_PASSWORD, [userId, passwordHash]);
        // A person who signed in at an OpenID provider alone has none yet.
        if (changed.length === 0) await insertCredential(run, userId, passwordHash, now);
        await run('UPDATE auth_users SET "twoFactorEnabled" = false WHERE id = $1', [userId]);
        await run('DELETE FROM auth_two_factors WHERE "userId" = $1', [userId]);
        // Somebody else may have connected an account of a provider.
        await run('DELETE FROM oidc_identities WHERE user_id = $1', [userId]);
        await run('DELETE FROM auth_sessions WHERE "userId" = $1', [userId]);
        // Also sign-ins that wait for the second factor, and all links of the user, with the one just used.
        await run('DELETE FROM auth_verifications WHERE value = $1', [userId]);
        await appendAudit(run, audit);
        return true;
      }),
    joinAsNewUser: (user, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        const invitation = await holdInvitation(run, tokenHash, now);
        if (invitation === undefined || invitation.email !== encodeText(user.email)) return false;
        if (isMadeUpEmail(user.email)) return false;
        await lockName(run, user.email);
        const { invited_by: invitedBy, account_id: accountId } = invitation;
        const may = await run(MAY_CLAIM, [invitation.email, invitedBy, accountId]);
        if (may.length === 0 || !(await insertUser(run, user, now, invitation))) return false;
        await join(run, user.id, invitation, tokenHash, now);
        await appendAudit(run, audit);
        return true;
      }),
    joinAsUser: (userId, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        const invitation = await holdInvitation(run, tokenHash, now);
        const [user] = await run('SELECT 1 FROM auth_users WHERE id = $1 FOR KEY SHARE', [
          encodeText(userId),
        ]);
        if (invitation === undefined || user === undefined) return false;
        await join(run, userId, invitation, tokenHash, now);
        await appendAudit(run, audit);
        return true;
      }),
    findUserId: (email) => findUserId(query, email),
  };
}

/** Locks the invitation: others who use it wait until this transaction ends. */
async function holdInvitation(run: Query, tokenHash: string, now: number) {
  return (await run<InvitationRow>(READ_INVITATION, [encodeText(tokenHash), now]))[0];
}

/** Inserts a user; without an invitation, an operator. False, and nothing is inserted, if the id is taken. */
async function insertUser(
  run: Query,
  user: NewUser,
  now: number,
  invitation?: InvitationRow,
): Promise<boolean> {
  const { id, name, email, passwordHash } = user;
  const { invited_by: invitedBy = null, account_id: home = null } = invitation ?? {};
  const inserted = await run(INSERT_USER, [
    id,
    name,
    encodeText(email),
    isoTime(now),
    invitation === undefined,
    invitedBy,
    home,
  ]);
  if (inserted.length === 0) return false;
  await insertCredential(run, id, passwordHash, now);
  return true;
}

async function insertCredential(run: Query, userId: string, passwordHash: string, now: number) {
  await run(INSERT_CREDENTIAL, [`cred_${userId}`, userId, passwordHash, isoTime(now)]);
}

async function join(
  run: Query,
  userId: string,
  { account_id: accountId, role }: InvitationRow,
  tokenHash: string,
  now: number,
): Promise<void> {
  await run(JOIN, [userId, accountId, role]);
  await run(ACCEPT, [tokenHash, now]);
}
