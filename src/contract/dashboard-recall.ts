/** Messages of the dashboard's API about recall: who got in before, and would not come in now. */
import type { RecallCause } from '../model/recall.ts';
import type { AssessmentRow, IndexBacklog } from './dashboard-assessments.ts';
import type { FilterMembers } from './dashboard-signup-counts.ts';
import type { Verdict } from './messages.ts';

export interface RecallReport {
  /** Days of signups that are judged again; `null`: recall is off. */
  readonly days: number | null;
  /** Hour of the account's day at which it begins. */
  readonly hour: number;
  /** `never`: none was made yet. `waiting`: somebody asked for one. */
  readonly state: 'never' | 'waiting' | 'running' | 'ended';
  readonly indexing: IndexBacklog | null;
  /** The newest run, under way or ended; `null` before the first. */
  readonly run: RecallRunRow | null;
  /** Signups that would not come in now, without those that somebody has seen. At most 5,000 are kept. */
  readonly total: number;
  readonly block: number;
  readonly challenge: number;
  /** Their causes, the largest first. */
  readonly causes: readonly RecallCauseRow[];
  /** Signups that somebody has seen. */
  readonly seen: number;
  readonly newest: readonly RecalledRow[];
}

export interface RecallRunRow {
  readonly began_at: string;
  /** `null`: it is under way. */
  readonly ended_at: string | null;
  /** Signups from then on are judged. */
  readonly since: string;
  readonly judged: number;
  /** Whether there were more than a run judges or keeps. */
  readonly partial: boolean;
}

export interface RecallCauseRow {
  readonly cause: RecallCause;
  /** Id of the entry, the source or the wave; empty for any other cause. */
  readonly id: string;
  /** Name for people: the value of the entry, the id of the source, what the wave is; empty where there is none any more. */
  readonly name: string;
  readonly block: number;
  readonly challenge: number;
  readonly total: number;
  readonly filter: FilterMembers;
}

export interface RecalledRow extends AssessmentRow {
  readonly new_verdict: Verdict;
  readonly new_score: number;
  /** Detector of the heaviest finding that is new or weighs more. */
  readonly new_finding: string;
}

export interface RecallDismissed {
  readonly dismissed: number;
}
