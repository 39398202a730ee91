/** People and the accounts that they may see, in both databases. Sign-in creates the users. */
import type { Role } from '../contract/dashboard-account.ts';
import type { AuditEntries } from './audit-store.ts';
import type { Invitation, Membership, PeopleStore, StoredUser } from './dashboard-store.ts';
import { MADE_UP_DOMAIN } from './sign-in-store.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

const READ_USERS = 'SELECT * FROM auth_users ORDER BY coalesce(address, email), id';
const READ_USER = 'SELECT * FROM auth_users WHERE id = $1';
const READ_CLAIMING =
  'SELECT * FROM auth_users WHERE coalesce(address, email) = $1 ORDER BY "emailVerified" DESC, id';
const YIELD_ADDRESS = `UPDATE auth_users SET "emailVerified" = false, address = coalesce(address, email),
  email = id || '${MADE_UP_DOMAIN}' WHERE coalesce(address, email) = $1 AND id <> $2`;
const VERIFY =
  'UPDATE auth_users SET "emailVerified" = true, email = $1, address = NULL WHERE id = $2 RETURNING id';
/** Links have the user's id as their value. The rest of the user goes with the row. */
const REMOVE_LINKS = 'DELETE FROM auth_verifications WHERE value = $1';
const REMOVE_INVITATIONS = 'DELETE FROM invitations WHERE email = $1';
const REMOVE_USER = 'DELETE FROM auth_users WHERE id = $1 RETURNING id';
/** Condition of a change that takes a role: the account has another owner. */
const MAY_LOSE = `(role <> 'owner' OR EXISTS (SELECT 1 FROM memberships AS other
    WHERE other.account_id = $2 AND other.user_id <> $1 AND other.role = 'owner'))`;
const CHANGE_ROLE = `UPDATE memberships SET role = $3, hand_role = CASE WHEN by_groups THEN $3 END WHERE user_id = $1 AND account_id = $2
  AND role = coalesce($4, role) AND ($3 = 'owner' OR ${MAY_LOSE}) RETURNING user_id`;
const REMOVE_MEMBERSHIP = `DELETE FROM memberships WHERE user_id = $1 AND account_id = $2
  AND role = coalesce($3, role) AND ${MAY_LOSE} RETURNING user_id`;
const REMOVE_FILTERS = `DELETE FROM saved_filters WHERE user_id = $1 AND account_id = $2
  AND EXISTS (SELECT 1 FROM memberships WHERE user_id = $1 AND account_id = $2
    AND role = coalesce($3, role) AND ${MAY_LOSE})`;
// An absent value compares every row with itself.
const READ_MEMBERSHIPS = `SELECT * FROM memberships
  WHERE user_id = coalesce($1, user_id) AND account_id = coalesce($2, account_id) ORDER BY user_id, account_id`;
const SAVE_INVITATION = `INSERT INTO invitations AS old
    (id, token_hash, email, account_id, role, invited_by, expires_at, accepted_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash, email = excluded.email, role = excluded.role,
    expires_at = excluded.expires_at, accepted_at = coalesce(old.accepted_at, excluded.accepted_at) RETURNING id`;
const REMOVE_EARLIER = `DELETE FROM invitations
  WHERE account_id = $1 AND email = $2 AND id <> $3 AND accepted_at IS NULL`;
const REMOVE_INVITATION = 'DELETE FROM invitations WHERE id = $1 RETURNING id';
const READ_INVITATIONS = 'SELECT * FROM invitations WHERE account_id = coalesce($1, account_id) ORDER BY id';

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean | number;
  readonly address: string | null;
  readonly invited_by: string | null;
  readonly home_account: string | null;
  readonly name: string;
  readonly operator: boolean | number;
  readonly twoFactorEnabled: boolean | number | null;
  readonly createdAt: Date | string;
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

