/** /dashboard/api/operator/tokens: operators create and revoke tokens of the management API. */
import type { Directory } from '../accounts/directory.ts';
import { stateOf } from '../accounts/manage-tokens.ts';
import { createTokenAdmin, MAX_TOKEN_DAYS, type TokenAdmin } from '../accounts/token-admin.ts';
import { readName } from '../accounts/user-fields.ts';
import type { CreatedToken, NewTokenBody, TokenRow } from '../contract/dashboard-tokens.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import { MANAGE_SCOPES, type ManageToken } from '../model/manage-token.ts';
import type { TokenStore } from '../store/token-store.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { DashboardRoutes, UserCall } from './dashboard-route.ts';
import { bodyOf, SHORT_TEXT, unusable } from './dashboard-values.ts';

export interface TokenRoutesOptions {
  readonly store: Pick<TokenStore, 'saveToken' | 'revokeToken'>;
  readonly directory: Pick<Directory, 'tokens' | 'account' | 'refresh'>;
  readonly makeId: MakeId;
}

const NEW_TOKEN = {
  name: SHORT_TEXT,
  scopes: { type: 'array', items: { enum: MANAGE_SCOPES } },
  account_id: { type: ['string', 'null'], maxLength: 300 },
  expires_in_days: { type: ['integer', 'null'], minimum: 1, maximum: MAX_TOKEN_DAYS },
};

export function tokenRoutes(routes: DashboardRoutes, options: TokenRoutesOptions): void {
  const { store, directory, makeId } = options;
  const adminOf = ({ auditEntry }: UserCall<unknown>): TokenAdmin =>
    createTokenAdmin({ store, makeId, auditEntry });
  const find = (id: string | undefined) => directory.tokens.list().find((token) => token.id === id);
  const show = (token: ManageToken, now: number) => toTokenRow(token, directory, now);

  routes.forOperator({
    method: 'GET',
    path: '/operator/tokens',
    handle: ({ now }): TokenRow[] => directory.tokens.list().map((token) => show(token, now)),
  });

  routes.forOperator<NewTokenBody>({
    method: 'POST',
    path: '/operator/tokens',
    body: bodyOf(NEW_TOKEN),
    async handle(call): Promise<CreatedToken> {
      const { body, now } = call;
      const { scopes, account_id: accountId, expires_in_days: expiresInDays } = body;
      const name = readName(body.name);
      if (scopes.length === 0)
        throw unusable('scopes', 'The token has no scope.', 'Choose at least one scope.');
      if (accountId !== null && directory.account(accountId) === undefined)
        throw unusable('account_id', 'There is no such account.', 'Choose one of the accounts, or all.');
      const made = await adminOf(call).create({ name, scopes, accountId, expiresInDays, now });
      await directory.refresh();
      return { token: show(made.token, now), secret: made.secret };
    },
  });

  routes.forOperator({
    method: 'POST',
    path: '/operator/tokens/:id/revoke',
    async handle(call): Promise<TokenRow> {
      const token = find(call.params.id);
      if (token === undefined) throw new Problem('not_found');
      await adminOf(call).revoke(token, call.now);
      await directory.refresh();
      return show(find(token.id) ?? token, call.now);
    },
  });
}

/** Shows a token as the dashboard lists it: never its text or its hash. */
function toTokenRow(token: ManageToken, directory: Pick<Directory, 'account'>, now: number): TokenRow {
  const account = token.accountId === null ? null : directory.account(token.accountId);
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: token.scopes,
    account: account == null ? null : { id: account.id, name: account.name },
    state: stateOf(token, now),
    created_by: token.createdBy,
    created_at: toInstant(token.createdAt),
    expires_at: instantOrNull(token.expiresAt),
    last_used_at: instantOrNull(token.lastUsedAt),
    revoked_at: instantOrNull(token.revokedAt),
  };
}
