/** The port for connections to providers, and for the jobs that hold accounts there. */
import type { AccountBefore } from '../model/account-provider.ts';
import type {
  AccountState,
  ProviderConnection,
  TakeBackAccount,
  TakeBackJob,
  TakeBackPhase,
  TakeBackState,
} from '../model/take-back.ts';
import type { AuditEntries } from './audit-store.ts';

/** Changes of a connection; absent members do not change. */
export type ConnectionChanges = Partial<Omit<ProviderConnection, 'id' | 'accountId' | 'kind' | 'createdAt'>>;

export interface ProviderConnectionStore {
  /** Stores a new connection of an account, which must exist. */
  saveConnection(connection: ProviderConnection, ...audit: AuditEntries): Promise<void>;
  /** @returns it afterwards; `undefined` where the account has none with this id */
  changeConnection(
    accountId: string,
    id: string,
    changes: ConnectionChanges,
    ...audit: AuditEntries
  ): Promise<ProviderConnection | undefined>;
  /** Removes it, but not while one of its jobs runs. @returns whether it was removed */
  removeConnection(accountId: string, id: string, ...audit: AuditEntries): Promise<boolean>;
  /** Oldest first. */
  connections(accountId: string): Promise<readonly ProviderConnection[]>;
}

export type NewTakeBackJob = Pick<
  TakeBackJob,
  'id' | 'accountId' | 'connectionId' | 'name' | 'attack' | 'by' | 'state' | 'createdAt'
>;
export type NewTakeBackAccount = Pick<TakeBackAccount, 'requestId' | 'sessionId' | 'at' | 'userId' | 'state'>;

/** Numbers of accounts, by state. */
export type AccountCounts = Readonly<Record<AccountState, number>>;

/** A turn of one process at a job: with an older number, nothing is written. */
export interface Turn {
  readonly jobId: string;
  readonly run: number;
}

export interface AccountOutcome {
  readonly state: AccountState;
  readonly tries: number;
  readonly nextAt: number;
  readonly problem: string | null;
}

/** Times are milliseconds since the epoch. */
export interface TakeBackStore {
  /** Stores a job with its accounts, and tells destinations of them, in one transaction. @throws when there is no such account */
  saveTakeBack(
    job: NewTakeBackJob,
    accounts: readonly NewTakeBackAccount[],
    ...audit: AuditEntries
  ): Promise<void>;
  takeBackJob(accountId: string, id: string): Promise<TakeBackJob | undefined>;
  /** Newest first. @param attack those of one wave or alert alone */
  takeBackJobs(accountId: string, limit: number, attack?: string): Promise<readonly TakeBackJob[]>;
  takeBackCounts(accountId: string, jobId: string): Promise<AccountCounts>;
  /** Accounts in order of their request ids. @param after request id of the last one that is known; empty: from the first */
  takeBackAccounts(
    accountId: string,
    jobId: string,
    after: string,
    limit: number,
  ): Promise<readonly TakeBackAccount[]>;
  /** A signup's account in every job that has it. */
  takeBacksOf(accountId: string, requestId: string): Promise<readonly TakeBackAccount[]>;
  /** Changes what is to be done, if the job is in one of the states and in the phase. Where it runs then, accounts that were given up are tried again. @returns whether it was */
  directTakeBack(
    accountId: string,
    jobId: string,
    change: {
      readonly from: readonly TakeBackState[];
      readonly fromPhase: TakeBackPhase;
      readonly state: TakeBackState;
      readonly phase: TakeBackPhase;
      readonly at: number;
    },
    ...audit: AuditEntries
  ): Promise<boolean>;
  /** Gives user ids to accounts that have none, which are to be held then. @returns how many got one */
  nameTakeBackAccounts(
    accountId: string,
    jobId: string,
    ids: readonly { readonly requestId: string; readonly userId: string }[],
    ...audit: AuditEntries
  ): Promise<number>;

  /** Begins a turn at a job that is due, and that no other process works on: one job of a connection at a time. */
  claimTakeBack(now: number, leaseUntil: number): Promise<TakeBackJob | undefined>;
  /** Ends the leases of processes that are gone, where there is no other one. */
  freeTakeBacks(): Promise<void>;
  /** @returns whether the turn goes on: the job still is to do the same, and nobody else has it */
  renewTakeBack(turn: Turn, phase: TakeBackPhase, leaseUntil: number): Promise<boolean>;
  /** Accounts that are due now. */
  dueTakeBackAccounts(
    turn: Turn,
    phase: TakeBackPhase,
    now: number,
    limit: number,
  ): Promise<readonly TakeBackAccount[]>;
  /** Time at which the next one is due; `undefined`: nothing is left to do. */
  nextTakeBackAccount(turn: Turn, phase: TakeBackPhase): Promise<number | undefined>;
  /** Notes what an account was, and that it is about to be held. @returns whether the turn still counts */
  rememberAccount(turn: Turn, requestId: string, before: AccountBefore): Promise<boolean>;
  /** @returns whether the turn still counts */
  noteAccount(turn: Turn, requestId: string, outcome: AccountOutcome): Promise<boolean>;
  /** Ends a turn. A direction that a person gave meanwhile stays. */
  endTurn(
    turn: Turn,
    phase: TakeBackPhase,
    end: {
      readonly state: TakeBackState;
      /** Time at which it goes on, if it still is `running`. */
      readonly nextAt: number;
      readonly problem: string | null;
      readonly at: number;
    },
  ): Promise<void>;

  /** Removes jobs that were begun before, with their accounts. @returns how many rows at least */
  pruneTakeBacks(before: number, maxPruned: number): Promise<number>;
}
