/** The port for challenges: what became of those that an application passed on or redeemed. Tokens themselves are not stored. */
import type { ChallengeMethod, ChallengeResult } from '../contract/messages.ts';
import type { KeyMode } from '../model/key-mode.ts';

/** A challenge that something was asked about. Times are milliseconds since the epoch. */
export interface StoredChallenge {
  readonly requestId: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly expiresAt: number;
  readonly status: 'pending' | ChallengeResult;
  /** Method by which the result was found; `null` while it is pending. */
  readonly method: ChallengeMethod | null;
  /** Time of the last change. */
  readonly at: number;
  /** Page to which the visitor goes after that of Gatehouse. */
  readonly returnUrl: string | null;
  /** The caller who was told the result; `null` while nobody was, as after a confirmation on the page of Gatehouse. */
  readonly redeemer: Redeemer | null;
}

/**
 * Keyed hash of an `Idempotency-Key`: a caller who sends it again is told the result again. Empty without a key: that is
 * nobody whom a later request could be.
 */
export type Redeemer = string;

/** A challenge of an assessment that this account has. */
export interface ChallengeKey {
  readonly requestId: string;
  readonly accountId: string;
  readonly expiresAt: number;
}

export interface RedeemedChallenge extends ChallengeKey {
  readonly status: ChallengeResult;
  readonly method: ChallengeMethod;
  readonly at: number;
  /** `null` where the visitor's own browser confirms. */
  readonly redeemer: Redeemer | null;
}

export interface PendingChallenge extends ChallengeKey {
  readonly at: number;
  readonly returnUrl: string | null;
}

/** Longest time of a limit: mails of before count no more. */
export const MAILS_COUNT_MS = 86_400_000;

/** Max. mails within a time, at most `MAILS_COUNT_MS`. */
export interface MailLimit {
  readonly max: number;
  readonly withinMs: number;
}

export interface MailLimits {
  /** Max. mails of one challenge. */
  readonly perChallenge: number;
  /** Limits of one mailbox, over all challenges of an account; sandbox signups are not counted. */
  readonly perMailbox: readonly MailLimit[];
  /** Limit beyond those of the mailbox, for the first mail that a network orders for it within that time: nobody is refused for others. */
  readonly firstOfNetwork: MailLimit;
}

/** `used`: the challenge has had mails, and gets no other. `mailbox`: it has had none, but its mailbox has. `closed`: it has a result, or there is no such signup. */
export type MailOrder = 'ordered' | 'used' | 'mailbox' | 'closed';

/** Nothing is written about an assessment that was deleted, or that another account has: the result is `false`. */
export interface ChallengeStore {
  findChallenge(requestId: string): Promise<StoredChallenge | undefined>;
  /** Notes that a visitor may confirm it, and replaces the return URL of a pending one. @returns false once it is redeemed */
  openChallenge(challenge: PendingChallenge): Promise<boolean>;
  /** Opens it, and counts a mail, also of requests at once on several nodes. Refused orders count nothing. */
  orderMail(challenge: PendingChallenge, limits: MailLimits): Promise<MailOrder>;
  /**
   * Stores the result, and with it the feedback unless somebody gave feedback before, in one transaction. The first
   * result stays. A proof of work gives no feedback.
   * @returns whether this is the first
   */
  redeemChallenge(challenge: RedeemedChallenge): Promise<boolean>;
  /** Notes who is told a result that nobody was told before. @returns whether this redeemer is the first */
  claimResult(requestId: string, redeemer: Redeemer): Promise<boolean>;
  /** Forgets the networks of mails up to an instant, which no limit reads any more. @returns how many, at most `max` */
  forgetNetworks(before: number, max: number): Promise<number>;
  /** Counts an attempt to enter the code of a pending challenge. @returns false when `max` were counted before, or no mail was ordered */
  countCodeAttempt(requestId: string, max: number): Promise<boolean>;
}

/** Author of the feedback that a challenge made. */
export const CHALLENGE_AUTHOR = 'challenge';
