/** The form of a policy file: what decides about the signups of each account, as people write it down and review it. */
import type { Verdict } from '../../contract/messages.ts';
import type { ListValue } from '../../evidence/list-value.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { ListAction } from '../../model/list-entry.ts';
import type { Thresholds, Weights } from '../../model/policy.ts';
import type { BroughtBy } from '../../model/signup-attempt.ts';
import type { CaseEvidence } from './case-evidence.ts';

/** Version of this form. */
export const POLICY_VERSION = 1;

export interface PolicyFile {
  readonly accounts: readonly AccountPolicy[];
  readonly cases: readonly PolicyCase[];
  /** Waves and crowds that may miss their floor. */
  readonly accepted: readonly AcceptedMiss[];
}

/** Rules of one account. The file does not name an absent member. */
export interface AccountPolicy {
  readonly place: string;
  readonly id?: string;
  readonly name?: string;
  readonly thresholds?: FileThresholds;
  readonly keys: readonly KeyPolicy[];
  readonly weights: readonly FileWeight[];
  readonly entries: readonly FileEntry[];
}

export interface FileThresholds {
  readonly place: string;
  /** `null`: the account's for a key, the defaults for an account. */
  readonly value: Thresholds | null;
}

export interface KeyPolicy {
  readonly place: string;
  readonly id?: string;
  readonly name: string;
  readonly mode: KeyMode;
  readonly thresholds: FileThresholds;
}

export interface FileWeight {
  readonly place: string;
  readonly detector: string;
  readonly weight: number;
}

export interface FileEntry {
  readonly place: string;
  readonly action: ListAction;
  /** Text in the file: the value, or its masked form where only a hash is stored. */
  readonly text: string;
  /** `null` for an address of which only a hash is stored: the entry is known by its id. */
  readonly value: ListValue | null;
  readonly id?: string;
  readonly reason: string | null;
  /** Milliseconds since the epoch; `null`: never. */
  readonly expiresAt: number | null;
  /** Whether a domain that many unrelated people share is meant as it is. */
  readonly isWide: boolean;
}

/** A signup with the verdict that it must get. */
export interface PolicyCase {
  readonly place: string;
  readonly name: string;
  /** Name or id of an account of the file; absent where the file has one account. */
  readonly account?: string;
  /** Name of a key. */
  readonly key?: string;
  readonly email: string;
  readonly ip: string | null;
  readonly broughtBy: BroughtBy | null;
  readonly evidence: CaseEvidence;
  readonly expected: readonly Verdict[];
}

export interface AcceptedMiss {
  readonly place: string;
  readonly name: string;
}

export function weightsOf(weights: readonly FileWeight[]): Weights {
  return Object.fromEntries(weights.map(({ detector, weight }) => [detector, weight]));
}
