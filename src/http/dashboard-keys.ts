/** GET and POST …/keys, change, rotation and revocation of a key: live and test keys of an account. */
import type { Directory } from '../accounts/directory.ts';
import { type CheckKey, createKeyAdmin, type KeyAdmin, type KeyAdminOptions } from '../accounts/key-admin.ts';
import { MAX_RANGES } from '../accounts/key-ranges.ts';
import type { CreatedKey, KeyRotationBody, KeyRow } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { Thresholds } from '../model/policy.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { Key } from '../store/store.ts';
import { toInstant } from './dashboard-history.ts';
import { readThresholds, THRESHOLDS_SCHEMA } from './dashboard-policy-values.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, FLAG, lineOf, readMode, TEXT } from './dashboard-values.ts';
import { readKeyExpiry, readOverlap, readRanges, readShare, showKey } from './key-values.ts';
import { keyFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface KeysRoutesOptions extends KeyAdminOptions {
  readonly store: KeyAdminOptions['store'] & Pick<AuditStore, 'auditEntries'>;
  readonly directory: Directory;
}

interface NewKeyBody {
  readonly name: string;
  readonly mode: KeyMode;
  readonly thresholds?: Thresholds | null;
  readonly shadow?: boolean;
  readonly enforced_share?: number;
  readonly expires_at?: string | null;
  readonly allowed_ranges?: readonly string[] | null;
}

type KeyChangesBody = Omit<Partial<NewKeyBody>, 'mode' | 'thresholds'>;

const SETTINGS = {
  shadow: FLAG,
  enforced_share: { type: 'integer', minimum: 0, maximum: 100 },
  expires_at: { type: ['string', 'null'] },
  allowed_ranges: { type: ['array', 'null'], items: TEXT, maxItems: MAX_RANGES },
};

const OWN_THRESHOLDS = { ...THRESHOLDS_SCHEMA, type: ['object', 'null'] };
const MAX_NAME_LENGTH = 100;

export function keysRoutes(routes: DashboardRoutes, options: KeysRoutesOptions): void {
  const { directory } = options;
  const admin = createKeyAdmin(options);
  const checkKey =
    (version: string | undefined): CheckKey =>
    (key) =>
      requireVersion(version, keyFacts(key), { store: options.store, accountId: key.accountId });

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/keys',
    minRole: 'owner',
    handle: async ({ account }): Promise<KeyRow[]> => (await directory.readKeys(account.id)).map(toKeyRow),
  });

  routes.forAccount<NewKeyBody>({
    method: 'POST',
    path: '/accounts/:account/keys',
    minRole: 'owner',
    body: bodyOf({ name: TEXT, mode: TEXT, thresholds: OWN_THRESHOLDS, ...SETTINGS }, ['name', 'mode']),
    async handle({ account, body, now, auditEntry }): Promise<CreatedKey> {
      const settings = { ...readNewKey(body, now), accountId: account.id, now };
      const { key, secret } = await admin.create(settings, auditEntry);
      return { key: toKeyRow(key), secret };
    },
  });

  routes.forAccount<KeyChangesBody>({
    method: 'PATCH',
    path: '/accounts/:account/keys/:key',
    minRole: 'owner',
    body: bodyOf({ name: TEXT, ...SETTINGS }, []),
    async handle({ account, params, query, body, now, auditEntry }): Promise<KeyRow> {
      const key = findKey(directory, account.id, params.key);
      const renamed = body.name !== undefined || Object.keys(body).length === 0;
      const changes = {
        name: renamed ? lineOf('name', body.name ?? '', MAX_NAME_LENGTH) : undefined,
        enforcedShare: readShare(body),
        expiresAt: readKeyExpiry(body.expires_at, now),
        allowedRanges: readRanges(body.allowed_ranges),
      };
      await admin.change(key, changes, auditEntry, checkKey(query.version));
      return toKeyRow(findKey(directory, account.id, key.id));
    },
  });

  routes.forAccount({
    method: 'POST',
    path: '/accounts/:account/keys/:key/revoke',
    minRole: 'owner',
    async handle({ account, params, query, now, auditEntry }): Promise<KeyRow> {
      const key = findKey(directory, account.id, params.key);
      if (key.revokedAt !== null) {
        throw new Problem('conflict', undefined, {
          message: 'This key is revoked already.',
          resolution: 'There is nothing to do. Requests with it are refused.',
        });
      }
      await admin.revoke(key, now, auditEntry, checkKey(query.version));
      return toKeyRow(findKey(directory, account.id, key.id));
    },
  });

  rotationRoutes(routes, options, admin, checkKey);
}

/** @throws Problem `invalid_value` */
function readNewKey(body: NewKeyBody, now: number) {
  return {
    mode: readMode(body.mode),
    name: lineOf('name', body.name, MAX_NAME_LENGTH),
    enforcedShare: readShare(body),
    thresholds: body.thresholds ? readThresholds(body.thresholds) : null,
    expiresAt: readKeyExpiry(body.expires_at, now),
    allowedRanges: readRanges(body.allowed_ranges),
  };
}

function rotationRoutes(
  routes: DashboardRoutes,
  { directory }: KeysRoutesOptions,
  admin: KeyAdmin,
  checkKey: (version: string | undefined) => CheckKey,
): void {
  routes.forAccount<KeyRotationBody>({
    method: 'POST',
    path: '/accounts/:account/keys/:key/rotate',
    minRole: 'owner',
    body: bodyOf({ overlap_seconds: { type: 'integer' } }, []),
    async handle({ account, params, query, body, now, auditEntry }): Promise<CreatedKey> {
      const key = findKey(directory, account.id, params.key);
      const rotation = { overlapMs: readOverlap(body.overlap_seconds), now };
      const secret = await admin.rotate(key, rotation, auditEntry, checkKey(query.version));
      return { key: toKeyRow(findKey(directory, account.id, key.id)), secret };
    },
  });

  for (const [path, change] of [
    ['end', admin.endOverlap],
    ['undo', admin.undoRotation],
  ] as const)
    routes.forAccount({
      method: 'POST',
      path: `/accounts/:account/keys/:key/rotate/${path}`,
      minRole: 'owner',
      async handle({ account, params, query, now, auditEntry }): Promise<KeyRow> {
        const key = findKey(directory, account.id, params.key);
        await change(key, now, auditEntry, checkKey(query.version));
        return toKeyRow(findKey(directory, account.id, key.id));
      },
    });
}

/** Finds a key of an account; the answer does not tell whether another account has it. @throws Problem `not_found` */
export function findKey(
  directory: Pick<Directory, 'keysOf'>,
  accountId: string,
  keyId: string | undefined,
): Key {
  const key = directory.keysOf(accountId).find(({ id }) => id === keyId);
  if (key !== undefined) return key;
  throw new Problem('not_found', undefined, {
    message: 'This account has no key with this id.',
    resolution: 'Check the keys of the account.',
  });
}

export function toKeyRow(key: Key): KeyRow {
  return { ...showKey(key, toInstant), version: versionOf(keyFacts(key)) };
}
