/** Messages of the dashboard's API about an account: its traffic, keys, lists, thresholds, policy, usage and people. */
import type { KeyMode } from '../model/key-mode.ts';
import type { ListKind } from '../model/list-entry.ts';
import type { Thresholds } from '../model/policy.ts';
import type { Role } from '../model/role.ts';
import type { AssessmentRow, IndexBacklog, Period } from './dashboard-assessments.ts';
import type { DistrustedSource } from './distrusted-source.ts';
import type { ManageAuditEntry, ManageKey, ManageListEntry } from './manage-messages.ts';
import type { PlanName, Verdict } from './messages.ts';
import type { ReasonCode } from './reasons.ts';

export type { Role } from '../model/role.ts';
export type { Period } from './dashboard-assessments.ts';

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/**
 * Signups by what their application was answered; the numbers add up to all of them. `observed`: let in by a key in shadow
 * mode, although the verdict was to challenge or to block; `allow`: all others that were let in.
 */
export interface AnswerCounts extends VerdictCounts {
  readonly observed: { readonly challenge: number; readonly block: number };
}

export interface Session {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly operator: boolean;
    readonly two_factor: boolean;
  };
  /** Accounts of the person; an operator has all of them, as owner. */
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly plan: PlanName;
    readonly role: Role;
    /** IANA name of the zone in which its pages show times. */
    readonly time_zone: string;
    /** Send it with a change of the settings: it is refused if somebody else changed them meanwhile. */
    readonly settings_version: string;
  }[];
  /** Sources whose answers do not count at the moment. */
  readonly distrusted: readonly DistrustedSource[];
}

/** Settings that owners choose for the pages of their account. */
export interface AccountSettings {
  /** IANA name. */
  readonly time_zone: string;
}

/** Signups with a main finding. */
export interface FindingCount {
  readonly detector: string;
  readonly count: number;
  /** Signups that were answered with `challenge` or `block`. */
  readonly stopped: number;
  /** Signups on keys in shadow mode that would have been challenged or blocked. */
  readonly observed: number;
}

/** Progress of an account with its first steps. */
export interface FirstSteps {
  /** The newest assessment of each mode. */
  readonly latest: { readonly live: AssessmentRow | null; readonly test: AssessmentRow | null };
  /** Some key was used, revoked or not. */
  readonly key_used: boolean;
  /** A live key asked about a signup other than the example of the documents. */
  readonly live_signup: boolean;
  /** Members of the account and operators. */
  readonly people: number;
  /** Invitations that wait to be accepted. */
  readonly invited: number;
}

/** `version`: to send with a change of it, which is refused if somebody else changed it meanwhile. */
export type KeyRow = Omit<ManageKey, 'account_id'> & { readonly version: string };

/** The old secret stays valid for so long beside the new one; default: a day; 0: it is refused at once. */
export interface KeyRotationBody {
  readonly overlap_seconds?: number;
}

/** The only answer that ever holds a key's text. */
export interface CreatedKey {
  readonly key: KeyRow;
  readonly secret: string;
}

export type ListEntryRow = Omit<ManageListEntry, 'account_id' | 'last_hit_at' | 'reason'> & {
  readonly reason: string;
  /** Version to send with its removal, which is refused if somebody else changed it meanwhile. */
  readonly version: string;
};

