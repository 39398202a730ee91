/** Messages of the dashboard's API about keys in shadow mode. */
import type { KeyMode } from '../model/key-mode.ts';
import type { VerdictCounts } from './dashboard-account.ts';
import type { AssessmentRow, IndexBacklog, Period } from './dashboard-assessments.ts';
import type { ReasonCode } from './reasons.ts';

/** Report about keys in shadow mode; those without such signups in the period are left out, unless they are in shadow mode now. */
export interface ShadowReport {
  readonly indexing: IndexBacklog | null;
  readonly period: Period;
  /** Instant before which signups were not counted; `null`: all were counted. */
  readonly counted_from: string | null;
  /** Keys in shadow mode first, then by signups. */
  readonly keys: readonly ShadowKeyReport[];
}

export interface ShadowKeyReport {
  readonly id: string;
  readonly name: string;
  readonly mode: KeyMode;
  /** First letters of the key. */
  readonly prefix: string;
  /** Whether it is in shadow mode now. */
  readonly shadow: boolean;
  readonly revoked: boolean;
  /** Version of the key, as in the list of keys. */
  readonly version: string;
  /** Signups that were answered with `allow`, by the verdict that was found. */
  readonly verdicts: VerdictCounts;
  /** Reasons of the signups that would have been challenged or blocked, most frequent first, at most 5. */
  readonly reasons: readonly { readonly code: ReasonCode; readonly count: number }[];
  /** Main findings of these signups, most frequent first, at most 5. */
  readonly findings: readonly { readonly detector: string; readonly count: number }[];
  /** Reports of people. */
  readonly reported: {
    /** Good customers that would have been challenged or blocked. */
    readonly good_stopped: number;
    /** Good customers that would have been allowed. */
    readonly good_allowed: number;
    /** Fraud that would have been challenged or blocked. */
    readonly fraud_stopped: number;
    /** Fraud that would have been allowed. */
    readonly fraud_allowed: number;
  };
  /** Signups that would have been challenged or blocked, newest first, at most 5. */
  readonly latest: readonly AssessmentRow[];
}
