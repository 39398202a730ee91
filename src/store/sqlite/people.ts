/** Who may look at which account, in SQLite; the users themselves are written by sign-in. */
import type { Role } from '../../contract/dashboard-account.ts';
import type { AuditEntries, Invitation, Membership, PeopleStore, StoredUser } from '../dashboard-store.ts';
import { MADE_UP_DOMAIN } from '../sign-in-store.ts';
import { decodeText, encodeText } from '../text.ts';
import { auditStatements } from './audit.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteValue } from './jobs.ts';

const SAVE_MEMBERSHIP = `INSERT INTO memberships (user_id, account_id, role) VALUES (?, ?, ?)
  ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role`;
const REMOVE_MEMBERSHIP = 'DELETE FROM memberships WHERE user_id = ? AND account_id = ?';
const SAVE_INVITATION = `INSERT INTO invitations (id, token_hash, email, account_id, role, invited_by, expires_at, accepted_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash, email = excluded.email, role = excluded.role,
    expires_at = excluded.expires_at, accepted_at = coalesce(accepted_at, excluded.accepted_at)`;
const REMOVE_INVITATION = 'DELETE FROM invitations WHERE id = ?';
const YIELD_ADDRESS = `UPDATE auth_users SET emailVerified = 0, address = coalesce(address, email),
  email = id || '${MADE_UP_DOMAIN}' WHERE coalesce(address, email) = ? AND id <> ?`;
const VERIFY = 'UPDATE auth_users SET emailVerified = 1, email = ?, address = NULL WHERE id = ?';
const TAKE_ONCE = 'INSERT INTO once (name, at) VALUES (?, ?)';

type Row = Record<string, SqliteValue>;

export function createPeopleStore(reads: SqliteConnection, { submit }: SqliteCommitter): PeopleStore {
  const run = (sql: string, values: SqliteValue[], audit: AuditEntries = []) =>
    submit({ statements: [{ sql, values }, ...auditStatements(audit)] });
  const readUsers = reads.prepare('SELECT * FROM auth_users ORDER BY coalesce(address, email), id');
  const readUser = reads.prepare('SELECT * FROM auth_users WHERE id = ?');
  const readClaiming = reads.prepare(
    'SELECT * FROM auth_users WHERE coalesce(address, email) = ? ORDER BY emailVerified DESC, id',
  );
  // An absent member compares every row with itself.
  const readMemberships = reads.prepare(
    `SELECT * FROM memberships WHERE user_id = coalesce(?, user_id) AND account_id = coalesce(?, account_id)
     ORDER BY user_id, account_id`,
  );
  const readInvitations = reads.prepare(
    'SELECT * FROM invitations WHERE account_id = coalesce(?, account_id) ORDER BY id',
  );
  const readInvitation = reads.prepare('SELECT * FROM invitations WHERE id = ? OR token_hash = ?');
  const readOnce = reads.prepare('SELECT 1 FROM once WHERE name = ?');

  return {
    async users() {
      return (readUsers.all() as Row[]).map(toUser);
    },
    async findUser(id) {
      return (readUser.all(id) as Row[]).map(toUser)[0];
    },
    async usersOf(address) {
      return (readClaiming.all(address) as Row[]).map(toUser);
    },
    async verifyUser(id, ...audit) {
      const row = readUser.get(id) as Row | undefined;
      if (row === undefined) return false;
      const values = [toUser(row).email, id];
      const verify = [YIELD_ADDRESS, VERIFY].map((sql) => ({ sql, values }));
      await submit({ statements: [...verify, ...auditStatements(audit)] });
      return true;
    },
    async memberships({ userId = null, accountId = null }) {
      return (readMemberships.all(userId, accountId) as Row[]).map(toMembership);
    },
    async saveMembership({ userId, accountId, role }, ...audit) {
      await run(SAVE_MEMBERSHIP, [userId, accountId, role], audit);
    },
    async removeMembership({ userId, accountId }, ...audit) {
      await run(REMOVE_MEMBERSHIP, [userId, accountId], audit);
    },
    async saveInvitation(invitation, ...audit) {
      await run(SAVE_INVITATION, fromInvitation(invitation), audit);
    },
    async removeInvitation(id, ...audit) {
      await run(REMOVE_INVITATION, [id], audit);
    },
    async invitations({ accountId = null }) {
      return (readInvitations.all([accountId]) as Row[]).map(toInvitation);
    },
    async findInvitation(of) {
      const keys = 'id' in of ? [of.id, null] : [null, of.tokenHash];
      return (readInvitation.all(keys) as Row[]).map(toInvitation)[0];
    },
    async claimOnce(name, at) {
      try {
        await run(TAKE_ONCE, [name, at]);
        return true;
      } catch (error) {
        if (readOnce.get(name) !== undefined) return false;
        throw error;
      }
    },
  };
}

function toUser(row: Row): StoredUser {
  return {
    id: row.id as string,
    email: (row.address ?? row.email) as string,
    login: row.email as string,
    verified: row.emailVerified === 1,
    invitedBy: row.invited_by === null ? null : decodeText(row.invited_by as string),
    homeAccount: row.home_account as string | null,
    name: row.name as string,
    operator: row.operator === 1,
    twoFactor: row.twoFactorEnabled === 1,
    createdAt: Date.parse(row.createdAt as string),
  };
}

function toMembership(row: Row): Membership {
  return {
    userId: row.user_id as string,
    accountId: row.account_id as string,
    role: row.role as Role,
  };
}

/** In the order of the columns. */
function fromInvitation(invitation: Invitation): SqliteValue[] {
  const { id, tokenHash, accountId, role, expiresAt, acceptedAt } = invitation;
  const [email, invitedBy] = [encodeText(invitation.email), encodeText(invitation.invitedBy)];
  return [id, tokenHash, email, accountId, role, invitedBy, expiresAt, acceptedAt];
}

function toInvitation(row: Row): Invitation {
  return {
    id: row.id as string,
    tokenHash: row.token_hash as string,
    email: decodeText(row.email as string),
    accountId: row.account_id as string,
    role: row.role as Role,
    invitedBy: decodeText(row.invited_by as string),
    expiresAt: row.expires_at as number,
    acceptedAt: row.accepted_at as number | null,
  };
}