/** The live signups that a new entry would have matched. */
export interface ListPreview {
  readonly kind: ListKind;
  /** Value as the list would show it. */
  readonly value: string;
  /** The lists that have an entry for this value now; one of the same action would be replaced. */
  readonly listed: readonly ListEntryRow['action'][];
  /** The entry with the same action and value, whose reason, author and expiry this one would take over. */
  readonly replaces: ListEntryRow | null;
  /** Up to 10 entries that do the opposite, those with the most signups first. */
  readonly conflicts: readonly {
    readonly entry: ListEntryRow;
    /** The one that would decide about signups that both match. */
    readonly winner: 'new' | 'existing';
    /** Number of the matched signups that this entry decides, or would without the new one. */
    readonly signups: number;
  }[];
  /** Version to send with the new entry, which is refused if somebody else changed an entry for this value meanwhile. */
  readonly version: string;
  /** Signups since this instant are counted: 30 days, as everywhere. */
  readonly since: string;
  /** Instant before which signups were not read, so that every count is a lower bound; `null`: all were read. */
  readonly counted_from: string | null;
  /** Whether `counted_from` is about names below the domain only: all signups at its own name are counted. */
  readonly only_below: boolean;
  /** Number of matches by answer. */
  readonly matched: AnswerCounts;
  /** Matches that people reported. */
  readonly labelled: LabelledCounts;
  /** Effect on those that were not only observed, if the entry had decided. */
  readonly effect: LabelEffect;
  /** Matches that another entry decides: a narrower one, or one that allows the same value. */
  readonly overruled: number;
  /** Effect of a shared office; `null` of an entry that allows or blocks. */
  readonly office: OfficePreview | null;
  /** Up to 5 signups whose verdict would have changed first, each part newest first. */
  readonly samples: readonly AssessmentRow[];
}

/** The people whom a shared office covers, and those of their stopped signups that it would have helped. */
export interface OfficePreview {
  /** Distinct mailboxes of the signups that it matches. */
  readonly people: number;
  /** The newest stopped signups that were judged again, at most 500. */
  readonly judged: number;
  /** Their verdicts with the current weights if their bursts were not counted. */
  readonly after: VerdictCounts;
  /** Judged signups that people reported and that would now be allowed. */
  readonly let_in: { readonly good: number; readonly fraud: number };
}

export interface PolicyVersion {
  readonly version: string;
  /** Weights that differ from the defaults, by detector. */
  readonly weights: Readonly<Record<string, number>>;
  readonly created_at: string;
  readonly author: string;
  readonly note: string;
}

/** Makes a new version: these weights over the current ones. One that equals its default is no longer the account's own. */
export interface PolicyChange {
  readonly weights: Readonly<Record<string, number>>;
  readonly note: string;
}

export interface PolicyPage {
  readonly thresholds: Thresholds;
  /** True when they are the account's own. */
  readonly own_thresholds: boolean;
  readonly keys: readonly KeyRow[];
  readonly detectors: readonly {
    readonly detector: string;
    readonly code: ReasonCode;
    readonly weight: number;
    readonly default_weight: number;
    /** More than this never counts. */
    readonly max_weight: number;
    readonly rationale: string;
  }[];
  readonly current: string;
  /**
   * Version of the account's thresholds and weights, to be sent with a change of either, which is refused if somebody else
   * changed one meanwhile. The versions of `keys` include it.
   */
  readonly version: string;
  /** Newest first. */
  readonly versions: readonly PolicyVersion[];
}

/** The baseline of a comparison with a draft: the current settings, or the verdicts of the past. */
export type SimulationBaseline = 'current' | 'answered';

/** Signups that people reported: as good customers, and as fraud (let in, or confirmed). Never one without the other. */
export interface LabelledCounts {
  readonly good: number;
  readonly fraud: number;
}

/** Effect of a change on signups that people reported. */
export interface LabelEffect {
  /** Good customers that would get a milder verdict. */
  readonly helped: number;
  /** Good customers that would get a stricter verdict. */
  readonly harmed: number;
  /** Fraud that would get a stricter verdict. */
  readonly stopped: number;
  /** Fraud that would get a milder verdict. */
  readonly let_in: number;
}

export interface SimulationRequest {
  readonly mode: KeyMode;
  readonly period: Period;
  /** Id of a key, to look at its traffic alone. */
  readonly key?: string;
  readonly thresholds: Thresholds;
  /** Weights to try, by detector, beside the account's current ones. */
  readonly weights?: Readonly<Record<string, number>>;
  /** `current` by default. */
  readonly baseline?: SimulationBaseline;
  /** Whether signups of keys in shadow mode count as well; those of `key` always do. `false` by default. */
  readonly observed?: boolean;
}

