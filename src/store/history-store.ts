/** The port for looking back: the log of assessments, what was reported of them, and what they add up to. */
import type { Label } from '../contract/dashboard-labels.ts';
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { KeyMode } from '../model/key-mode.ts';

/** An assessment as the log shows it. Times are milliseconds since the epoch; `null` means absent. */
export interface LoggedAssessment {
  readonly requestId: string;
  readonly at: number;
  readonly mode: KeyMode;
  readonly verdict: Verdict;
  readonly score: number;
  readonly reasons: readonly ReasonCode[];
  /** `j***@example.com`, or the whole address where the operator keeps it. */
  readonly email: string;
  readonly emailDomain: string;
  readonly ip: string | null;
  readonly countryCode: string;
  readonly asn: number;
  readonly keyId: string;
  /** Empty where the key is unknown. */
  readonly keyName: string;
  readonly sessionId: string | null;
  readonly feedback: Label | null;
}

/** What to look for; absent members do not filter. */
export interface LogSearch {
  readonly mode?: KeyMode;
  readonly verdicts?: readonly Verdict[];
  readonly reason?: ReasonCode;
  /** 0 … 100, inclusive. */
  readonly scoreMin?: number;
  readonly scoreMax?: number;
  /** As it is stored: lower case, A-labels. */
  readonly domain?: string;
  /** First and last address of a block in canonical text, of one family; one address twice for itself. */
  readonly ip?: { readonly first: string; readonly last: string };
  readonly asn?: number;
  /** Upper case. */
  readonly country?: string;
  readonly keyId?: string;
  /** Milliseconds since the epoch; `from` inclusive, `to` exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly feedback?: Label | 'any' | 'none';
  readonly sessionId?: string;
  readonly requestId?: string;
}

/** A place in the log, between an assessment and the next older one. */
export interface LogPosition {
  readonly at: number;
  readonly seq: number;
}

export interface HistoryPage {
  /** Newest first: by `at`, then by order of commit. */
  readonly rows: readonly LoggedAssessment[];
  /** Where to go on; `null` at the end of the log. */
  readonly next: LogPosition | null;
  /** The search stopped for now before the page was full, though there may be more at `next`. */
  readonly partial: boolean;
}

export interface StoredFeedback {
  readonly outcome: Label;
  readonly note: string | null;
  readonly at: number;
  /** The name of the key that gave it, or the id that was stored with it where there is no such key. */
  readonly by: string;
}

/** An assessment with all that was stored of it. */
export interface WholeAssessment {
  readonly row: LoggedAssessment;
  /** The exact body that was answered. */
  readonly body: string;
  /** Evidence, findings and policy as JSON. */
  readonly evidence: string;
  readonly feedback: StoredFeedback | null;
}

export interface RelatedSignups {
  readonly relation: 'ip' | 'mailbox' | 'domain' | 'session';
  /** What they share: the address or its /64, the masked address, the domain, the session. */
  readonly shared: string;
  /** Newest first, at most 10, without the assessment itself. */
  readonly rows: readonly LoggedAssessment[];
  readonly more: boolean;
}

/** What the simulator judges again. */
export interface ReplayableAssessment {
  readonly row: LoggedAssessment;
  /** Evidence, findings and policy as JSON. */
  readonly evidence: string;
}

export interface ReplaySearch {
  readonly mode: KeyMode;
  /** Milliseconds since the epoch, inclusive. */
  readonly since: number;
  readonly keyId?: string;
}

/** The signups that a list entry can match. Domains are lower case, A-labels. */
export type ListScope =
  /** Keyed hashes of the address, and of its mailbox. */
  | { readonly address: string; readonly mailbox: string }
  /** This domain and all below it. */
  | { readonly domain: string }
  /** As in `LogSearch`. */
  | { readonly ip: { readonly first: string; readonly last: string } }
  | { readonly asn: number }
  | { readonly country: string };

/** A signup that a list entry may match. */
export interface ListCandidate {
  readonly row: LoggedAssessment;
  /** Keyed hash of its address. */
  readonly addressHash: string;
}

export interface ListCandidates {
  readonly candidates: readonly ListCandidate[];
  /** They are at names below the domain of the scope, not at its own. */
  readonly below: boolean;
  /** Set where the search ends early: older ones than this instant were not looked at. */
  readonly reached: number | null;
}

export interface FeedbackPosition {
  readonly at: number;
  readonly requestId: string;
}

export interface StoredFeedbackPage {
  readonly entries: readonly { readonly row: LoggedAssessment; readonly mark: StoredFeedback }[];
  readonly next: FeedbackPosition | null;
}

export interface LabelCounts {
  readonly totals: Readonly<Record<Label, number>>;
  readonly reasons: readonly {
    readonly code: ReasonCode;
    /** Assessments with this reason that were challenged or blocked. */
    readonly given: number;
    /** Of these, those that were labelled, by label. */
    readonly labels: Readonly<Record<Label, number>>;
  }[];
}

/** Whole slots of traffic: `from` and `to` are milliseconds at multiples of `SLOT_MS`; `to` is outside. */
export interface TrafficSpan {
  readonly mode: KeyMode;
  readonly from: number;
  readonly to: number;
}

/** The finest time that traffic is added up by: half an hour. */
export const SLOT_MS = 1_800_000;

export interface Traffic {
  /** When it was read, milliseconds since the epoch: a little ago where adding it up takes long. */
  readonly readAt: number;
  /** Slots with traffic, oldest first; `at` is where a slot begins. */
  readonly slots: readonly ({ readonly at: number } & Readonly<Record<Verdict, number>>)[];
  /** Most frequent first. The weight of a reason in an assessment is what its findings weigh together. */
  readonly reasons: readonly {
    readonly code: ReasonCode;
    readonly count: number;
    readonly meanWeight: number;
  }[];
  /** Milliseconds, exact below 64 and within 4 % above; `null` without traffic. */
  readonly latency: { readonly p50: number | null; readonly p95: number | null };
}

/** How many assessments a UTC day had. */
export interface DayCount {
  /** `2026-05-10` */
  readonly day: string;
  readonly live: number;
  readonly test: number;
}

/** How far the index of the log is, where it does not include everything yet. */
export interface IndexProgress {
  /** Assessments that can be found, of all that are stored. */
  readonly indexed: number;
  readonly total: number;
  /** About how long it takes until nothing is left; at least 1. */
  readonly secondsLeft: number;
}

/**
 * Answers on a thread or a pool of its own, so that assessments never wait for it. An answer includes everything that was
 * acknowledged before it was asked, except where so much is not indexed yet that nobody would wait for it: then it comes
 * from what is indexed, and `indexing` tells. Each throws Problem `unavailable` when too much is asked at once.
 */
export interface LogStore {
  /**
   * Waits a moment for what is not indexed yet. `null`: what is asked from now on is answered with everything that was
   * acknowledged before this call, or with all of it that was made before `to` (milliseconds since the epoch).
   */
  indexing(to?: number): Promise<IndexProgress | null>;
  /** Looks at a bounded number of rows. Newest first, strictly after `after` where it is given. */
  findAssessments(
    accountId: string,
    search: LogSearch,
    after: LogPosition | null,
    limit: number,
  ): Promise<HistoryPage>;
  /** The same without an end, a chunk at a time. */
  exportAssessments(accountId: string, search: LogSearch): AsyncIterable<readonly LoggedAssessment[]>;
  /** `undefined` when the account has none of this id. */
  findAssessment(accountId: string, requestId: string): Promise<WholeAssessment | undefined>;
  /** Groups with related signups, in the order of `relation` above; `undefined` as for `findAssessment`. */
  related(accountId: string, requestId: string): Promise<readonly RelatedSignups[] | undefined>;
  /** Newest first, a chunk at a time, at most `limit` altogether. */
  replayableAssessments(
    accountId: string,
    search: ReplaySearch,
    limit: number,
  ): AsyncIterable<readonly ReplayableAssessment[]>;
  /**
   * Live signups since an instant that an entry of a list may speak about, a chunk at a time, newest first; those of a
   * domain itself come before those of the domains below it. Looks at no more than about `limit` assessments for either.
   */
  listCandidates(
    accountId: string,
    scope: ListScope,
    since: number,
    limit: number,
  ): AsyncIterable<ListCandidates>;
  /** Reported mistakes, newest first, of assessments made since an instant. Confirmed frauds are no mistakes. */
  reportedMistakes(
    accountId: string,
    of: { readonly mode: KeyMode; readonly since: number },
    after: FeedbackPosition | null,
    limit: number,
  ): Promise<StoredFeedbackPage>;
  /** Of assessments made in whole slots; of the newest 50,000 labels at most. */
  labelCounts(accountId: string, span: TrafficSpan): Promise<LabelCounts>;
  traffic(accountId: string, span: TrafficSpan): Promise<Traffic>;
  /** Days with traffic, oldest first; `from` and `to` are starts of UTC days in milliseconds, `to` outside. */
  dayCounts(accountId: string, from: number, to: number): Promise<readonly DayCount[]>;
}
