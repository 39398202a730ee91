/** The port for recall: one run an account, and the signups that it found. Times are milliseconds since the epoch. */
import type { Verdict } from '../contract/messages.ts';
import type { RecallCause } from '../model/recall.ts';
import type { AuditEntries } from './audit-store.ts';

/** The newest run of an account. */
export interface RecallRun {
  readonly accountId: string;
  /** Empty before the first. */
  readonly id: string;
  /** The account's day of the last run that began at its hour, `2026-05-10`; empty before the first. */
  readonly day: string;
  /** Time at which somebody asked for a run that has not begun; `null`: nobody did. */
  readonly requestedAt: number | null;
  readonly beganAt: number;
  /** `null`: it is under way, or was killed. */
  readonly endedAt: number | null;
  /** Signups from then on are judged. */
  readonly since: number;
  /** Signups at or after this instant were judged: a run that was killed goes on from here. */
  readonly reachedAt: number;
  readonly judged: number;
  /** Whether there were more than a run judges, or keeps. */
  readonly isPartial: boolean;
  /** Nobody else goes on with it before. */
  readonly leaseUntil: number;
}

/** A signup that would not come in now. */
export interface RecalledSignup {
  readonly requestId: string;
  /** Time of its assessment. */
  readonly at: number;
  readonly oldVerdict: Verdict;
  readonly oldScore: number;
  readonly newVerdict: Verdict;
  readonly newScore: number;
  readonly cause: RecallCause;
  /** Id of the entry, the source or the wave; empty for any other cause. */
  readonly causeId: string;
  /** Detector of the heaviest finding that is new or weighs more. */
  readonly finding: string;
}

/** Signups with one cause. */
export interface RecallCount extends Pick<RecalledSignup, 'cause' | 'causeId' | 'newVerdict'> {
  readonly count: number;
  /** The part that nobody found before this run. */
  readonly fresh: number;
}

/** Begins a run, or goes on with one. */
export interface RecallClaim {
  readonly accountId: string;
  /** Id of a run that begins. */
  readonly id: string;
  /** Names the process that has the lease. */
  readonly holder: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly since: number;
  /** Signups before then are judged. */
  readonly until: number;
}

/** Parts of a run that was claimed. */
export interface HeldRecall {
  readonly accountId: string;
  readonly id: string;
  readonly holder: string;
}

export interface RecallProgress {
  readonly reachedAt: number;
  readonly judged: number;
  readonly isPartial: boolean;
  readonly leaseUntil: number;
}

export interface RecallFilter {
  readonly cause?: RecallCause;
  readonly causeId?: string;
  readonly newVerdict?: Verdict;
}

export interface RecallStore {
  /** The newest run of each account that had one, or for which one was asked. */
  recallRuns(): Promise<readonly RecallRun[]>;
  recallRun(accountId: string): Promise<RecallRun | undefined>;
  /** Asks for a run; one that is under way goes on, and another one follows. */
  requestRecall(accountId: string, at: number, ...audit: AuditEntries): Promise<void>;
  /**
   * Begins a run. @param day the account's day for one at its hour; `undefined` for one that somebody asked for
   * @returns `undefined` where somebody else was first, or it is not wanted any more
   */
  beginRecall(claim: RecallClaim, day: string | undefined): Promise<RecallRun | undefined>;
  /** Goes on with a run whose lease is over; `undefined` where somebody else does. */
  resumeRecall(claim: Omit<RecallClaim, 'id' | 'since' | 'until'>): Promise<RecallRun | undefined>;
  /** Ends all leases: of a service that is alone, no other process can hold one. */
  freeRecalls(): Promise<void>;
  /** Saves what was found, and how far the run is. @returns false where somebody else goes on with it */
  saveRecalled(
    run: HeldRecall,
    found: readonly RecalledSignup[],
    progress: RecallProgress,
    now: number,
  ): Promise<boolean>;
  /**
   * Ends a run: what it did not find would come in again, and is forgotten.
   * @param data of the event; `undefined`: there is no news
   * @returns false where somebody else goes on with it
   */
  endRecall(
    run: HeldRecall,
    at: number,
    data: Readonly<Record<string, unknown>> | undefined,
  ): Promise<boolean>;
  /** Forgets signups that are gone. */
  forgetRecalled(accountId: string, requestIds: readonly string[]): Promise<void>;
  /** Newest first. Without those that somebody has seen. */
  recalledSignups(accountId: string, filter: RecallFilter, limit: number): Promise<readonly RecalledSignup[]>;
  /** The largest first. Without those that somebody has seen. */
  recallCounts(accountId: string): Promise<readonly RecallCount[]>;
  /** Number of those that somebody has seen. */
  countSeenRecalled(accountId: string): Promise<number>;
  /** Notes that somebody has seen all that nobody had seen. @returns how many */
  dismissRecalled(accountId: string, at: number, ...audit: AuditEntries): Promise<number>;
  /** Removes those assessed before. @returns how many */
  pruneRecalled(before: number, maxPruned: number): Promise<number>;
}
