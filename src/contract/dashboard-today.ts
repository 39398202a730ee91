/** Messages of the dashboard's API for its first page: what happened, what needs a person, what changed. */
import type { KeyMode } from '../model/key-mode.ts';
import type { ListAction } from '../model/list-entry.ts';
import type { AnswerCounts, LabelledCounts } from './dashboard-account.ts';
import type { AlertRow } from './dashboard-alerts.ts';
import type { IndexBacklog, Period } from './dashboard-assessments.ts';
import type { FilterMembers } from './dashboard-signup-counts.ts';
import type { ChallengeResult } from './messages.ts';

export type { Period } from './dashboard-assessments.ts';

export interface Today {
  /** `null`: everything that was stored is included. */
  readonly indexing: IndexBacklog | null;
  readonly period: Period;
  /** Start of the period: whole hours or days of the account's clock. */
  readonly since: string;
  /** Time at which the numbers were read: the last hour or day of the period is not over. */
  readonly as_of: string;
  /**
   * One entry a bucket (24h: 1 h; 7d: 4 h; 30d: 1 day, of the account's clock), oldest first, empty ones and those to come
   * with zeros. `at`: when it begins; `to`: when the next does.
   */
  readonly series: readonly ({ readonly at: string; readonly to: string } & AnswerCounts)[];
  readonly totals: AnswerCounts;
  /**
   * Keys that let in `totals.observed`, those with the most first; empty also where there are too many signups in shadow
   * mode to count them by key.
   */
  readonly observed_keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly challenge: number;
    readonly block: number;
  }[];
  /** Results of the challenged signups whose application has said what became of them. */
  readonly challenges: Readonly<Record<ChallengeResult, number>>;
  /** Reports about signups that were blocked: those of the period, and of 7 days where it is one of 24 hours. */
  readonly checked: LabelledCounts & { readonly period: Period };
  /**
   * Waves with members in the period, without those that people dismissed, at most 50; and its other alerts, those that are
   * open now and those that are over. `null`: of the sandbox, and where there is less than a week of signups to compare with.
   */
  readonly unusual: { readonly waves: number; readonly open: number; readonly over: number } | null;
  /** Time of the newest assessment of this mode, at least its UTC day; `null` where there is none. */
  readonly latest: string | null;
  /** Milliseconds over the period; `null` without traffic. */
  readonly latency: { readonly p50: number | null; readonly p95: number | null };
  readonly intelligence: {
    readonly sources: number;
    readonly stale: number;
    readonly refused: number;
    /** Age of the oldest source that is fetched, seconds; `null` when none was. */
    readonly oldest_seconds: number | null;
  };
}

export interface TodayNeeds {
  /** The most harmful first, at most 5. */
  readonly needs: readonly Need[];
  /** Number of those that are left out. */
  readonly more: number;
  readonly marks: TodayMarks;
}

/** Something that waits for a person. */
export type Need =
  | CampaignNeed
  | CampaignsNeed
  | AlertNeed
  | RecalledNeed
  | GoodStoppedNeed
  | RequestsNeed
  | EntriesNeed
  | ShadowLookNeed
  | ShadowReadyNeed;

/** A wave that nobody has decided about. */
export interface CampaignNeed {
  readonly kind: 'campaign';
  readonly id: string;
  readonly summary: string;
  readonly members: number;
  readonly let_in: number;
}

/** Other waves that nobody has decided about. */
export interface CampaignsNeed {
  readonly kind: 'campaigns';
  readonly count: number;
  readonly let_in: number;
}

/** An open alert that is not about a wave. */
export interface AlertNeed {
  readonly kind: 'alert';
  readonly alert: AlertRow;
}

/** Signups that got in before, and would not come in now: numbers by the verdict that they would get. */
export interface RecalledNeed {
  readonly kind: 'recalled';
  readonly block: number;
  readonly challenge: number;
}

/** Good customers of the last 7 days who were blocked for the same main finding. */
export interface GoodStoppedNeed extends LabelledCounts {
  readonly kind: 'good_stopped';
  readonly detector: string;
}

/** Customers whom a member asks to let in. */
export interface RequestsNeed {
  readonly kind: 'requests';
  readonly count: number;
}

/** Entries of one list that end before the end of tomorrow, by the account's clock. */
export interface EntriesNeed {
  readonly kind: 'entries';
  readonly action: ListAction;
  readonly count: number;
  /** Signups that they decided. */
  readonly hits: number;
  /** The one with the most hits. */
  readonly first: { readonly id: string; readonly value: string; readonly expires_at: string };
}

/** A key whose shadow mode has seen enough, and would have stopped no good customer that people know. */
export interface ShadowReadyNeed {
  readonly kind: 'shadow_ready';
  readonly id: string;
  readonly name: string;
  readonly mode: KeyMode;
  readonly days: number;
  readonly signups: number;
  /** Percent of people for whom it enforces already. */
  readonly enforced_share: number;
}

/** A key whose shadow mode has seen enough, and would have stopped good customers that people know: somebody has to look. */
export interface ShadowLookNeed extends Omit<ShadowReadyNeed, 'kind'> {
  readonly kind: 'shadow_look';
  /** Good customers that it would have stopped. */
  readonly good_stopped: number;
}

/** Alerts and changes that explain the chart of answers, oldest first. */
export interface TodayMarks {
  readonly alerts: readonly (Pick<AlertRow, 'id' | 'title' | 'state'> & { readonly at: string })[];
  /** The account's own changes of thresholds, weights, lists and shadow mode, at most 100, the newest. */
  readonly changes: readonly { readonly at: string; readonly action: string }[];
}

export interface TodayChanges {
  readonly period: Period;
  /** Start of what is compared with; `null`: there are too few days of signups. */
  readonly compared_since: string | null;
  /** Values that are far above the usual, those that grew most first, at most 5. */
  readonly changes: readonly ChangedShare[];
}

export interface ChangedShare {
  readonly by: 'network' | 'domain' | 'finding';
  /** The value for people. */
  readonly label: string;
  /** Signups of the period that have it. */
  readonly count: number;
  /** The same in as much of a usual period as has passed of this one. */
  readonly usual: number;
  readonly filter: FilterMembers;
}
