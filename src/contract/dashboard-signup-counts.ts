/** Messages of the dashboard's API about counts of signups: in total, over time, and by groups. Instants are RFC 3339 texts. */
import type { AnswerCounts } from './dashboard-account.ts';
import type { AssessmentFilter, IndexBacklog } from './dashboard-assessments.ts';

/** Members of a filter to be set; an empty one is to be removed. */
export type FilterMembers = { readonly [Name in keyof AssessmentFilter]?: string };

/**
 * Properties by which signups can be grouped. A range is a /24, or a /64 of IPv6; a finding the main one; a mail host the
 * registrable domain of the first mail exchange; an hour is one of UTC.
 */
export const GROUPINGS = [
  'range',
  'network',
  'domain',
  'finding',
  'mailbox',
  'mail_host',
  'session',
  'country',
  'key',
  'hour',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Signups by answer; `total` is their sum. */
export interface SignupSplit extends AnswerCounts {
  readonly total: number;
}

/** Counts of what a filter finds. Reads the newest 50,000 signups at most. */
export interface SignupCounts extends SignupSplit {
  /** Instant before which signups were not read, because there are too many; `null`: all are counted. */
  readonly counted_from: string | null;
  readonly indexing: IndexBacklog | null;
}

export interface SignupSummary extends SignupCounts {
  /** Length of a bucket, milliseconds. Days and weeks begin in the account's time zone, and are an hour longer or shorter when clocks change. */
  readonly bucket_ms: number;
  /** Buckets without gaps, oldest first, at most 100; `at` is the start. None where nothing is found. */
  readonly buckets: readonly (SignupSplit & { readonly at: string })[];
  /** End of the last bucket. */
  readonly until: string;
}

export interface SignupGroup extends SignupSplit {
  /** A CIDR block, `AS64500`, a hash, an instant, …; `null`: the signups without a value. */
  readonly value: string | null;
  /** The value for people. */
  readonly label: string;
  readonly first_at: string;
  readonly last_at: string;
  /** The change that makes the filter find exactly these. */
  readonly filter: FilterMembers;
}

export interface SignupGroups extends SignupCounts {
  readonly by: Grouping;
  /** The largest 20, the largest first. */
  readonly groups: readonly SignupGroup[];
  /** All smaller groups together; `null`: there are none. */
  readonly others:
    | (SignupSplit & {
        readonly groups: number;
        /** The change, as of a group; `null` where no filter finds exactly these. */
        readonly filter: FilterMembers | null;
      })
    | null;
}
