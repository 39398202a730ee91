/** Messages of the dashboard's API about assessments: the history, one of them explained, and what people reported about them. */
import type { Victim } from '../model/evidence.ts';
import type { DescribedFinding } from '../model/finding.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { DecidingAction, ListKind } from '../model/list-entry.ts';
import type { SignupOutcome } from '../model/outcome.ts';
import type { Thresholds } from '../model/policy.ts';
import {
  type Assessment,
  type ChallengeMethod,
  type ChallengeResult,
  OUTCOMES,
  type Verdict,
} from './messages.ts';
import type { PlainAnswer } from './plain-answer.ts';
import type { ReasonCode } from './reasons.ts';

/**
 * The labels that people can give a signup: the outcomes of the API, and that it was right to stop it. `confirmed_fraud` is no mistake
 * and known to the dashboard alone: `POST /v1/feedback` does not take it.
 */
export const LABELS = [...OUTCOMES, 'confirmed_fraud'] as const;
export type Label = (typeof LABELS)[number];

/** 24h: the current hour of UTC and the 23 before; 7d and 30d: the current day of UTC and the 6 or 29 before. */
export type Period = '24h' | '7d' | '30d';

/** Spans that move with the clock, as a filter has them. 1h: the 60 minutes before now. */
export type RecentSpan = Period | '1h';

/**
 * Filter of the history as it is in the URL; each member once, as text. Absent members do not filter. Members marked
 * (*) take up to 100 values: `DE,FR` is one of both, `!DE,!FR` neither, `none` the signups without a value (`filter-values.ts`).
 */
export interface AssessmentFilter {
  readonly mode?: KeyMode;
  /** `true`: answered with `allow` in shadow mode; `false`: all others. */
  readonly shadow?: 'true' | 'false';
  /** `true`: answered with `allow`, whatever the verdict was. */
  readonly let_in?: 'true' | 'false';
  /** (*) */
  readonly verdict?: string;
  /** (*) Codes of reasons. */
  readonly reason?: string;
  /** (*) Detectors of the main finding. */
  readonly finding?: string;
  /** 0 … 100, both inside. */
  readonly score_min?: string;
  readonly score_max?: string;
  /** (*) `example.com` alone, `.example.com` with its sub-domains. */
  readonly domain?: string;
  /** (*) Addresses or CIDR blocks. */
  readonly ip?: string;
  /** (*) `AS64500` or the number. */
  readonly asn?: string;
  /** (*) ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** (*) Ids of keys. */
  readonly key?: string;
  /** (*) Keyed hashes of mailboxes. */
  readonly mailbox?: string;
  /** (*) Names of mail exchanges, each with the names below it: of those that mail is sent to first. */
  readonly mail_host?: string;
  /** (*) Ids of entries of own lists: those that an entry decided, or that came from a shared office. */
  readonly list_entry?: string;
  /** (*) Ids of waves: those that were judged as members. */
  readonly campaign?: string;
  /** Hours or days as on every other page; `from` and `to` beside it narrow it. */
  readonly period?: RecentSpan;
  /** RFC 3339 instants; `from` inside, `to` outside. */
  readonly from?: string;
  readonly to?: string;
  /** (*) Labels; `any` alone: whatever was reported. */
  readonly feedback?: string;
  /** (*) */
  readonly session_id?: string;
  /** (*) */
  readonly request_id?: string;
  /** Id of a wave or of an alert: the signups of it. */
  readonly attack?: string;
  /** Signups with one of these outcomes, `bounced,complained`; `any`: with whatever outcome. */
  readonly outcome?: string;
  /** Signups that would not come in now: `all`, `block`, `challenge`, a cause, or a cause and its id, `feed:tor-exits`. */
  readonly recalled?: string;
}

export interface AssessmentRow {
  readonly request_id: string;
  /** RFC 3339, milliseconds. */
  readonly at: string;
  readonly mode: KeyMode;
  /** It was answered with `allow` in shadow mode; verdict, score and reasons are the real ones. */
  readonly shadow: boolean;
  readonly verdict: Verdict;
  readonly score: number;
  readonly reasons: readonly ReasonCode[];
  /** `j***@example.com`, or the whole address where the operator keeps it. */
  readonly email: string;
  readonly domain: string;
  readonly ip: string | null;
  readonly country_code: string;
  readonly asn: number;
  readonly key_id: string;
  readonly key_name: string;
  readonly session_id: string | null;
  readonly feedback: Label | null;
  /** `null`: nothing has at least five points, and no entry of an own list decided. */
  readonly main_finding: MainFinding | null;
}

/** Signup with the name of its network, as lists of an account's newest signups and its own page show it. */
export interface NamedSignup extends AssessmentRow {
  /** Name of the autonomous system; empty where it has none or is unknown. */
  readonly as_name: string;
}

/** Cause of a signup's score: the finding with the most points, or the entry of an own list that decided. */
export interface MainFinding {
  /** Id of the detector; `deny_list` or `allow_list` for an entry. */
  readonly detector: string;
  /** Points of the score, to two decimals; an entry that allows has none. */
  readonly points: number;
  /** A few words for people: `One mailbox, 27 spellings`. */
  readonly title: string;
  /** Detectors of the findings beside it without which the verdict would be milder. */
  readonly tipped_by: readonly string[];
}

/** Progress of the index of the history: an answer beside it lacks the newest signups, those that are not indexed yet. */
export interface IndexBacklog {
  readonly indexed: number;
  readonly total: number;
  /** Approximate time until nothing is left. */
  readonly seconds_left: number;
}

