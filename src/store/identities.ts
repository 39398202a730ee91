/** People who sign in at an OpenID provider, in both databases. A sign-in changes nothing if what it was decided on has changed. */
import type { Role } from '../contract/dashboard-account.ts';
import type {
  HeldRole,
  HeldRoleChange,
  IdentitySignIn,
  IdentityStore,
  ProvidedUser,
  StoredIdentity,
} from './identity-store.ts';
import { MADE_UP_DOMAIN, MAX_CLAIMS } from './sign-in-store.ts';
import { isoTime, type SqlDatabase, type SqlStatement, type SqlValue } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

const READ = 'SELECT * FROM oidc_identities WHERE issuer = $1 AND subject = $2';
const READ_OF_USER = 'SELECT * FROM oidc_identities WHERE user_id = $1 ORDER BY issuer';
const READ_ROLES = 'SELECT * FROM memberships WHERE user_id = $1 ORDER BY account_id';
const READ_OWNERS = `SELECT 1 AS found FROM memberships WHERE account_id = $1 AND user_id <> $2 AND role = 'owner' LIMIT 1`;
const ADD = `INSERT INTO oidc_identities (issuer, subject, user_id, created_at, used_at) VALUES ($1, $2, $3, $4, $4)`;
/** The last statement of a sign-in: it always changes a row, so its entries are stored. */
const USE = 'UPDATE oidc_identities SET used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING user_id';
/** A change, since only changes wait for each other. */
const IS_OF = `UPDATE oidc_identities SET used_at = used_at WHERE issuer = $1 AND subject = $2 AND user_id = $3
  RETURNING user_id`;
const REMOVE_SESSIONS = 'DELETE FROM auth_sessions WHERE "userId" = $1';
const REMOVE = 'DELETE FROM oidc_identities WHERE user_id = $1 RETURNING user_id';
/** Others who claim a verified address get a made-up one to sign in with. */
const YIELD_ADDRESS = `UPDATE auth_users SET address = coalesce(address, email), email = id || '${MADE_UP_DOMAIN}' WHERE email = $1`;
const INSERT_USER = `INSERT INTO auth_users (id, name, email, address, "emailVerified", "createdAt", "updatedAt",
    "twoFactorEnabled", operator, invited_by, home_account)
  SELECT $1, $2, CASE WHEN taken THEN $3 ELSE $4 END, CASE WHEN taken THEN $4 END, VERIFIED, $5, $5, false, false, $6, $7
  FROM (SELECT EXISTS (SELECT 1 FROM auth_users WHERE email = $4) AS taken) AS address`;
const ACCEPT = 'UPDATE invitations SET accepted_at = $2 WHERE token_hash = $1';
const SET_ROLE = `INSERT INTO memberships (user_id, account_id, role, by_groups, hand_role) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role, by_groups = excluded.by_groups,
    hand_role = excluded.hand_role`;
const REMOVE_ROLE = ['saved_filters', 'memberships'].map(
  (table) => `DELETE FROM ${table} WHERE user_id = $1 AND account_id = $2`,
);

interface IdentityRow {
  readonly issuer: string;
  readonly subject: string;
  readonly user_id: string;
  readonly created_at: number;
  readonly used_at: number;
}

interface RoleRow {
  readonly account_id: string;
  readonly role: Role;
  readonly by_groups: boolean | number;
  readonly hand_role: Role | null;
}

export function createIdentityStore(database: SqlDatabase): IdentityStore {
  const { query, change } = database;
  return {
    async findIdentity({ issuer, subject }) {
      return (await query<IdentityRow>(READ, [issuer, subject].map(encodeText))).map(toIdentity)[0];
    },
    async identitiesOf(userId) {
      return (await query<IdentityRow>(READ_OF_USER, [encodeText(userId)])).map(toIdentity);
    },
    async hasIdentity(userId, { issuer, subject }) {
      const values = [issuer, subject, userId].map(encodeText);
      return (await change([], ...database.lock(userId), { sql: IS_OF, values })).length > 0;
    },
    async heldRoles(userId) {
      const rows = await query<RoleRow>(READ_ROLES, [encodeText(userId)]);
      return new Map(rows.map((row) => [row.account_id, toHeldRole(row)]));
    },
    async hasOtherOwner(accountId, userId) {
      return (await query(READ_OWNERS, [accountId, userId].map(encodeText))).length > 0;
    },
    async signInByIdentity(signIn, ...audit) {
      const locks = [...new Set([...addressesOf(signIn), ...losingOwners(signIn), signIn.userId])];
      await database.when(conditionOf(signIn), locks).change(audit, ...statementsOf(signIn));
    },
    async removeIdentities(userId, ...audit) {
      const values = [encodeText(userId)];
      const statements = [REMOVE_SESSIONS, REMOVE].map((sql) => ({ sql, values }));
      await change(audit, ...database.lock(userId), ...statements);
    },
  };
}

/** Names by which those are locked who claim the same address or identity. */
function addressesOf({ newUser, isKnown, identity }: IdentitySignIn): string[] {
  const name = isKnown ? [] : [`identity ${identity.issuer} ${identity.subject}`];
  return newUser === undefined ? name : [...name, newUser.email];
}

/** Accounts in which the user is an owner no longer. */
function losingOwners({ roles }: IdentitySignIn): string[] {
  return roles
    .filter(({ before, after }) => before?.role === 'owner' && after?.role !== 'owner')
    .map(({ accountId }) => accountId);
}

