/** /v1/manage/accounts/{account}/keys: lists, creates, changes and revokes API keys. */
import type { Directory } from '../accounts/directory.ts';
import { createKeyAdmin, type KeyAdminOptions } from '../accounts/key-admin.ts';
import type {
  ManageCreatedKey,
  ManageKey,
  ManageKeyChanges,
  ManageKeyRequest,
} from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { Thresholds } from '../model/policy.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { Key, KeyChanges } from '../store/store.ts';
import { readThresholds } from './dashboard-policy-values.ts';
import { lineOf } from './dashboard-values.ts';
import { changed, type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';

export interface ManageKeysOptions extends KeyAdminOptions {
  readonly directory: Directory;
}

const MAX_NAME_LENGTH = 100;

export function manageKeyRoutes(routes: ManageRoutes, options: ManageKeysOptions): void {
  const { directory } = options;
  const admin = createKeyAdmin(options);
  const keyOf = ({ account, params }: Pick<ManageAccountCall<unknown>, 'account' | 'params'>): Key => {
    const key = directory.keysOf(account.id).find(({ id }) => id === params.key);
    if (key === undefined) throw manageProblem('not_found');
    return key;
  };

  routes.forAccount('listKeys', ({ account, query }) =>
    toPage(directory.keysOf(account.id), query, toManageKey),
  );

  routes.forAccount<ManageKeyRequest>('createKey', async ({ account, body, now, auditEntry }) => {
    const { mode, shadow } = body;
    const name = lineOf('name', body.name, MAX_NAME_LENGTH);
    const thresholds = readOwn(body.thresholds) ?? null;
    const settings = { accountId: account.id, mode, name, shadow, thresholds, now };
    const { key, secret } = await admin.create(settings, auditEntry);
    return { ...toManageKey(key), key: secret } satisfies ManageCreatedKey;
  });

  routes.forAccount('getKey', (call) => toManageKey(keyOf(call)));

  routes.forAccount<ManageKeyChanges>('updateKey', async (call) => {
    const { body } = call;
    const before = keyOf(call);
    const name = body.name === undefined ? undefined : lineOf('name', body.name, MAX_NAME_LENGTH);
    const changes = changed<Key, KeyChanges>(before, {
      name,
      shadow: body.shadow,
      thresholds: readOwn(body.thresholds),
    });
    if (Object.keys(changes).length === 0) return toManageKey(before);
    await admin.change(before, changes, call.auditEntry);
    return toManageKey(keyOf(call));
  });

  routes.forAccount('revokeKey', async (call) => {
    await admin.revoke(keyOf(call), call.now, call.auditEntry);
    return toManageKey(keyOf(call));
  });
}

function readOwn(thresholds: Thresholds | null | undefined): Thresholds | null | undefined {
  return thresholds === undefined || thresholds === null ? thresholds : readThresholds(thresholds);
}

function toManageKey(key: Key): ManageKey {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    mode: key.mode,
    shadow: key.shadow,
    prefix: key.prefix,
    thresholds: key.thresholds,
    created_at: toTimestamp(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : toTimestamp(key.lastUsedAt),
    revoked_at: key.revokedAt === null ? null : toTimestamp(key.revokedAt),
  };
}
