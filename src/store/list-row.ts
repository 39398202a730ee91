/** An entry of an own list as both databases keep it. */
import type { ListAction, ListEntry, ListKind } from '../model/list-entry.ts';
import { decodeText, encodeText } from './text.ts';

export interface ListRow extends Record<string, string | number | null> {
  readonly id: string;
  readonly version: number;
}

/** In the order of the columns, from `id` to `last_hit_at`. */
export function listValues(entry: ListEntry): (string | number | null)[] {
  return [
    entry.id,
    entry.accountId,
    entry.action,
    entry.kind,
    entry.value,
    entry.shown,
    entry.reason === null ? null : encodeText(entry.reason),
    encodeText(entry.author),
    entry.createdAt,
    entry.expiresAt,
    entry.hits,
    entry.lastHitAt,
  ];
}

export function toListEntry(row: ListRow): ListEntry {
  return {
    id: row.id,
    accountId: row.account_id as string,
    action: row.action as ListAction,
    kind: row.kind as ListKind,
    value: row.value as string,
    shown: row.shown as string,
    reason: row.reason === null ? null : decodeText(row.reason as string),
    author: decodeText(row.author as string),
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    hits: row.hits as number,
    lastHitAt: row.last_hit_at as number | null,
  };
}
