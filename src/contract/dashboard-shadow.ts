/** Messages of the dashboard's API about keys in shadow mode. */
import type { KeyMode } from '../model/key-mode.ts';
import type { VerdictCounts } from './dashboard-account.ts';
import type { AssessmentRow, IndexBacklog, Period } from './dashboard-assessments.ts';
import type { ReasonCode } from './reasons.ts';

/** `look`: it would have stopped good customers whom people know. */
export type ReadinessState = 'collecting' | 'look' | 'ready';

/** Whether a key in shadow mode has seen enough to enforce, by its observed signups of the last 30 days. */
export interface ShadowReadiness {
  readonly state: ReadinessState;
  /** Days since the oldest of them, rounded down. */
  readonly days: number;
  /** Days and signups that are still missing. */
  readonly missing: { readonly days: number; readonly signups: number };
  /** The signups, by the verdict that was found. */
  readonly verdicts: VerdictCounts;
  readonly reported: ShadowReports;
  /** Main findings of the good customers that it would have stopped, most frequent first, at most 3. */
  readonly causes: readonly ShadowCause[];
}

/** Signups with the same main finding that people reported, and that would have been challenged or blocked. */
export interface ShadowCause {
  readonly detector: string;
  readonly good: number;
  readonly fraud: number;
}

/** Reports of people about observed signups. */
export interface ShadowReports {
  /** Good customers that would have been challenged or blocked. */
  readonly good_stopped: number;
  /** Good customers that would have been allowed. */
  readonly good_allowed: number;
  /** Fraud that would have been challenged or blocked. */
  readonly fraud_stopped: number;
  /** Fraud that would have been allowed. */
  readonly fraud_allowed: number;
}

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
  /** Percent of people for whom it enforces now. */
  readonly enforced_share: number;
  readonly revoked: boolean;
  /** Readiness of a valid live key in shadow mode; `null` for any other. */
  readonly readiness: ShadowReadiness | null;
  /** Version of the key, as in the list of keys. */
  readonly version: string;
  /** Signups that were answered with `allow`, by the verdict that was found. */
  readonly verdicts: VerdictCounts;
  /** Reasons of the signups that would have been challenged or blocked, most frequent first, at most 5. */
  readonly reasons: readonly { readonly code: ReasonCode; readonly count: number }[];
  /** Main findings of these signups, most frequent first, at most 5. */
  readonly findings: readonly { readonly detector: string; readonly count: number }[];
  readonly reported: ShadowReports;
  /** Signups that would have been challenged or blocked, newest first, at most 5. */
  readonly latest: readonly AssessmentRow[];
}
