/** The audit entries about API keys. */
import { isInShadow, MAX_SHARE } from '../model/enforced-share.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditEntry, MakeAuditEntry } from '../store/audit-store.ts';
import type { Key, KeyChanges } from '../store/store.ts';
import { describeNewThresholds, describeThresholds, fromTo } from './audit-log.ts';

export function creationEntry(key: Key, audit: MakeAuditEntry): AuditEntry {
  const { prefix, thresholds, enforcedShare, expiresAt, allowedRanges } = key;
  const details = [
    `${prefix}…`,
    describeThresholds('key', thresholds),
    ...(isInShadow(key) ? [describeShare(enforcedShare)] : []),
    ...(expiresAt === null ? [] : [`expires ${describeExpiry(expiresAt)}`]),
    ...(allowedRanges === null ? [] : [`only from ${describeRanges(allowedRanges)}`]),
  ];
  return audit('key.create', describeKey(key), details.join(', '));
}

/** An entry for each setting that changes. */
export function changeEntries(before: Key, changes: KeyChanges, audit: MakeAuditEntry): AuditEntry[] {
  const {
    name = before.name,
    thresholds,
    enforcedShare = before.enforcedShare,
    expiresAt,
    allowedRanges,
  } = changes;
  const key = describeKey({ ...before, name });
  const entries: AuditEntry[] = [];
  if (changes.name !== undefined) entries.push(audit('key.rename', key, fromTo(before.name, name)));
  if (enforcedShare !== before.enforcedShare) {
    const action = enforcedShare > before.enforcedShare ? 'key.enforce' : 'key.shadow';
    entries.push(
      audit(action, key, fromTo(describeShare(before.enforcedShare), describeShare(enforcedShare))),
    );
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

const OBSERVED_ONLY = 'observed only';
const FOR_EVERYBODY = 'enforced for everybody';

/** The people for whom a key enforces. @param share percent */
export function describeShare(share: number): string {
  if (share === 0) return OBSERVED_ONLY;
  return share === MAX_SHARE ? FOR_EVERYBODY : `enforced for ${share}%`;
}

/** Reads what `describeShare` wrote; `undefined` for any other text. */
export function parseShare(words: string): number | undefined {
  if (words === OBSERVED_ONLY) return 0;
  if (words === FOR_EVERYBODY) return MAX_SHARE;
  const [, share] = /^enforced for (\d{1,2})%$/.exec(words) ?? [];
  return share === undefined ? undefined : Number(share);
}

/** Whole milliseconds where there are some, so that it can be read again. */
export function describeExpiry(at: number | null): string {
  if (at === null) return 'never';
  return at % 1_000 === 0 ? toTimestamp(at) : new Date(at).toISOString();
}

export function describeRanges(ranges: readonly string[] | null): string {
  return ranges === null ? 'anywhere' : ranges.join(' ');
}