/** A query that gives a row while everything is as it was when the sign-in was decided. */
function conditionOf(signIn: IdentitySignIn): SqlStatement {
  const { identity, userId, isKnown, newUser, foundBy, sessionId, invitation, roles, now } = signIn;
  const values: SqlValue[] = [];
  const place = (value: SqlValue) => `$${values.push(typeof value === 'string' ? encodeText(value) : value)}`;
  const exists = (text: string) => `EXISTS (SELECT 1 FROM ${text})`;
  const isVerified = (email: string) =>
    exists(`auth_users WHERE coalesce(address, email) = ${place(email)} AND "emailVerified"`);
  const parts: string[] = [];
  const { issuer, subject } = identity;
  const ofIdentity = `oidc_identities WHERE issuer = ${place(issuer)} AND subject = ${place(subject)}`;
  if (isKnown) parts.push(exists(`${ofIdentity} AND user_id = ${place(userId)}`));
  else {
    parts.push(`NOT ${exists(ofIdentity)}`);
    parts.push(
      `NOT ${exists(`oidc_identities WHERE user_id = ${place(userId)} AND issuer = ${place(issuer)}`)}`,
    );
  }
  if (newUser === undefined) parts.push(exists(`auth_users WHERE id = ${place(userId)}`));
  else {
    parts.push(`NOT ${isVerified(newUser.email)}`);
    if (!newUser.verified)
      parts.push(
        `(SELECT count(*) FROM auth_users WHERE coalesce(address, email) = ${place(newUser.email)}) < ${MAX_CLAIMS}`,
      );
  }
  if (foundBy !== undefined)
    parts.push(
      exists(
        `auth_users WHERE id = ${place(userId)} AND coalesce(address, email) = ${place(foundBy)} AND "emailVerified"`,
      ),
    );
  if (sessionId !== undefined)
    parts.push(exists(`auth_sessions WHERE id = ${place(sessionId)} AND "userId" = ${place(userId)}`));
  if (invitation !== undefined)
    parts.push(
      exists(
        `invitations WHERE token_hash = ${place(invitation.tokenHash)} AND email = ${place(invitation.email)}
          AND expires_at > ${place(now)} AND accepted_at IS NULL`,
      ),
    );
  for (const { accountId, before } of roles) {
    const row = `memberships WHERE user_id = ${place(userId)} AND account_id = ${place(accountId)}`;
    if (before === null) parts.push(`NOT ${exists(row)}`);
    else
      parts.push(
        exists(
          `${row} AND role = ${place(before.role)} AND by_groups = ${place(Number(before.byGroups))}
            AND coalesce(hand_role, '') = ${place(before.handRole ?? '')}`,
        ),
      );
    parts.push(exists(`accounts WHERE id = ${place(accountId)}`));
  }
  for (const accountId of losingOwners(signIn))
    parts.push(
      exists(
        `memberships WHERE account_id = ${place(accountId)} AND user_id <> ${place(userId)} AND role = 'owner'`,
      ),
    );
  return { sql: `SELECT 1 AS found WHERE ${parts.join(' AND ')}`, values };
}

function statementsOf(signIn: IdentitySignIn): SqlStatement[] {
  const { identity, userId, isKnown, newUser, invitation, roles, endsSessions, now } = signIn;
  const key = [identity.issuer, identity.subject].map(encodeText);
  return [
    ...(newUser === undefined ? [] : insertUser(userId, newUser, now)),
    ...(isKnown ? [] : [{ sql: ADD, values: [...key, userId, now] }]),
    ...(invitation === undefined ? [] : [{ sql: ACCEPT, values: [invitation.tokenHash, now] }]),
    ...roles.flatMap((role) => changeRole(userId, role)),
    ...(endsSessions ? [{ sql: REMOVE_SESSIONS, values: [userId] }] : []),
    { sql: USE, values: [...key, now] },
  ];
}

function insertUser(id: string, user: ProvidedUser, now: number): SqlStatement[] {
  const email = encodeText(user.email);
  const invitedBy = user.invitedBy === null ? null : encodeText(user.invitedBy);
  const values = [id, user.name, id + MADE_UP_DOMAIN, email, isoTime(now), invitedBy];
  const insert = INSERT_USER.replace('VERIFIED', String(user.verified));
  return [
    ...(user.verified ? [{ sql: YIELD_ADDRESS, values: [email] }] : []),
    { sql: insert, values: [...values, user.homeAccount] },
  ];
}

function changeRole(userId: string, { accountId, after }: HeldRoleChange): SqlStatement[] {
  const key = [userId, accountId];
  if (after === null) return REMOVE_ROLE.map((sql) => ({ sql, values: key }));
  const values = [...key, after.role, Number(after.byGroups), after.handRole];
  return [{ sql: SET_ROLE, values }];
}

function toIdentity(row: IdentityRow): StoredIdentity {
  const { user_id: userId, created_at: createdAt, used_at: usedAt } = row;
  return { issuer: decodeText(row.issuer), subject: decodeText(row.subject), userId, createdAt, usedAt };
}

function toHeldRole({ role, by_groups, hand_role }: RoleRow): HeldRole {
  return { role, byGroups: Boolean(by_groups), handRole: hand_role };
}