/** Counts by a score under the draft, 101 of each. */
export interface ScoreCounts {
  readonly all: readonly number[];
  /** Signups that people reported, by score. */
  readonly good: readonly number[];
  readonly fraud: readonly number[];
}

/** Counts by what decides a challenge and, as bursts alone never block, by what decides a block. */
export interface MovableCounts {
  readonly challenging: ScoreCounts;
  readonly blocking: ScoreCounts;
}

/** Signups that would move from a verdict to another; `good` and `fraud` are those of them that people reported. */
export interface SimulationMove extends LabelledCounts {
  readonly from: Verdict;
  readonly to: Verdict;
  readonly count: number;
}

/** All counts are of the signups that the draft touches. */
export interface Simulation {
  /** Stored assessments evaluated again; list decisions do not change. */
  readonly judged: number;
  /** True when the period has more: only the newest were evaluated. */
  readonly sampled: boolean;
  /** Signups whose answer the draft does not change: of keys with own thresholds, in shadow mode, and revoked. */
  readonly left_out: {
    readonly own_thresholds: number;
    readonly observed: number;
    readonly revoked: number;
  };
  /** 101 counts, one a score, under the baseline and under the draft. */
  readonly scores_before: readonly number[];
  readonly scores_after: readonly number[];
  /** Reported signups that thresholds can move, by score under the draft, lowest first. */
  readonly labels: readonly ({ readonly score: number } & LabelledCounts)[];
  /** Signups that thresholds can move, by their verdict under the baseline: enough to count other thresholds. */
  readonly movable: Readonly<Record<Verdict, MovableCounts>>;
  /** Moves that weights cause for keys with thresholds of their own: no other thresholds of the draft change them. */
  readonly kept_moves: readonly SimulationMove[];
  readonly before: VerdictCounts;
  readonly after: VerdictCounts;
  /** Reported signups among those judged. */
  readonly labelled: LabelledCounts;
  readonly effect: LabelEffect;
  /** Numbers of signups that would move between verdicts. */
  readonly moves: readonly SimulationMove[];
  /** Signups that would change, at most 50, most harmful first: reported ones made worse, then by verdict, score and age. */
  readonly samples: readonly (AssessmentRow & {
    /** Score under the baseline. */
    readonly old_score: number;
    readonly old_verdict: Verdict;
    readonly new_score: number;
    readonly new_verdict: Verdict;
  })[];
}

export interface UsagePage {
  /** Progress of the index. Where it is not `null`, `days` lack the newest signups. */
  readonly indexing: IndexBacklog | null;
  readonly plan: PlanName;
  readonly overage: boolean;
  readonly overage_rate_per_1k: number;
  readonly used: number;
  readonly limit: number;
  readonly projected: number;
  /** US dollars, of what is used now and of the projection. */
  readonly overage_cost: number;
  readonly projected_cost: number;
  readonly period_start: string;
  readonly reset_at: string;
  /** The month so far by days of the account's clock: as the month is one of UTC, the first and the last may be shorter. `to` is exclusive. */
  readonly days: readonly {
    readonly from: string;
    readonly to: string;
    readonly live: number;
    readonly test: number;
  }[];
  readonly requests_per_second: number;
}

export type AuditRow = Omit<ManageAuditEntry, 'account_id' | 'id'>;

export interface AuditLogRow extends AuditRow {
  /** Position in the log. */
  readonly id: number;
  /** Whether the caller may take it back, if what it changed is still as it left it. */
  readonly can_undo: boolean;
  /** Name of the person who took it back last. */
  readonly undone_by: string | null;
}

export interface TryResult {
  /** Status as the public API answered it. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly milliseconds: number;
}
