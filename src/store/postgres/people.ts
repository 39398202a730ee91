/** Who may look at which account, in PostgreSQL; the users themselves are written by sign-in. */
import type { Role } from '../../contract/dashboard-account.ts';
import type { Invitation, Membership, PeopleStore, StoredUser } from '../dashboard-store.ts';
import { MADE_UP_DOMAIN } from '../sign-in-store.ts';
import { decodeText, encodeText } from '../text.ts';
import { appendAudit, changeAudited } from './audit.ts';
import type { Database } from './database.ts';
import { holdAddress } from './hold-address.ts';

const SAVE_MEMBERSHIP = `INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, $3)
  ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role RETURNING user_id`;
const REMOVE_MEMBERSHIP = 'DELETE FROM memberships WHERE user_id = $1 AND account_id = $2 RETURNING user_id';
// An absent member asks nothing.
const READ_MEMBERSHIPS = `SELECT * FROM memberships WHERE ($1::text IS NULL OR user_id = $1)
  AND ($2::text IS NULL OR account_id = $2) ORDER BY user_id, account_id`;
const SAVE_INVITATION = `INSERT INTO invitations AS i
    (id, token_hash, email, account_id, role, invited_by, expires_at, accepted_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash, email = excluded.email, role = excluded.role,
    expires_at = excluded.expires_at, accepted_at = coalesce(i.accepted_at, excluded.accepted_at) RETURNING id`;
const REMOVE_INVITATION = 'DELETE FROM invitations WHERE id = $1 RETURNING id';
const READ_INVITATIONS = 'SELECT * FROM invitations WHERE ($1::text IS NULL OR account_id = $1) ORDER BY id';
const READ_CLAIMING =
  'SELECT * FROM auth_users WHERE coalesce(address, email) = $1 ORDER BY "emailVerified" DESC, id';
const YIELD_ADDRESS = `UPDATE auth_users SET "emailVerified" = false, address = coalesce(address, email),
  email = id || '${MADE_UP_DOMAIN}' WHERE coalesce(address, email) = $1 AND id <> $2`;
const VERIFY = 'UPDATE auth_users SET "emailVerified" = true, email = $1, address = NULL WHERE id = $2';
const TAKE_ONCE = 'INSERT INTO once (name, at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name';

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly address: string | null;
  readonly invited_by: string | null;
  readonly home_account: string | null;
  readonly name: string;
  readonly operator: boolean;
  readonly twoFactorEnabled: boolean | null;
  readonly createdAt: Date;
}

interface MembershipRow {
  readonly user_id: string;
  readonly account_id: string;
  readonly role: Role;
}

interface InvitationRow {
  readonly id: string;
  readonly token_hash: string;
  readonly email: string;
  readonly account_id: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: number;
  readonly accepted_at: number | null;
}

/** What is looked for is encoded although ids never need it: a stranger's text must not be an error of the database. */
export function createPeopleStore(database: Pick<Database, 'query' | 'transaction'>): PeopleStore {
  const { query } = database;
  return {
    async users() {
      return (await query<UserRow>('SELECT * FROM auth_users ORDER BY coalesce(address, email), id')).map(
        toUser,
      );
    },
    async findUser(id) {
      const [row] = await query<UserRow>('SELECT * FROM auth_users WHERE id = $1', [encodeText(id)]);
      return row === undefined ? undefined : toUser(row);
    },
    async usersOf(address) {
      return (await query<UserRow>(READ_CLAIMING, [encodeText(address)])).map(toUser);
    },
    verifyUser: (id, ...audit) =>
      database.transaction(async (run) => {
        const [row] = await run<UserRow>('SELECT * FROM auth_users WHERE id = $1', [encodeText(id)]);
        if (row === undefined) return false;
        const { email } = toUser(row);
        await holdAddress(run, email);
        await run(YIELD_ADDRESS, [email, id]);
        await run(VERIFY, [email, id]);
        await appendAudit(run, audit);
        return true;
      }),
    async memberships({ userId, accountId }) {
      const rows = await query<MembershipRow>(READ_MEMBERSHIPS, [encoded(userId), encoded(accountId)]);
      return rows.map(toMembership);
    },
    async saveMembership({ userId, accountId, role }, ...audit) {
      await changeAudited(database, audit, SAVE_MEMBERSHIP, [userId, accountId, role]);
    },
    async removeMembership({ userId, accountId }, ...audit) {
      const values = [encodeText(userId), encodeText(accountId)];
      await changeAudited(database, audit, REMOVE_MEMBERSHIP, values);
    },
    async saveInvitation(given, ...audit) {
      const { id, tokenHash, accountId, role, expiresAt, acceptedAt } = given;
      const [email, invitedBy] = [encodeText(given.email), encodeText(given.invitedBy)];
      const values = [id, tokenHash, email, accountId, role, invitedBy, expiresAt, acceptedAt];
      await changeAudited(database, audit, SAVE_INVITATION, values);
    },
    async removeInvitation(id, ...audit) {
      await changeAudited(database, audit, REMOVE_INVITATION, [encodeText(id)]);
    },
    async invitations({ accountId }) {
      return (await query<InvitationRow>(READ_INVITATIONS, [encoded(accountId)])).map(toInvitation);
    },
    async findInvitation(of) {
      const [column, value] = 'id' in of ? ['id', of.id] : ['token_hash', of.tokenHash];
      const sql = `SELECT * FROM invitations WHERE ${column} = $1`;
      const [row] = await query<InvitationRow>(sql, [encodeText(value)]);
      return row === undefined ? undefined : toInvitation(row);
    },
    async claimOnce(name, at) {
      return (await query(TAKE_ONCE, [encodeText(name), at])).length === 1;
    },
  };
}

function encoded(text: string | undefined): string | null {
  return text === undefined ? null : encodeText(text);
}

function toUser(row: UserRow): StoredUser {
  return {
    id: row.id,
    email: row.address ?? row.email,
    login: row.email,
    verified: row.emailVerified,
    invitedBy: row.invited_by === null ? null : decodeText(row.invited_by),
    homeAccount: row.home_account,
    name: row.name,
    operator: row.operator,
    twoFactor: row.twoFactorEnabled === true,
    createdAt: row.createdAt.getTime(),
  };
}

function toMembership({ user_id: userId, account_id: accountId, role }: MembershipRow): Membership {
  return { userId, accountId, role };
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    tokenHash: row.token_hash,
    email: decodeText(row.email),
    accountId: row.account_id,
    role: row.role,
    invitedBy: decodeText(row.invited_by),
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
  };
}