/** Ids that are looked for are encoded although stored ones never need it: a stranger's text must not be an error of the database. */
export function createPeopleStore(database: SqlDatabase): PeopleStore {
  const { query, change } = database;
  /** Changes a membership. Owners who lose their role at once must not both see another owner. */
  async function changeMembership(accountId: string, audit: AuditEntries, ...statements: SqlStatement[]) {
    return (await change(audit, ...database.lock(accountId), ...statements)).length > 0;
  }
  const findUser = async (id: string) => (await query<UserRow>(READ_USER, [encodeText(id)])).map(toUser)[0];
  return {
    async users() {
      return (await query<UserRow>(READ_USERS)).map(toUser);
    },
    findUser,
    async usersOf(address) {
      return (await query<UserRow>(READ_CLAIMING, [encodeText(address)])).map(toUser);
    },
    async verifyUser(id, ...audit) {
      const user = await findUser(id);
      if (user === undefined) return false;
      const values = [user.email, id];
      const statements = [YIELD_ADDRESS, VERIFY].map((sql) => ({ sql, values }));
      const verified = await change(audit, ...database.lock(user.email), ...statements);
      return verified.length > 0;
    },
    async removeUser({ id, email }, ...audit) {
      const others = (await query<UserRow>(READ_CLAIMING, [encodeText(email)])).filter(
        (user) => user.id !== id,
      );
      // Another user who claims the address may be who was invited.
      const invitations = others.length > 0 ? [] : [{ sql: REMOVE_INVITATIONS, values: [encodeText(email)] }];
      const statements = [REMOVE_LINKS, REMOVE_USER].map((sql) => ({ sql, values: [encodeText(id)] }));
      await change(audit, ...database.lock(id), ...invitations, ...statements);
    },
    async memberships({ userId, accountId }) {
      const values = [encodeOptional(userId), encodeOptional(accountId)];
      return (await query<MembershipRow>(READ_MEMBERSHIPS, values)).map(toMembership);
    },
    async changeRole({ userId, accountId, role }, from, ...audit) {
      const values = [encodeText(userId), encodeText(accountId), role, from];
      return changeMembership(accountId, audit, { sql: CHANGE_ROLE, values });
    },
    async removeMembership({ userId, accountId, role = null }, ...audit) {
      const values = [encodeText(userId), encodeText(accountId), role];
      return changeMembership(
        accountId,
        audit,
        ...[REMOVE_FILTERS, REMOVE_MEMBERSHIP].map((sql) => ({ sql, values })),
      );
    },
    async saveInvitation(invitation, ...audit) {
      const { id, accountId, email } = invitation;
      const earlier = { sql: REMOVE_EARLIER, values: [accountId, encodeText(email), id] };
      await change(audit, earlier, { sql: SAVE_INVITATION, values: invitationValues(invitation) });
    },
    async removeInvitation(id, ...audit) {
      await change(audit, { sql: REMOVE_INVITATION, values: [encodeText(id)] });
    },
    async invitations({ accountId }) {
      const rows = await query<InvitationRow>(READ_INVITATIONS, [encodeOptional(accountId)]);
      return rows.map(toInvitation);
    },
    async findInvitation(key) {
      const [column, value] = 'id' in key ? ['id', key.id] : ['token_hash', key.tokenHash];
      const sql = `SELECT * FROM invitations WHERE ${column} = $1`;
      return (await query<InvitationRow>(sql, [encodeText(value)])).map(toInvitation)[0];
    },
  };
}

function encodeOptional(text: string | undefined): string | null {
  return text === undefined ? null : encodeText(text);
}

function toUser(row: UserRow): StoredUser {
  return {
    id: row.id,
    email: row.address ?? row.email,
    login: row.email,
    verified: Boolean(row.emailVerified),
    invitedBy: row.invited_by === null ? null : decodeText(row.invited_by),
    homeAccount: row.home_account,
    name: row.name,
    operator: Boolean(row.operator),
    twoFactor: Boolean(row.twoFactorEnabled),
    createdAt: new Date(row.createdAt).getTime(),
  };
}

function toMembership({ user_id: userId, account_id: accountId, role }: MembershipRow): Membership {
  return { userId, accountId, role };
}

/** Values in the order of `SAVE_INVITATION`. */
function invitationValues(invitation: Invitation): SqlValue[] {
  const { id, tokenHash, accountId, role, expiresAt, acceptedAt } = invitation;
  const [email, invitedBy] = [encodeText(invitation.email), encodeText(invitation.invitedBy)];
  return [id, tokenHash, email, accountId, role, invitedBy, expiresAt, acceptedAt];
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
