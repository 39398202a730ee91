/** Shows a key as the dashboard lists it: never its text, never its hash. */
import type { KeyRow } from '../contract/dashboard-account.ts';
import type { Key } from '../store/store.ts';
import { toInstant } from './dashboard-history-row.ts';

export function toKeyRow(key: Key): KeyRow {
  const time = (at: number | null) => (at === null ? null : toInstant(at));
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    thresholds: key.thresholds,
    created_at: toInstant(key.createdAt),
    last_used_at: time(key.lastUsedAt),
    revoked_at: time(key.revokedAt),
  };
}
