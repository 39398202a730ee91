/** The audit entries about API keys. */
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditEntry, MakeAuditEntry } from '../store/audit-store.ts';
import type { Key, KeyChanges } from '../store/store.ts';
import { describeNewThresholds, describeThresholds, fromTo } from './audit-log.ts';

export function creationEntry(key: Key, audit: MakeAuditEntry): AuditEntry {
  const { prefix, thresholds, shadow, expiresAt, allowedRanges } = key;
  const details = [
    `${prefix}…`,
    describeThresholds('key', thresholds),
    ...(shadow ? ['shadow mode'] : []),
    ...(expiresAt === null ? [] : [`expires ${describeExpiry(expiresAt)}`]),
    ...(allowedRanges === null ? [] : [`only from ${describeRanges(allowedRanges)}`]),
  ];
  return audit('key.create', describeKey(key), details.join(', '));
}

/** An entry for each setting that changes. */
export function changeEntries(before: Key, changes: KeyChanges, audit: MakeAuditEntry): AuditEntry[] {
  const { name = before.name, thresholds, shadow = before.shadow, expiresAt, allowedRanges } = changes;
  const key = describeKey({ ...before, name });
  const entries: AuditEntry[] = [];
  if (changes.name !== undefined) entries.push(audit('key.rename', key, fromTo(before.name, name)));
  if (shadow !== before.shadow) {
    const [action, detail] = describeShadow(shadow);
    entries.push(audit(action, key, detail));
  }
  if (thresholds !== undefined)
    entries.push(audit('thresholds.set', key, describeNewThresholds('key', before.thresholds, thresholds)));
  if (expiresAt !== undefined)
    entries.push(
      audit('key.expiry', key, fromTo(describeExpiry(before.expiresAt), describeExpiry(expiresAt))),
    );
  if (allowedRanges !== undefined)
    entries.push(
      audit('key.ranges', key, fromTo(describeRanges(before.allowedRanges), describeRanges(allowedRanges))),
    );
  return entries;
}

/** `sandbox key staging`: keys for tests are called so on every page. */
export function describeKey({ mode, name }: Pick<Key, 'mode' | 'name'>): string {
  return `${mode === 'test' ? 'sandbox' : mode} key ${name}`;
}

/** The action and the detail of an entry about a key that begins or ends shadow mode. */
function describeShadow(shadow: boolean): readonly [action: string, detail: string] {
  return shadow ? ['key.shadow', 'every answer is allow'] : ['key.enforce', 'answers are the verdicts'];
}

/** Whole milliseconds where there are some, so that it can be read again. */
export function describeExpiry(at: number | null): string {
  if (at === null) return 'never';
  return at % 1_000 === 0 ? toTimestamp(at) : new Date(at).toISOString();
}

export function describeRanges(ranges: readonly string[] | null): string {
  return ranges === null ? 'anywhere' : ranges.join(' ');
}
