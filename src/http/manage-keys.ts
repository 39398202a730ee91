/** /v1/manage/accounts/{account}/keys: lists, creates, changes and revokes API keys. */
import { describeKey, describeShadow, describeThresholds } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import { makeKey } from '../accounts/keys.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type {
  ManageCreatedKey,
  ManageKey,
  ManageKeyChanges,
  ManageKeyRequest,
} from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import type { Thresholds } from '../model/policy.ts';
import type { AccountStore, Key, KeyChanges } from '../store/store.ts';
import { readThresholds } from './dashboard-policy-values.ts';
import { lineOf } from './dashboard-values.ts';
import { nameTaken } from './manage-accounts.ts';
import { changed, type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';

export interface ManageKeysOptions {
  readonly store: Pick<AccountStore, 'saveKeyOnce' | 'changeKey'>;
  readonly directory: Directory;
  readonly makeId: MakeId;
}

const MAX_NAME_LENGTH = 100;

export function manageKeyRoutes(routes: ManageRoutes, { store, directory, makeId }: ManageKeysOptions): void {
  const keyOf = ({ account, params }: Pick<ManageAccountCall<unknown>, 'account' | 'params'>): Key => {
    const key = directory.keysOf(account.id).find(({ id }) => id === params.key);
    if (key === undefined) throw manageProblem('not_found');
    return key;
  };

  routes.forAccount('listKeys', ({ account, query }) =>
    toPage(directory.keysOf(account.id), query, toManageKey),
  );

  routes.forAccount<ManageKeyRequest>('createKey', async ({ account, body, now, auditEntry }) => {
    const { mode, shadow = false } = body;
    const name = lineOf('name', body.name, MAX_NAME_LENGTH);
    const thresholds = readOwn(body.thresholds) ?? null;
    const id = makeId('key', now);
    const { key, secret } = makeKey({ id, accountId: account.id, mode, name, shadow, thresholds, now });
    const detail = `${key.prefix}…, ${describeThresholds('key', thresholds)}${shadow ? ', shadow mode' : ''}`;
    const isNew = await store.saveKeyOnce(key, auditEntry('key.create', describeKey(key), detail));
    await directory.refresh();
    if (isNew) return { ...toManageKey(key), key: secret } satisfies ManageCreatedKey;
    const others = directory.keysOf(account.id).filter(({ revokedAt }) => revokedAt === null);
    throw nameTaken('key', others.find((other) => other.name === name && other.mode === mode)?.id);
  });

  routes.forAccount('getKey', (call) => toManageKey(keyOf(call)));

  routes.forAccount<ManageKeyChanges>('updateKey', async (call) => {
    const { body, auditEntry } = call;
    const before = keyOf(call);
    const name = body.name === undefined ? undefined : lineOf('name', body.name, MAX_NAME_LENGTH);
    const changes = changed<Key, KeyChanges>(before, {
      name,
      shadow: body.shadow,
      thresholds: readOwn(body.thresholds),
    });
    const after = { ...before, ...changes } as Key;
    const entries = describeChanges(before, changes, after).map((entry) => auditEntry(...entry));
    if (entries.length === 0) return toManageKey(before);
    await store.changeKey(before.id, changes, ...entries);
    await directory.refresh();
    return toManageKey(keyOf(call));
  });

  routes.forAccount('revokeKey', async (call) => {
    const key = keyOf(call);
    if (key.revokedAt !== null) return toManageKey(key);
    const entry = call.auditEntry('key.revoke', describeKey(key), `${key.prefix}…`);
    await store.changeKey(key.id, { revokedAt: call.now }, entry);
    await directory.refresh();
    return toManageKey(keyOf(call));
  });
}

function readOwn(thresholds: Thresholds | null | undefined): Thresholds | null | undefined {
  return thresholds === undefined || thresholds === null ? thresholds : readThresholds(thresholds);
}

type AuditText = readonly [action: string, target: string, detail: string];

function describeChanges(before: Key, { name, shadow, thresholds }: KeyChanges, after: Key): AuditText[] {
  const entries: AuditText[] = [];
  if (name !== undefined) entries.push(['key.rename', `key ${name}`, `was ${before.name}`]);
  if (shadow !== undefined) {
    const [action, detail] = describeShadow(shadow);
    entries.push([action, describeKey(after), detail]);
  }
  if (thresholds !== undefined)
    entries.push(['thresholds.set', `key ${after.name}`, describeThresholds('key', thresholds)]);
  return entries;
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
