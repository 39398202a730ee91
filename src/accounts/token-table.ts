/** All tokens of the management API by their hash, and when each was last used. */
import type { ManageToken } from '../model/manage-token.ts';
import { hashKey } from './api-keys.ts';
import { createLastUses, type LastUses, type StoreUses } from './last-uses.ts';
import { hasTokenForm } from './manage-tokens.ts';

export interface TokenTable extends Pick<LastUses, 'note' | 'start' | 'close'> {
  put(token: ManageToken): void;
  /** Forgets all that are for this account alone. */
  removeAccount(accountId: string): void;
  /** Finds a token by its text, revoked and expired ones too. */
  find(secret: string): ManageToken | undefined;
  /** Revoked ones too, oldest first; with the last use that this process knows of. */
  list(): readonly ManageToken[];
}

export function createTokenTable(store: StoreUses): TokenTable {
  const tokens = new Map<string, ManageToken>();
  const { lastOf, ...uses } = createLastUses(store);
  return {
    ...uses,
    put: (token) => void tokens.set(token.hash, token),
    removeAccount(accountId) {
      for (const token of tokens.values()) if (token.accountId === accountId) tokens.delete(token.hash);
    },
    find: (secret) => (hasTokenForm(secret) ? tokens.get(hashKey(secret)) : undefined),
    list: () =>
      [...tokens.values()]
        .map((token) => ({ ...token, lastUsedAt: lastOf(token.id) ?? token.lastUsedAt }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}
