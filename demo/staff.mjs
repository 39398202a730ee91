// The accounts, keys and people of the demo, and the password that all of them share.
import { readFileSync } from 'node:fs';
import { makeKey } from '../dist/accounts/api-keys.js';
import { hashPassword } from '../dist/accounts/password.js';
import { makeLinkSecret } from '../dist/accounts/secret-link.js';
import { createTokenAdmin } from '../dist/accounts/token-admin.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const STAFF = JSON.parse(readFileSync(new URL('staff.json', import.meta.url), 'utf8'));
export const { password: PASSWORD, operator: OPERATOR, owner: OWNER, member: MEMBER } = STAFF;
/** An invited person who has not accepted yet. */
export const INVITED = STAFF.invited;

const ACCOUNTS = {
  main: { name: 'Fernlight', plan: 'pro', monthlyQuota: 25_000 },
  second: { name: 'Harbor Tickets', plan: 'starter', overage: true },
  third: { name: 'Quiet Press', plan: 'free' },
};
const KEYS = {
  web: { account: 'main', mode: 'live', name: 'Web signup form' },
  mobile: { account: 'main', mode: 'live', name: 'Mobile app', enforcedShare: 0 },
  partner: { account: 'main', mode: 'live', name: 'Partner API', thresholds: { challenge: 25, block: 50 } },
  legacy: { account: 'main', mode: 'live', name: 'Legacy form', revokedAfterDays: 12 },
  development: { account: 'main', mode: 'test', name: 'Local development' },
  ci: { account: 'main', mode: 'test', name: 'Nightly build' },
  second: { account: 'second', mode: 'live', name: 'Box office' },
};
/** Tokens of the management API. */
const TOKENS = [
  { name: 'terraform', scopes: ['accounts:read', 'keys:write', 'hooks:write'], account: null, days: 365 },
  { name: 'support console', scopes: ['lists:write', 'audit:read'], account: 'main', days: null },
];

/** @returns the stored accounts and keys, by the names above */
export async function hireStaff({ store, makeId, from, to }) {
  const accounts = {};
  for (const [at, [handle, invitation]] of Object.entries(ACCOUNTS).entries()) {
    accounts[handle] = {
      id: makeId('acc', from + at),
      overage: false,
      monthlyQuota: null,
      requestsPerSecond: null,
      timeZone: 'UTC',
      thresholds: null,
      createdAt: from + at,
      ...invitation,
    };
  }
  // A first start creates an account only if there is none; this is that account.
  await store.saveFirstAccount(accounts.main, []);
  await store.saveAccount(accounts.second);
  await store.saveAccount(accounts.third);
  const keys = {};
  for (const [handle, { account, revokedAfterDays, thresholds = null, ...invitation }] of Object.entries(
    KEYS,
  )) {
    const now = from + Object.keys(keys).length * 1_000;
    const { key } = makeKey({
      ...invitation,
      id: makeId('key', now),
      accountId: accounts[account].id,
      thresholds,
      now,
    });
    const revokedAt = revokedAfterDays === undefined ? null : from + revokedAfterDays * DAY_MS;
    keys[handle] = { ...key, revokedAt };
    await store.saveKey(keys[handle]);
  }
  await makeTokens({ store, makeId, accounts, from, to });
  await hirePeople({ store, makeId, accounts, from, to });
  return { accounts, keys };
}

async function makeTokens({ store, makeId, accounts, from, to }) {
  for (const [at, { name, scopes, account, days }] of TOKENS.entries()) {
    const now = from + (at + 1) * HOUR_MS;
    const auditEntry = (accountId, action, target, detail) => ({
      at: now,
      by: OPERATOR.email,
      accountId,
      action,
      target,
      detail,
    });
    const accountId = account === null ? null : accounts[account].id;
    const settings = { name, scopes, accountId, expiresInDays: days, now };
    const { token } = await createTokenAdmin({ store, makeId, auditEntry }).create(settings);
    await store.storeLastUses('manage_tokens', new Map([[token.id, to - (at + 1) * HOUR_MS]]));
  }
}

async function hirePeople({ store, makeId, accounts, from, to }) {
  const passwordHash = await hashPassword(PASSWORD);
  const operator = { ...OPERATOR, id: makeId('usr', from), passwordHash };
  const { tokenHash } = makeLinkSecret();
  await store.saveLink({ tokenHash, purpose: 'first', userId: null, expiresAt: from + DAY_MS });
  await store.claimOperator(operator, tokenHash, from);
  const invite = async (email, role, at, expiresAt) => {
    const { tokenHash } = makeLinkSecret();
    const [id, accountId] = [makeId('inv', at), accounts.main.id];
    const invitation = { id, tokenHash, email, accountId, role, invitedBy: OPERATOR.email };
    await store.saveInvitation({ ...invitation, expiresAt, acceptedAt: null });
    return tokenHash;
  };
  for (const [person, role] of [
    [OWNER, 'owner'],
    [MEMBER, 'member'],
  ]) {
    const at = from + DAY_MS;
    const hash = await invite(person.email, role, at, at + DAY_MS);
    await store.joinAsNewUser({ ...person, id: makeId('usr', at), passwordHash }, hash, at);
  }
  await invite(INVITED.email, 'member', to - 2 * DAY_MS, to + 5 * DAY_MS);
}