export interface AssessmentSearchResult {
  readonly rows: readonly NamedSignup[];
  /** Give it back as `cursor` for the next page; `null` at the end. */
  readonly cursor: string | null;
  /** True when the search stopped for now before the page was full: ask on with `cursor`. */
  readonly partial: boolean;
  /** `null`: everything that was stored is included. */
  readonly indexing: IndexBacklog | null;
}

/** One finding as a step from 0 to the score. Its code is `null` only where the sandbox gives its score without a reason. */
export interface WaterfallStep extends DescribedFinding<ReasonCode | null> {
  /** Points of the score, to two decimals; the steps of an assessment add up to its score exactly. */
  readonly contribution: number;
  /** Entries of sources behind it. */
  readonly hits: readonly { fact: string; source: string; version: string; entry: string }[];
  /** Score and verdict without this finding alone. */
  readonly without: { readonly score: number; readonly verdict: Verdict };
}

export interface FeedbackMark {
  readonly outcome: Label;
  readonly note: string | null;
  readonly at: string;
  /** Name of the key or the user that gave it. */
  readonly by: string;
}

/** Text of a person, written at the page of a link for an appeal. */
export interface WrittenAppeal {
  readonly text: string;
  readonly contact: string | null;
  readonly at: string;
  /** `null` while it is open. */
  readonly closed_by: string | null;
}

/** Outcome of a signup, which somebody reported afterwards. */
export interface OutcomeEntry {
  readonly outcome: SignupOutcome;
  readonly at: string;
  /** Name of the key or the hook that reported it. */
  readonly by: string;
}

export interface ChallengeMark {
  readonly status: 'open' | ChallengeResult | 'expired';
  /** `null` without a result. */
  readonly method: ChallengeMethod | null;
  /** Time of its result; without one, of its expiry. */
  readonly at: string;
}

export interface RelatedGroup {
  readonly relation: 'ip' | 'mailbox' | 'domain' | 'session';
  /** The value that they share, for people. */
  readonly shared: string;
  /** Newest first, at most 10, without the assessment itself. */
  readonly rows: readonly NamedSignup[];
  /** There are more than the ten. */
  readonly more: boolean;
}

export interface AssessmentDetail {
  readonly row: NamedSignup;
  readonly thresholds: Thresholds;
  readonly waterfall: readonly WaterfallStep[];
  /** Detectors of the findings without which the verdict would be milder, beside the heaviest. */
  readonly tipped_by: readonly string[];
  /** An allow or deny list entry that decided; `null` otherwise. */
  readonly list: {
    readonly id: string;
    readonly action: DecidingAction;
    readonly kind: ListKind;
    readonly value: string;
    readonly reason: string;
  } | null;
  /** The account's shared office that it comes from; `null` otherwise. */
  readonly office: {
    readonly id: string;
    readonly kind: ListKind;
    readonly value: string;
    readonly reason: string;
    /** Findings that were not counted because of it, one sentence each. */
    readonly set_aside: readonly string[];
  } | null;
  /** Id of the wave that it was judged as a member of; `null` otherwise. */
  readonly wave: string | null;
  /** Value of a shared office that would explain its main finding, a burst; `null` otherwise. */
  readonly office_offer: string | null;
  /** The answered verdict in plain words. */
  readonly plain: PlainAnswer;
  /** Signals that were unknown, late or stale when it was judged, one sentence each. */
  readonly unknown: readonly string[];
  /** One change each that would have given another verdict, one sentence each; empty when none would. */
  readonly flips: readonly string[];
  readonly policy: string;
  readonly snapshot: string;
  readonly mx: {
    readonly status: Assessment['signals']['email']['mx_status'];
    readonly hosts: readonly string[];
  };
  /** Empty for nearly everybody. */
  readonly victim: Victim;
  /** Sentence on who of the domain came before; empty where they are few. */
  readonly norm: string;
  readonly feedback: FeedbackMark | null;
  /** Text of the person who was stopped; `null`: she wrote none, or it is over. */
  readonly appeal: WrittenAppeal | null;
  /** Oldest first. */
  readonly outcomes: readonly OutcomeEntry[];
  /** Send it with a report: it is refused if somebody else reported something meanwhile. */
  readonly version: string;
  /** `null`: the answer had no token, so there is nothing to redeem. */
  readonly challenge: ChallengeMark | null;
  /** The real result; in shadow mode the body does not contain it. */
  readonly signals: Assessment['signals'];
  /** The exact body that was answered. */
  readonly body: string;
}

/** Reports about a reason. */
export interface ReasonReports extends StopReports {
  readonly code: ReasonCode;
}

/** Reports about a main finding. */
export interface FindingReports extends StopReports {
  readonly detector: string;
}

/** Reports about signups of one kind. Few people report, so the true share of mistakes is at least this. */
export interface StopReports {
  /** Assessments with it that were challenged or blocked in the period. */
  readonly stopped: number;
  /** Stopped signups that were reported as good customers. */
  readonly reported_wrong: number;
  /** Stopped signups that somebody confirmed as fraud. */
  readonly confirmed: number;
  /** Share of the confirmed ones in both, 0 … 1; `null` where nothing was confirmed and below 20 labels. */
  readonly precision: number | null;
  /** Bounds of the precision: 95 of 100 such intervals contain the true one. */
  readonly precision_interval: { readonly low: number; readonly high: number } | null;
}
