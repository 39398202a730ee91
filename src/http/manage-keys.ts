/** /v1/manage/accounts/{account}/keys: lists, creates, changes, rotates and revokes API keys. */
import type { Directory } from '../accounts/directory.ts';
import { createKeyAdmin, type KeyAdminOptions } from '../accounts/key-admin.ts';
import type {
  ManageCreatedKey,
  ManageKey,
  ManageKeyChanges,
  ManageKeyRequest,
  ManageKeyRotation,
} from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { Thresholds } from '../model/policy.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { Key, KeyChanges } from '../store/store.ts';
import { readThresholds } from './dashboard-policy-values.ts';
import { lineOf } from './dashboard-values.ts';
import { readKeyExpiry, readOverlap, readRanges, readShare, showKey } from './key-values.ts';
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

  routes.forAccount('listKeys', async ({ account, query }) =>
    toPage(await directory.readKeys(account.id), query, toManageKey),
  );

  routes.forAccount<ManageKeyRequest>('createKey', async ({ account, body, now, auditEntry }) => {
    const { mode } = body;
    const name = lineOf('name', body.name, MAX_NAME_LENGTH);
    const thresholds = readOwn(body.thresholds) ?? null;
    const expiresAt = readKeyExpiry(body.expires_at, now);
    const allowedRanges = readRanges(body.allowed_ranges);
    const limits = { thresholds, expiresAt, allowedRanges };
    const enforcedShare = readShare(body);
    const settings = { accountId: account.id, mode, name, enforcedShare, ...limits, now };
    const { key, secret } = await admin.create(settings, auditEntry);
    return { ...toManageKey(key), key: secret } satisfies ManageCreatedKey;
  });

  routes.forAccount('getKey', async (call) => {
    const { id } = keyOf(call);
    const keys = await directory.readKeys(call.account.id);
    return toManageKey(keys.find((key) => key.id === id) ?? keyOf(call));
  });

  routes.forAccount<ManageKeyChanges>('updateKey', async (call) => {
    const { body } = call;
    const before = keyOf(call);
    const name = body.name === undefined ? undefined : lineOf('name', body.name, MAX_NAME_LENGTH);
    const changes = changed<Key, KeyChanges>(before, {
      name,
      enforcedShare: readShare(body),
      thresholds: readOwn(body.thresholds),
      expiresAt: readKeyExpiry(body.expires_at, call.now),
      allowedRanges: readRanges(body.allowed_ranges),
    });
    if (Object.keys(changes).length === 0) return toManageKey(before);
    await admin.change(before, changes, call.auditEntry);
    return toManageKey(keyOf(call));
  });

  routes.forAccount<ManageKeyRotation>('rotateKey', async (call) => {
    const { body, now, auditEntry } = call;
    const rotation = { overlapMs: readOverlap(body.overlap_seconds), now };
    const secret = await admin.rotate(keyOf(call), rotation, auditEntry);
    return { ...toManageKey(keyOf(call)), key: secret } satisfies ManageCreatedKey;
  });

  routes.forAccount('endKeyOverlap', async (call) => {
    await admin.endOverlap(keyOf(call), call.now, call.auditEntry);
    return toManageKey(keyOf(call));
  });

  routes.forAccount('undoKeyRotation', async (call) => {
    await admin.undoRotation(keyOf(call), call.now, call.auditEntry);
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
  const { id, ...shown } = showKey(key, toTimestamp);
  return { id, account_id: key.accountId, ...shown };
}
