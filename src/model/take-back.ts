/** Accounts of people who got in, which are held at the provider that keeps them, and released again. */
import type { AccountBefore, ProviderKind } from './account-provider.ts';

/** An admin API that holds accounts, as its owner set it up. */
export interface ProviderConnection {
  readonly id: string;
  readonly accountId: string;
  readonly kind: ProviderKind;
  readonly name: string;
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Keycloak and Auth0; others: `null`. */
  readonly clientId: string | null;
  /** Keycloak; others: `null`. */
  readonly realm: string | null;
  /** Encrypted. */
  readonly secret: string;
  /** Accounts that one second may begin with, at most. */
  readonly perSecond: number;
  /** Whether `session_id` of the application's own requests is the user id at the provider. */
  readonly isSessionUser: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** `hold`: accounts are held. `release`: they become what they were. */
export type TakeBackPhase = 'hold' | 'release';

/** `refused`: the provider takes neither these settings nor this secret, until somebody changes them. */
export const TAKE_BACK_STATES = ['running', 'done', 'cancelled', 'refused'] as const;
export type TakeBackState = (typeof TAKE_BACK_STATES)[number];

/**
 * `waiting`: nothing was done yet. `sent`: asked to be held, without an answer so far. `held`. `already`: somebody else held it
 * before. `missing`: no user id is known, or the provider has nobody of this id. `failed`: given up. `releasing`: asked to be
 * released, without an answer so far. `released`. `changed`: somebody changed it since, so it stays.
 */
export const ACCOUNT_STATES = [
  'waiting',
  'sent',
  'held',
  'already',
  'missing',
  'failed',
  'releasing',
  'released',
  'changed',
] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

export interface TakeBackJob {
  readonly id: string;
  readonly accountId: string;
  /** `null`: accounts are only listed, as a file and for destinations of events. */
  readonly connectionId: string | null;
  /** Name of the signups, for people. */
  readonly name: string;
  /** Wave or alert that they belong to; `null`: they were chosen in another way. */
  readonly attack: string | null;
  /** Name of the person, as the audit log has it. */
  readonly by: string;
  readonly phase: TakeBackPhase;
  readonly state: TakeBackState;
  /** One line on what the provider refused; `null`: nothing. */
  readonly problem: string | null;
  /** Milliseconds since the epoch, like the others. Nothing is asked before. */
  readonly nextAt: number;
  /** Number of the process run that works on it: a run with an older number may write nothing. */
  readonly run: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** An account of a job, and the signup that it came from. */
export interface TakeBackAccount {
  readonly requestId: string;
  readonly sessionId: string | null;
  /** Time of the signup, milliseconds since the epoch. */
  readonly at: number;
  /** Id at the provider; `null`: none is known. */
  readonly userId: string | null;
  readonly state: AccountState;
  /** State from before it is held, noted then. */
  readonly before: AccountBefore | null;
  /** Failed tries in a row. */
  readonly tries: number;
  readonly nextAt: number;
  readonly problem: string | null;
}

/** Time for which accounts can be released, milliseconds: jobs are removed after it. */
export const TAKE_BACK_MS = 30 * 86_400_000;
export const MAX_TAKE_BACK_ACCOUNTS = 5_000;
/** Accounts in one event. */
export const TOLD_ACCOUNTS = 500;
