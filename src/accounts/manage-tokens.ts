/** Makes tokens of the management API, and decides whether a token is valid and what it may do. */
import type { ManageScope, ManageToken } from '../model/manage-token.ts';
import { hashKey, randomBase62 } from './api-keys.ts';

/** Secret scanners find it: nothing else begins like this. */
const BEGINNING = 'gatehouse_token_';
/** 32 characters of base62 carry 190 bits. */
const SECRET_LENGTH = 32;
const PREFIX_LENGTH = 20;
const TOKEN_FORM = /^gatehouse_token_[0-9A-Za-z]{32}$/;
const DAY_MS = 86_400_000;

export interface NewManageToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ManageScope[];
  readonly accountId: string | null;
  readonly createdBy: string;
  /** Whole days until it ends; `null`: never. */
  readonly expiresInDays: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A token to store, and its secret text, which is shown once and kept nowhere. Each scope is in it once. */
export function makeManageToken({ now, scopes, expiresInDays, ...settings }: NewManageToken): {
  token: ManageToken;
  secret: string;
} {
  const secret = BEGINNING + randomBase62(SECRET_LENGTH);
  const token: ManageToken = {
    ...settings,
    scopes: [...new Set(scopes)].sort(),
    hash: hashKey(secret),
    prefix: secret.slice(0, PREFIX_LENGTH),
    createdAt: now,
    expiresAt: expiresInDays === null ? null : now + expiresInDays * DAY_MS,
    lastUsedAt: null,
    revokedAt: null,
  };
  return { token, secret };
}

export function hasTokenForm(text: string): boolean {
  return TOKEN_FORM.test(text);
}

/** Whether a token has a scope; `keys:write` includes `keys:read`. */
export function hasScope({ scopes }: Pick<ManageToken, 'scopes'>, scope: ManageScope): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace(':read', ':write') as ManageScope);
}

export type TokenState = 'active' | 'expired' | 'revoked';

/** `now`: milliseconds since the epoch. */
export function stateOf(
  { expiresAt, revokedAt }: Pick<ManageToken, 'expiresAt' | 'revokedAt'>,
  now: number,
): TokenState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** The detail of an audit entry: `gatehouse_token_Ab3x…, keys:read keys:write, all accounts, for 90 days`. */
export function describeToken({ prefix, scopes, accountId, createdAt, expiresAt }: ManageToken): string {
  const days = expiresAt === null ? 0 : Math.round((expiresAt - createdAt) / DAY_MS);
  const length = days === 0 ? 'without an end' : `for ${days} ${days === 1 ? 'day' : 'days'}`;
  return `${prefix}…, ${scopes.join(' ')}, ${accountId === null ? 'all accounts' : 'this account'}, ${length}`;
}
