/** The port of the history: stored assessments, reports about them, and sums over them. */
import type { AnswerCounts, FindingCount } from '../contract/dashboard-account.ts';
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Grouping } from '../contract/dashboard-signup-counts.ts';
import type { FilterValues } from '../contract/filter-values.ts';
import type { ChallengeResult, Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { ListScope } from '../model/list-entry.ts';
import type { SignupOutcome } from '../model/outcome.ts';
import type { StoredChallenge } from './challenge-store.ts';
import type { ReportClosing } from './mistake-store.ts';
import type { RecallFilter } from './recall-store.ts';
import type { StoredAssessment } from './stored-assessment.ts';

/** A stored assessment as lists show it. Times are milliseconds since the epoch; `null` means absent. */
export interface HistoryEntry {
  readonly requestId: string;
  readonly at: number;
  readonly mode: KeyMode;
  /** It was answered with `allow`, because its key was in shadow mode; `verdict`, `score` and `reasons` say what the judgement was. */
  readonly shadow: boolean;
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
  /** Text that its main finding and its explanation are made from, as `StoredAssessment` has it. */
  readonly facts: string;
}

/** Filters; absent members do not filter. */
export interface HistorySearch {
  readonly mode?: KeyMode;
  /** Whether they were answered in shadow mode. */
  readonly shadow?: boolean;
  readonly verdicts?: readonly Verdict[];
  /** Whether they were answered with `allow`, whatever the verdict was. */
  readonly letIn?: boolean;
  readonly reason?: ReasonCode;
  /** Detector of the main finding; empty: there is none. */
  readonly finding?: string;
  /** 0 … 100, inclusive. */
  readonly scoreMin?: number;
  readonly scoreMax?: number;
  /** Domain as it is stored: lower case, A-labels. */
  readonly domain?: string;
  /** First and last address of a block in canonical text, of one family; a single address twice. */
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
  /** Keyed hash of the mailbox. */
  readonly mailbox?: string;
  /** Id of a wave or an alert, outcomes, and what a recall found: pages have these replaced by the ids of the signups (`http/attack-signups.ts`), a store does not look at them. */
  readonly attack?: string;
  readonly outcomes?: readonly SignupOutcome[];
  readonly recalled?: RecallFilter;
  /** Properties with several values, or with values to leave out. A single value is a member above: an index finds it. */
  readonly where?: HistoryChoices;
}

/** Properties that a search may choose several values of, and leave values out; `null`: the absence of a value. */
export interface ChosenValues {
  /** An assessment may have several. */
  readonly reason: ReasonCode | null;
  /** Detector of the main finding; empty: there is none. */
  readonly finding: string;
  readonly domain: DomainScope;
  readonly ip: NonNullable<HistorySearch['ip']> | null;
  /** 0: unknown. */
  readonly asn: number;
  /** Upper case; empty: unknown. */
  readonly country: string;
  readonly keyId: string;
  readonly sessionId: string | null;
  /** Keyed hash. */
  readonly mailbox: string;
  /** First mail exchange, or a name above it. */
  readonly mailHost: string | null;
  /** Id of the entry of an own list that decided, or of the shared office where none did. */
  readonly listEntry: string | null;
  /** Id of the wave that it was judged as a member of. */
  readonly campaign: string | null;
  readonly requestId: string;
  readonly feedback: Label | null;
}

export type HistoryChoices = { readonly [Name in keyof ChosenValues]?: FilterValues<ChosenValues[Name]> };

export interface DomainScope {
  /** Lower case, A-labels. */
  readonly domain: string;
  /** Names below it belong to it, too. */
  readonly below: boolean;
}

/** A position in the history, between an assessment and the next older one. */
export interface HistoryPosition {
  readonly at: number;
  readonly seq: number;
}

export interface HistoryPage {
  /** Newest first: by `at`, then by order of commit. */
  readonly rows: readonly HistoryEntry[];
  /** Position where the next page begins; `null` at the end. */
  readonly next: HistoryPosition | null;
  /** The search reached its limit before the page was full; there may be more at `next`. */
  readonly partial: boolean;
}

/** Numbers of signups that a search finds. */
export interface CountedVerdicts extends Readonly<Record<Verdict, number>> {
  /** Set where the count ends early: those older than this instant were not read. */
  readonly reached: number | null;
}

/** Counts of what a search finds, by the values of one property. */
export interface SearchGroups {
  /** The largest first. */
  readonly groups: readonly SearchGroup[];
  /** Set where the count ends early: those older than this instant were not read. */
  readonly reached: number | null;
}

export interface SearchGroup {
  /** Value in the form of `GroupBy`; `null`: without one. */
  readonly value: string | null;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** The part of `verdicts` that keys in shadow mode answered with Allow. */
  readonly observed: Readonly<Record<Verdict, number>>;
  /** Times at which its newest and its oldest were made. */
  readonly newestAt: number;
  readonly oldestAt: number;
}

/**
 * `all`: one group · `range`: `203.0.113.0/24`, `2001:db8::/64` · `network`: the AS number · `finding`:
 * the detector of the main finding · `mail_host`: the registrable domain of the first mail exchange · `hour`, `minute`: their number since the epoch ·
 * all others: as they are stored.
 */
export type GroupBy = Grouping | 'minute' | 'all';

export interface StoredFeedback {
  readonly outcome: Label;
  readonly note: string | null;
  readonly at: number;
  /** The name of the key that gave it, or the id that was stored with it where there is no such key. */
  readonly by: string;
  /** Absent while nobody has dealt with it. */
  readonly closed?: ReportClosing | undefined;
}

/** An assessment with everything stored about it. */
export interface WholeAssessment {
  readonly row: HistoryEntry;
  readonly stored: StoredAssessment;
  readonly feedback: StoredFeedback | null;
  /** `null`: nothing was stored about a challenge. */
  readonly challenge: ChallengeState | null;
}

export interface RelatedSignups {
  readonly relation: 'ip' | 'mailbox' | 'domain' | 'session';
  /** The value that they share: the address or its /64, the masked address, the domain, the session. */
  readonly shared: string;
  /** Newest first, at most 10, without the assessment itself. */
  readonly rows: readonly HistoryEntry[];
  readonly more: boolean;
}

/** The stored evidence that the simulator evaluates again. */
export interface ReplayableAssessment {
  readonly row: HistoryEntry;
  readonly stored: StoredAssessment;
}

export interface ReplaySearch extends Pick<HistorySearch, 'keyId' | 'ip' | 'sessionId' | 'mailbox' | 'to'> {
  readonly mode: KeyMode;
  /** Milliseconds since the epoch, inclusive. */
  readonly since: number;
}

/** A signup that a list entry may match. */
export interface ListCandidate {
  readonly row: HistoryEntry;
  /** Keyed hashes of its address and its mailbox. */
  readonly addressHash: string;
  readonly mailboxHash: string;
}

export interface ListCandidates {
  readonly candidates: readonly ListCandidate[];
  /** Whether their domains are below the domain of the scope, not the domain itself. */
  readonly below: boolean;
  /** Set where the search ends early: those older than this instant were not read. */
  readonly reached: number | null;
}

export interface FeedbackPosition {
  readonly at: number;
  readonly requestId: string;
}

export interface MistakeFilter {
  readonly mode: KeyMode;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Leaves out what challenges and outcomes said. */
  readonly byPeople?: boolean;
}

export interface StoredFeedbackPage {
  readonly entries: readonly { readonly row: HistoryEntry; readonly mark: StoredFeedback }[];
  readonly next: FeedbackPosition | null;
}

/** Assessments that were answered in shadow mode, and would have got the same. */
export interface ShadowCount {
  readonly keyId: string;
  readonly verdict: Verdict;
  readonly reasons: readonly ReasonCode[];
  /** Detector of the main finding; empty: there is none. */
  readonly finding: string;
  readonly count: number;
  /** Time at which the oldest of them was made. */
  readonly oldestAt: number;
}

/** Reports of the same kind about such assessments. */
export interface ShadowLabelCount extends Pick<ShadowCount, 'keyId' | 'verdict' | 'finding' | 'count'> {
  readonly label: Label;
}

export interface ShadowCounts {
  readonly counts: readonly ShadowCount[];
  /** Reports about them. */
  readonly labels: readonly ShadowLabelCount[];
  /** Set where there are too many to count: those older than this instant are missing. */
  readonly reached: number | null;
}

export interface LabelCounts {
  readonly totals: Readonly<Record<Label, number>>;
  readonly reasons: readonly {
    readonly code: ReasonCode;
    /** Assessments with this reason that were challenged or blocked. */
    readonly stopped: number;
    /** Counts of these by label. */
    readonly labels: Readonly<Record<Label, number>>;
  }[];
  /** The same of main findings. */
  readonly findings: readonly {
    readonly detector: string;
    readonly stopped: number;
    readonly labels: Readonly<Record<Label, number>>;
  }[];
  /** Counts of labels by main finding, verdict, and whether that was only observed. */
  readonly answered: readonly {
    /** Detector; empty: there is none. */
    readonly finding: string;
    readonly verdict: Verdict;
    readonly shadow: boolean;
    readonly label: Label;
    readonly count: number;
  }[];
}

export type ChallengeCounts = Readonly<Record<ChallengeResult, number>>;

/** Whole slots: `from` and `to` are milliseconds since the epoch, multiples of `SLOT_MS`; `to` is exclusive. */
export interface TrafficSpan {
  readonly mode: KeyMode;
  readonly from: number;
  readonly to: number;
}

/** Traffic is counted by half hours. */
export const SLOT_MS = 1_800_000;

export interface Traffic {
  /** Time at which it was read, milliseconds since the epoch: a little ago where counting takes long. */
  readonly readAt: number;
  /** Slots with traffic, oldest first; `at` is the start of a slot. */
  readonly slots: readonly ({ readonly at: number } & AnswerCounts)[];
  /** Most frequent first. The weight of a reason in an assessment is the weight of its findings together. */
  readonly reasons: readonly {
    readonly code: ReasonCode;
    readonly count: number;
    readonly meanWeight: number;
  }[];
  /** Main findings; those of which most were challenged or blocked come first. */
  readonly findings: readonly FindingCount[];
  /** Milliseconds, exact below 64 and within 4 % above; `null` without traffic. */
  readonly latency: { readonly p50: number | null; readonly p95: number | null };
}

/** The assessments of a UTC day. */
export interface DayCount {
  /** `2026-05-10` */
  readonly day: string;
  readonly live: number;
  readonly test: number;
}

/** Progress of the index, while it does not include everything. */
export interface IndexProgress {
  /** Assessments that can be found, of all that are stored. */
  readonly indexed: number;
  readonly total: number;
  /** Estimated time until the index is complete; at least 1. */
  readonly secondsLeft: number;
}

/**
 * Reads on a thread or a pool of its own, so that assessments never wait for it. A result includes everything that was
 * acknowledged before the call, unless indexing the rest would take too long: then it comes from what is indexed, and
 * `indexing` says how much that is. Each throws Problem `unavailable` when too many calls wait.
 */
export interface HistoryStore {
  /**
   * Waits a moment until the rest is indexed. `null`: later calls include everything that was acknowledged before this
   * one, or all of it that was made before `to` (milliseconds since the epoch).
   */
  indexing(to?: number): Promise<IndexProgress | null>;
  /** Reads a bounded number of assessments, newest first, from `after` on. */
  findAssessments(
    accountId: string,
    search: HistorySearch,
    after: HistoryPosition | null,
    limit: number,
  ): Promise<HistoryPage>;
  /** Counts what a page-by-page search finds; reads about as many assessments as one page of it at most. */
  countVerdicts(accountId: string, search: HistorySearch): Promise<CountedVerdicts>;
  /** Counts what a search finds, by the values of a property; reads about 50,000 assessments at most, the newest. */
  countGroups(
    accountId: string,
    search: HistorySearch,
    by: GroupBy,
    signal?: AbortSignal,
  ): Promise<SearchGroups>;
  /** Everything that the search finds, a chunk at a time. */
  exportAssessments(accountId: string, search: HistorySearch): AsyncIterable<readonly HistoryEntry[]>;
  /** `undefined` when the account has no assessment with this id. */
  findAssessment(accountId: string, requestId: string): Promise<WholeAssessment | undefined>;
  /** Groups with related signups, in the order of `relation` above; `undefined` as for `findAssessment`. */
  related(accountId: string, requestId: string): Promise<readonly RelatedSignups[] | undefined>;
  /** Newest first, a chunk at a time, at most `limit` in total. */
  replayableAssessments(
    accountId: string,
    search: ReplaySearch,
    limit: number,
  ): AsyncIterable<readonly ReplayableAssessment[]>;
  /**
   * Live signups since an instant that a list entry may match, a chunk at a time, newest first; those of a domain itself
   * come before those of the domains below it. Reads about `limit` assessments at most for each of the two.
   */
  listCandidates(
    accountId: string,
    scope: ListScope,
    since: number,
    limit: number,
  ): AsyncIterable<ListCandidates>;
  /** Mistakes reported about assessments made since an instant, newest first. A confirmed fraud is no mistake. */
  reportedMistakes(
    accountId: string,
    filter: MistakeFilter,
    after: FeedbackPosition | null,
    limit: number,
  ): Promise<StoredFeedbackPage>;
  /** Labels of assessments made in whole slots; counts the newest 50,000 labels at most. */
  labelCounts(accountId: string, span: TrafficSpan): Promise<LabelCounts>;
  traffic(accountId: string, span: TrafficSpan): Promise<Traffic>;
  /** Counts the newest 100,000 assessments that were answered in shadow mode at most. `from`, `to` and `mode` as above. */
  shadowCounts(accountId: string, span: TrafficSpan): Promise<ShadowCounts>;
  /** Results of challenges; counts the newest 50,000 at most. */
  challengeCounts(accountId: string, span: TrafficSpan): Promise<ChallengeCounts>;
  /** Days with traffic, oldest first; `from` and `to` are starts of UTC days in milliseconds, `to` exclusive. */
  dayCounts(accountId: string, from: number, to: number): Promise<readonly DayCount[]>;
}

/** The columns of a challenge that the history shows. */
export type ChallengeState = Pick<StoredChallenge, 'status' | 'method' | 'at'>;
