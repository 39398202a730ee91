/** A policy as both databases keep it: numbered in its account, named by its number. */
import type { NewPolicy, StoredPolicy } from './dashboard-store.ts';
import { decodeText, encodeText } from './text.ts';

export interface PolicyRow {
  readonly account_id: string;
  readonly number: number;
  readonly weights: string;
  readonly created_at: number;
  readonly author: string;
  readonly note: string;
}

/** In the order of the columns, from `weights` to `note`. */
export function policyValues({ weights, createdAt, author, note }: NewPolicy): (string | number)[] {
  return [JSON.stringify(weights), createdAt, encodeText(author), encodeText(note)];
}

export function toPolicy(row: PolicyRow): StoredPolicy {
  return {
    accountId: row.account_id,
    version: versionName(row.number),
    weights: JSON.parse(row.weights) as Record<string, number>,
    createdAt: row.created_at,
    author: decodeText(row.author),
    note: decodeText(row.note),
  };
}

export function versionName(number: number): string {
  return `custom-${number}`;
}
