/** The report of a test of a policy. */
import type { CaseResult } from './judge-cases.ts';
import type { GroupResult } from './judge-month.ts';
import type { TestedRules } from './tested-rules.ts';

/** Results of the month under one set of rules. */
export interface RulesReport {
  readonly rules: TestedRules;
  readonly results: readonly GroupResult[];
  readonly failures: readonly PolicyFailure[];
  /** Names of those that miss their floor and may. */
  readonly accepted: readonly string[];
}

export interface PolicyReport {
  readonly runs: readonly RulesReport[];
  readonly cases: readonly CaseResult[];
  readonly failures: readonly PolicyFailure[];
  /** Entries of the file of which only a masked address is known. */
  readonly untested: number;
  readonly checks: number;
}

export interface PolicyFailure {
  /** `policy.yaml:12:5`; empty where it is about the defaults. */
  readonly place: string;
  readonly label: string;
  readonly kind: 'wave' | 'crowd' | 'everyday' | 'case';
  readonly name: string;
  readonly what: string;
  /** Change that would help; empty where none alone would. */
  readonly remedy: string;
}
