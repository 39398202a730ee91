/** How a decision about a mail host lies in a row, alike in every store. */
import type { HostDecision } from './host-decision-store.ts';
import { decodeText } from './text.ts';

export interface HostDecisionRow {
  readonly key: string;
  readonly generation: number;
  readonly never_flag: boolean | number;
  readonly author: string;
  readonly at: number;
}

export function toHostDecision({ key, generation, never_flag, author, at }: HostDecisionRow): HostDecision {
  return { key, generation, neverFlag: Boolean(never_flag), by: decodeText(author), at };
}
