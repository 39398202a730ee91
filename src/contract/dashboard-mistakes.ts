/** Messages of the dashboard's API about the queue of mistakes: what people reported, by cause, and what would help. */
import type { Thresholds } from '../model/policy.ts';
import type { LabelEffect, LabelledCounts } from './dashboard-account.ts';
import type {
  AssessmentRow,
  FeedbackMark,
  FindingReports,
  IndexBacklog,
  ReasonReports,
} from './dashboard-assessments.ts';
import type { FilterMembers } from './dashboard-signup-counts.ts';

export const MISTAKE_STATES = ['open', 'done'] as const;
/** Whether somebody has dealt with it: closed it, or let the customer in. */
export type MistakeState = (typeof MISTAKE_STATES)[number];

export interface MistakeRow extends AssessmentRow {
  /** `request`: a colleague who may not let the customer in asks for it. `appeal`: the person herself wrote; the note is her text. */
  readonly kind: 'report' | 'request' | 'appeal';
  readonly mark: FeedbackMark;
  /** Id of its group. */
  readonly cause: string;
  /** `null` while it is open. */
  readonly closed: { readonly by: string; readonly at: string; readonly until: string | null } | null;
  /** Send it when you let the customer in: it is refused if somebody else reported something meanwhile. */
  readonly version: string;
}

/** The change that would help a group; whoever makes it sees its whole effect first. */
export type Remedy =
  | {
      readonly kind: 'thresholds';
      readonly moves: keyof Thresholds;
      readonly from: number;
      readonly to: number;
      readonly thresholds: Thresholds;
    }
  | { readonly kind: 'entry'; readonly action: 'allow' | 'deny'; readonly value: string }
  | { readonly kind: 'wave'; readonly id: string }
  | { readonly kind: 'office'; readonly value: string; readonly request_id: string }
  | {
      readonly kind: 'list';
      readonly action: 'allow' | 'deny';
      readonly domain: string;
      readonly request_id: string;
    };

/** Effect of a remedy on signups that people reported. */
export interface RemedyEffect {
  readonly effect: LabelEffect;
  readonly labelled: LabelledCounts;
  /** The signups that are counted, of both labels. */
  readonly filters: { readonly good: FilterMembers; readonly fraud: FilterMembers };
  /** Share of those that it is right for, in percent: 95 of 100 such intervals contain the true one; `null` without labels. */
  readonly right: { readonly low: number; readonly high: number } | null;
  /** Whether the labels show that it is right for more than half; a change of thresholds is proposed only then. */
  readonly carries: boolean;
}

export interface MistakeGroup {
  readonly cause: string;
  readonly title: string;
  /** Its open mistakes: good customers who were stopped, or fraud that was let in. */
  readonly side: 'good' | 'fraud';
  readonly count: number;
  readonly remedy: (RemedyEffect & { readonly change: Remedy }) | null;
}

export interface MistakeQueue {
  /** Mistakes of one state and, where it was asked for, one cause; newest first. */
  readonly rows: readonly MistakeRow[];
  readonly open: number;
  readonly done: number;
  /** Set where there are too many: those reported before this instant were not read. */
  readonly reached: string | null;
  /** Groups of the open ones: those in which somebody waits first, then the largest. The first page has them. */
  readonly groups: readonly MistakeGroup[];
}

/** Result of closing reports, or of opening them again. */
export interface MistakesChanged {
  readonly changed: number;
  /** Reports that stay: somebody closed them, or reported something else, meanwhile. */
  readonly unchanged: number;
  /** Token that opens closed ones again; `null`: there is nothing to take back. */
  readonly undo: string | null;
}

export interface FeedbackPage {
  /** Progress of the index. Where it is not `null`, `stopped` lacks the newest signups. */
  readonly indexing: IndexBacklog | null;
  readonly queue: MistakeQueue;
  readonly cursor: string | null;
  /** Most harmful first: by how many were reported wrong, then by their share, then by how many were stopped. */
  readonly reasons: readonly ReasonReports[];
  /** Reports by main finding, in the same order. */
  readonly findings: readonly FindingReports[];
  readonly totals: {
    readonly false_positives: number;
    readonly false_negatives: number;
    readonly confirmed: number;
  };
}
