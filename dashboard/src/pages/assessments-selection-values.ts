/** Decides which values of chosen signups can be put on a list: what they have in common, the most frequent first. Addresses are masked, and networks need a confirmation each: neither is among them. */
import type { NamedSignup } from '../../../src/contract/dashboard-assessments.ts';
import { rangeOf } from './assessment-subjects.ts';

export const VALUE_KINDS = ['range', 'ip', 'domain'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export interface ChosenValue {
  readonly value: string;
  /** Chosen signups that have it. */
  readonly count: number;
}

/** Values of a list that are offered at once. */
export const MAX_VALUES = 100;

export function valuesOf(rows: readonly NamedSignup[], kind: ValueKind): ChosenValue[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = valueIn(row, kind);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function valueIn({ ip, domain }: NamedSignup, kind: ValueKind): string | undefined {
  if (kind === 'domain') return domain;
  if (ip === null) return undefined;
  return kind === 'ip' ? ip : rangeOf(ip);
}
