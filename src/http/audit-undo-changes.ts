/** Decides which entries of the audit log can be taken back, from their texts: those that have the old value, exactly. */
import { describeThresholds, parseAccountChanges, parseThresholds, valuesOf } from '../accounts/audit-log.ts';
import { describeExpiry, describeRanges, parseShare } from '../accounts/key-audit.ts';
import { ROLES, type Role } from '../model/role.ts';
import { parseInstant } from '../platform/timestamp.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Key, KeyChanges } from '../store/store.ts';

/** @param isOperator whether the caller is one: the limits of an account are changed by operators alone */
export function mayUndo(entry: AuditEntry, isOperator: boolean): boolean {
  const { action, target, detail } = entry;
  switch (action) {
    case 'thresholds.set':
      return readThresholds(detail) !== undefined;
    case 'policy.save':
      return true;
    case 'role_changed':
      return readRoles(detail) !== undefined;
    case 'account_changed': {
      const change = parseAccountChanges(detail);
      return change !== undefined && (isOperator || Object.keys(change[0]).join() === 'timeZone');
    }
    case 'list.allow':
    case 'list.deny':
    case 'list.office':
      // An entry that replaced another one: the log does not have all of that.
      return !detail.includes('→') && !/^\*+$/.test(target);
    case 'takeback.start':
      // Accounts that were only listed are not released.
      return /^\d+ accounts? to be held at /.test(detail);
    case 'key.rotate':
      return readRotation(detail) !== undefined;
    default:
      return readKeyUndo(entry) !== undefined;
  }
}

/** Thresholds before and after. */
export function readThresholds(detail: string) {
  const [before, after] = valuesOf(detail)?.map(parseThresholds) ?? [];
  return before === undefined || after === undefined ? undefined : ([before, after] as const);
}

export function readRoles(detail: string): readonly [before: Role, after: Role] | undefined {
  const [before, after] = valuesOf(detail)?.map((word) => ROLES.find((role) => role === word)) ?? [];
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** Beginning of the new secret of a key whose old one was not refused at once. */
export function readRotation(detail: string): string | undefined {
  return /^\S+… → (\S+)…, the old secret is valid until /.exec(detail)?.[1];
}

/** How a setting of a key is taken back. */
export interface KeyUndo {
  readonly changes: Omit<KeyChanges, 'revokedAt'>;
  isAsLeft(key: Key): boolean;
}

/** `undefined` for what is no change of a key’s setting. */
export function readKeyUndo({ action, target, detail }: AuditEntry): KeyUndo | undefined {
  if (action === 'key.shadow' || action === 'key.enforce') {
    const [before, after] = valuesOf(detail)?.map(parseShare) ?? [];
    if (before === undefined || after === undefined) return undefined;
    return { changes: { enforcedShare: before }, isAsLeft: ({ enforcedShare }) => enforcedShare === after };
  }
  if (action === 'key.rename') return readRename(target, detail);
  const values = valuesOf(detail);
  if (values === undefined || !KEY_TARGET.test(target)) return undefined;
  const [before, after] = values;
  if (action === 'key.ranges') {
    const allowedRanges = before === describeRanges(null) ? null : before.split(' ');
    return { changes: { allowedRanges }, isAsLeft: (key) => describeRanges(key.allowedRanges) === after };
  }
  if (action === 'key.expiry') {
    const expiresAt = before === describeExpiry(null) ? null : parseInstant(before);
    if (expiresAt === undefined) return undefined;
    return { changes: { expiresAt }, isAsLeft: (key) => describeExpiry(key.expiresAt) === after };
  }
  if (action !== 'thresholds.set') return undefined;
  const thresholds = parseThresholds(before);
  if (thresholds === undefined) return undefined;
  return {
    changes: { thresholds },
    isAsLeft: (key) => describeThresholds('key', key.thresholds) === after,
  };
}

const KEY_TARGET = /^(?:live|sandbox) key (?<name>.+)$/s;

/** The old name is what stands before the new one, which the target has: names may have arrows. */
function readRename(target: string, detail: string): KeyUndo | undefined {
  const newName = KEY_TARGET.exec(target)?.groups?.name;
  const end = ` → ${newName}`;
  if (newName === undefined || !detail.endsWith(end)) return undefined;
  return {
    changes: { name: detail.slice(0, -end.length) },
    isAsLeft: ({ name }) => name === newName,
  };
}
