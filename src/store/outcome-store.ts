/** The port for outcomes: what became of signups afterwards. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { OUTCOME_AUTHOR, type SignupOutcome } from '../model/outcome.ts';
import { CHALLENGE_AUTHOR } from './challenge-store.ts';
import type { AnsweredClaim } from './idempotency-store.ts';

/** Outcome of a stored signup. Times are milliseconds since the epoch. */
export interface NewOutcome {
  readonly requestId: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly outcome: SignupOutcome;
  readonly at: number;
  /** Id of the key or the hook that reported it. */
  readonly keyId: string;
  readonly assessedAt: number;
  readonly domain: string;
  /** Wave that the signup was judged as a member of; `null`: none. */
  readonly campaignId: string | null;
  /** Label that it gives; `null`: none. */
  readonly label: Label | null;
}

/** One outcome of a signup. */
export interface OutcomeMark {
  readonly outcome: SignupOutcome;
  readonly at: number;
  /** The name of the key that reported it, or the id that was stored where there is no such key. */
  readonly by: string;
}

export interface DomainOutcome {
  readonly requestId: string;
  readonly domain: string;
  readonly outcome: SignupOutcome;
}

/** Live signups made in a time, by outcome. */
export interface OutcomeSpan {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface OutcomeSearch extends OutcomeSpan {
  readonly mode: KeyMode;
  readonly outcomes: readonly SignupOutcome[];
}

export interface OutcomeStore {
  /**
   * Notes outcomes in one transaction: those that a signup has stay as they are. A label becomes feedback unless somebody
   * else gave some; a ban is stronger than money. Nothing is noted about a signup that was deleted.
   * @param once the idempotency key of the request, stored with them
   */
  saveOutcomes(outcomes: readonly NewOutcome[], once?: AnsweredClaim): Promise<void>;
  /** Oldest first. */
  outcomesOf(requestId: string): Promise<readonly OutcomeMark[]>;
  /** Ids of the newest signups that have one of these outcomes, newest first. @param limit of outcomes that are read */
  signupsWithOutcomes(accountId: string, search: OutcomeSearch, limit: number): Promise<readonly string[]>;
  /** Newest outcomes of live signups whose domain is known, newest first. */
  domainOutcomes(accountId: string, since: number, limit: number): Promise<readonly DomainOutcome[]>;
  /** Counts live signups with an outcome that were made in a time. */
  countOutcomes(accountId: string, span: OutcomeSpan): Promise<Readonly<Record<SignupOutcome, number>>>;
  /** Removes those of signups that are older. @returns how many */
  pruneOutcomes(before: number, maxPruned: number): Promise<number>;
}

/** Authors of feedback that no person and no application wrote: nobody has to deal with it. */
export const AUTOMATIC_AUTHORS = [CHALLENGE_AUTHOR, OUTCOME_AUTHOR] as const;
