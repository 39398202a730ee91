/** How people come in, in PostgreSQL: each use of a link is one transaction, which holds the link while it lasts. */
import type { Role } from '../../../contract/dashboard/account.ts';
import type { Link, LinkPurpose, NewUser, SessionStore, SignInStore } from '../../sign-in-store.ts';
import { encodeText } from '../../text.ts';
import type { Database, Query } from '../database.ts';
import { appendAudit, changeAudited } from './audit.ts';

const READ_LINK = `SELECT * FROM auth_verifications
  WHERE id = $1 AND "expiresAt" > $2 AND identifier LIKE 'link-%'`;
const SAVE_LINK = `INSERT INTO auth_verifications (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
  VALUES ($1, $2, $3, $4, $5, $5) RETURNING id`;
const READ_INVITATION = `SELECT account_id, role, email FROM invitations
  WHERE token_hash = $1 AND expires_at > $2 AND accepted_at IS NULL FOR UPDATE`;
const ACCEPT = 'UPDATE invitations SET accepted_at = $2 WHERE token_hash = $1';
const JOIN = `INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, $3)
  ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role`;
const INSERT_USER = `INSERT INTO auth_users
    (id, name, email, "emailVerified", "createdAt", "updatedAt", "twoFactorEnabled", operator)
  VALUES ($1, $2, $3, true, $4, $4, false, $5) ON CONFLICT DO NOTHING RETURNING id`;
const INSERT_CREDENTIAL = `INSERT INTO auth_credentials
    (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
  VALUES ($1, $2, 'credential', $2, $3, $4, $4)`;
/** Of the advisory lock that operators are made under, one after the other: the first link works for the first only. */
const OPERATORS = 7_126_010;

interface LinkRow {
  readonly id: string;
  readonly identifier: string;
  readonly value: string;
  readonly expiresAt: Date;
}

interface InvitationRow {
  readonly account_id: string;
  readonly role: Role;
  readonly email: string;
}

export function createSignInStore(database: Database): Omit<SignInStore, keyof SessionStore> {
  const { query, transaction } = database;
  return {
    async saveLink({ tokenHash, purpose, userId, expiresAt }, ...audit) {
      const values = [tokenHash, `link-${purpose}`, userId ?? '', iso(expiresAt), iso(Date.now())];
      await changeAudited(database, audit, SAVE_LINK, values);
    },
    findLink: (tokenHash, now) => findLink(query, tokenHash, now),
    claimOperator: (user, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        await run('SELECT pg_advisory_xact_lock($1)', [OPERATORS]);
        const link = await findLink(run, tokenHash, now);
        if (link === undefined || link.purpose === 'reset') return false;
        if (!(await insertUser(run, user, true, now))) return false;
        await run("DELETE FROM auth_verifications WHERE id = $1 OR identifier = 'link-first'", [tokenHash]);
        await appendAudit(run, audit);
        return true;
      }),
    resetPassword: (passwordHash, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        const link = await findLink(run, tokenHash, now, 'FOR UPDATE');
        if (link?.purpose !== 'reset') return false;
        const userId = link.userId as string;
        await run('UPDATE auth_credentials SET password = $2 WHERE "userId" = $1', [userId, passwordHash]);
        await run('UPDATE auth_users SET "twoFactorEnabled" = false WHERE id = $1', [userId]);
        await run('DELETE FROM auth_two_factors WHERE "userId" = $1', [userId]);
        await run('DELETE FROM auth_sessions WHERE "userId" = $1', [userId]);
        // Sign-ins half done go with the links, this one too.
        await run('DELETE FROM auth_verifications WHERE value = $1', [userId]);
        await appendAudit(run, audit);
        return true;
      }),
    joinAsNewUser: (user, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        const invitation = await holdInvitation(run, tokenHash, now);
        if (invitation === undefined || invitation.email !== encodeText(user.email)) return false;
        if (!(await insertUser(run, user, false, now))) return false;
        await join(run, user.id, invitation, tokenHash, now);
        await appendAudit(run, audit);
        return true;
      }),
    joinAsUser: (userId, tokenHash, now, ...audit) =>
      transaction(async (run) => {
        const invitation = await holdInvitation(run, tokenHash, now);
        const [user] = await run('SELECT 1 FROM auth_users WHERE id = $1', [encodeText(userId)]);
        if (invitation === undefined || user === undefined) return false;
        await join(run, userId, invitation, tokenHash, now);
        await appendAudit(run, audit);
        return true;
      }),
    async findUserId(email) {
      const sql = 'SELECT id FROM auth_users WHERE email = $1';
      return (await query<{ id: string }>(sql, [encodeText(email)]))[0]?.id;
    },
  };
}

async function findLink(run: Query, tokenHash: string, now: number, hold = ''): Promise<Link | undefined> {
  const [row] = await run<LinkRow>(`${READ_LINK} ${hold}`, [encodeText(tokenHash), iso(now)]);
  if (row === undefined) return undefined;
  const link = toLink(row);
  if (link.purpose !== 'first') return link;
  const operators = await run('SELECT 1 FROM auth_users WHERE operator LIMIT 1');
  return operators.length > 0 ? undefined : link;
}

/** Others who bring the same invitation wait until this transaction is over. */
async function holdInvitation(run: Query, tokenHash: string, now: number) {
  return (await run<InvitationRow>(READ_INVITATION, [encodeText(tokenHash), now]))[0];
}

/** False, and nothing is inserted, when the email is taken. */
async function insertUser(run: Query, user: NewUser, operator: boolean, now: number): Promise<boolean> {
  const { id, name, email, passwordHash } = user;
  const inserted = await run(INSERT_USER, [id, name, email, iso(now), operator]);
  if (inserted.length === 0) return false;
  await run(INSERT_CREDENTIAL, [`cred_${id}`, id, passwordHash, iso(now)]);
  return true;
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

function toLink({ id, identifier, value, expiresAt }: LinkRow): Link {
  return {
    tokenHash: id,
    purpose: identifier.slice('link-'.length) as LinkPurpose,
    userId: value === '' ? null : value,
    expiresAt: expiresAt.getTime(),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
