/** The port for all stored data: assessments, credits, feedback, accounts, keys, own lists, cached texts and the dashboard's data. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { PlanName } from '../contract/messages.ts';
import type { Hook } from '../model/hook.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { ListChange, ListEntry } from '../model/list-entry.ts';
import type { ManageToken } from '../model/manage-token.ts';
import type { Thresholds } from '../model/policy.ts';
import type { TimeZone } from '../model/time-zone.ts';
import type { AttemptChunk, VelocityEvent } from '../model/velocity-event.ts';
import type { AlertStore } from './alert-store.ts';
import type { AppealStore } from './appeal-store.ts';
import type { AttackActionStore } from './attack-action-store.ts';
import type { AuditEntries } from './audit-store.ts';
import type { CacheStore } from './cache-store.ts';
import type { CampaignStore } from './campaign-store.ts';
import type { ChallengeStore } from './challenge-store.ts';
import type { DashboardStore, HostDecisionStore, PolicyStore, StoredPolicy } from './dashboard-store.ts';
import type { ErasureStore } from './erasure-store.ts';
import type { DestinationStore, EventStore } from './event-store.ts';
import type { FeedFlipStore } from './feed-flip-store.ts';
import type { HashKeyStore } from './hash-key-store.ts';
import type { HistoryStore } from './history-store.ts';
import type { HookStore } from './hook-store.ts';
import type { AnsweredClaim, IdempotencyStore } from './idempotency-store.ts';
import type { MailboxStore } from './mailbox-store.ts';
import type { MistakeStore } from './mistake-store.ts';
import type { OutcomeStore } from './outcome-store.ts';
import type { RecallStore } from './recall-store.ts';
import type { RuleChangeStore } from './rule-change-store.ts';
import type { SavedFilterStore } from './saved-filter-store.ts';
import type { StoredAssessment } from './stored-assessment.ts';
import type { ProviderConnectionStore, TakeBackStore } from './take-back-store.ts';
import type { TokenStore } from './token-store.ts';
import type { UsualDomainStore } from './usual-domain-store.ts';

/** An assessment as it is to be stored. */
export interface AssessmentRecord extends StoredAssessment {
  /** Live credits the account may have used this UTC month, this one included; `null` without a cap. */
  readonly cap: number | null;
  /** Its idempotency key, which is stored with it; `null` without one. */
  readonly claim: IdempotencyClaim | null;
}

export interface RecordResult {
  /** `quota_exceeded`: the cap was reached, nothing was stored and nothing charged. */
  readonly outcome: 'recorded' | 'quota_exceeded';
  /** Live credits of the account in the UTC month of `at`, after this. */
  readonly used: number;
}

export interface Feedback {
  readonly requestId: string;
  readonly outcome: Label;
  /** Verbatim, any string; `null` when there is none. */
  readonly note: string | null;
  readonly keyId: string;
  readonly at: number;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly overage: boolean;
  /** Override of the plan's monthly assessments. */
  readonly monthlyQuota: number | null;
  /** Override of the plan's requests per second. */
  readonly requestsPerSecond: number | null;
  readonly thresholds: Thresholds | null;
  /** The zone in which its pages show times, and by which its days begin. */
  readonly timeZone: TimeZone;
  readonly createdAt: number;
}

export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly mode: KeyMode;
  /** People whose signups are answered with the verdict, in percent; for the others, in shadow mode, the answer is `allow`. */
  readonly enforcedShare: number;
  /** SHA-256 of its secret, hex. */
  readonly hash: string;
  /** First 12 characters of its secret, for display. */
  readonly prefix: string;
  readonly thresholds: Thresholds | null;
  readonly createdAt: number;
  /** Last use of this secret. */
  readonly lastUsedAt: number | null;
  /** Time at which its secret was last replaced; `null`: never. */
  readonly rotatedAt: number | null;
  /** The secret before that; `null`: there was none. */
  readonly previous: PreviousSecret | null;
  /** It is refused from then on; `null`: it does not expire. */
  readonly expiresAt: number | null;
  /** CIDR blocks in canonical form that its callers must be in; `null`: it may be used from anywhere. */
  readonly allowedRanges: readonly string[] | null;
  readonly revokedAt: number | null;
}

/** Secret that a rotation replaced. */
export interface PreviousSecret {
  readonly hash: string;
  readonly prefix: string;
  readonly lastUsedAt: number | null;
  /** It is refused from then on. */
  readonly until: number;
}

/** Changes of an account; absent members do not change, even if somebody else changes them meanwhile. */
export interface AccountChanges {
  readonly name?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly overage?: boolean | undefined;
  readonly monthlyQuota?: number | null | undefined;
  readonly requestsPerSecond?: number | null | undefined;
  readonly thresholds?: Thresholds | null | undefined;
  readonly timeZone?: TimeZone | undefined;
}

/** Changes of a key, in the same way. A revocation stays: its time can be set once. */
export interface KeyChanges {
  readonly name?: string | undefined;
  readonly thresholds?: Thresholds | null | undefined;
  readonly enforcedShare?: number | undefined;
  readonly expiresAt?: number | null | undefined;
  readonly allowedRanges?: readonly string[] | null | undefined;
  readonly revokedAt?: number | undefined;
}

/** New secret of a key. The one that it replaces is refused from `previousUntil` on. */
export interface KeyRotation {
  readonly hash: string;
  readonly prefix: string;
  readonly at: number;
  readonly previousUntil: number;
}

/** Accounts, keys, hooks, tokens and current policies that changed after a version, `hashOfAccount` of accounts whose deletion began, and the version that includes all. */
export interface DirectoryChanges {
  readonly version: number;
  readonly accounts: readonly Account[];
  readonly keys: readonly Key[];
  readonly hooks: readonly Hook[];
  readonly tokens: readonly ManageToken[];
  readonly policies: readonly StoredPolicy[];
  readonly removedAccounts: readonly string[];
}

/** A caller who may read an assessment: its account; a sandbox key only sandbox ones. */
export interface Reader {
  readonly accountId: string;
  readonly mode: KeyMode;
}

export interface AssessmentStore {
  /**
   * Stores an assessment and its credit in one durable transaction.
   * @throws when it is not known to be durable. Then nothing is stored and charged in the end: a commit that comes too late is
   * undone, soon after
   */
  record(assessment: AssessmentRecord): Promise<RecordResult>;
  /** `undefined` when there is none that this reader may see. */
  findStored(requestId: string, reader: Reader): Promise<StoredAssessment | undefined>;
  /** Creates or replaces the one feedback record of an assessment, which must exist. */
  saveFeedback(feedback: Feedback, ...audit: AuditEntries): Promise<void>;
  /** Creates it where there is none. @returns whether there was none */
  saveFirstFeedback(feedback: Feedback, ...audit: AuditEntries): Promise<boolean>;
  /** Removes it again, where it was given by mistake. */
  removeFeedback(requestId: string, ...audit: AuditEntries): Promise<void>;
  /** Saves feedback, and the idempotency key of the request with it. */
  saveFeedbackOnce(feedback: Feedback, once: AnsweredClaim): Promise<void>;
  findFeedback(requestId: string): Promise<Feedback | undefined>;
  /** Live credits of an account in a UTC month (`2026-05`). */
  creditsUsed(accountId: string, month: string): Promise<number>;
  /** Whether any account has used credits in a UTC month (`2026-05`). */
  isMonthBegun(month: string): Promise<boolean>;
  /** Live attempts of people who came alone, assessed after `since`, oldest first: of one account, or all. They come some thousands at a time. */
  liveAttempts(since: number, accountId?: string): AsyncIterable<readonly VelocityEvent[]>;
  /** Attempts of all accounts, in the form that is counted fastest. The content of a chunk is valid until the next. */
  attemptsToCount(since: number): AsyncIterable<AttemptChunk>;
}

export type UsedTable = 'keys' | 'hooks' | 'manage_tokens';

/** Changes that are decided on what the directory says. */
export type DirectoryChangeStore = Pick<
  AccountStore,
  'changeAccount' | 'saveKey' | 'changeKey' | 'rotateKey' | 'endPreviousSecret' | 'swapSecrets'
> &
  Pick<PolicyStore, 'savePolicy'> &
  Pick<HookStore, 'changeHook'>;

export interface AccountStore {
  /** Stores a new account. */
  saveAccount(account: Account, ...audit: AuditEntries): Promise<void>;
  /** Saves an account, unless there is one with its name. @returns whether it did */
  saveAccountOnce(account: Account, ...audit: AuditEntries): Promise<boolean>;
  /** Writes only what `changes` names. Nothing happens where there is no such account. */
  changeAccount(id: string, changes: AccountChanges, ...audit: AuditEntries): Promise<void>;
  /**
   * Stores an account with its first keys, once in the life of an installation.
   * @param onBegin called before that, unless it is known to have been done. @returns whether it did
   */
  saveFirstAccount(account: Account, keys: readonly Key[], onBegin?: () => void): Promise<boolean>;
  /** Stores a new key of an account, which must exist. */
  saveKey(key: Key, ...audit: AuditEntries): Promise<void>;
  /** Writes only what `changes` names. Nothing happens where there is no such key. */
  changeKey(id: string, changes: KeyChanges, ...audit: AuditEntries): Promise<void>;
  /** Gives a key a new secret; the current one becomes the previous one. */
  rotateKey(id: string, rotation: KeyRotation, ...audit: AuditEntries): Promise<void>;
  /** Refuses the previous secret of a key from then on, at the latest. */
  endPreviousSecret(id: string, at: number, ...audit: AuditEntries): Promise<void>;
  /** Takes a rotation back: the previous secret becomes the current one, and the current one is refused from then on. */
  swapSecrets(id: string, at: number, ...audit: AuditEntries): Promise<void>;
  /** The keys of an account with the last uses that all nodes have stored. */
  keysOf(accountId: string): Promise<readonly Key[]>;
  /** A store whose changes are made only while the directory has this version, which the same transaction checks. @throws StaleVersion otherwise */
  ifDirectoryIs(version: number): DirectoryChangeStore;
  /** Notes when keys were last used, by the hash of the secret, and hooks or tokens, by id; does not count as a change of the directory. */
  storeLastUses(table: UsedTable, uses: ReadonlyMap<string, number>): Promise<void>;
  /** Grows with every change of an account, a key, a hook or a token, by any process. Cheap: asked several times a second. */
  directoryVersion(): Promise<number>;
  changesSince(version: number): Promise<DirectoryChanges>;
}

/** Search among the entries of an account that has more than `MAX_FEW_ENTRIES`; of fewer, all are found. */
export interface ListSearch {
  /** Values of any kind, as they are stored. */
  readonly values: readonly string[];
  /** Beginnings of such values: some entries with each are found. The newest entries are always found. */
  readonly prefixes: readonly string[];
}

/** Max. entries of an account of which a search finds all. */
export const MAX_FEW_ENTRIES = 500;

export interface ListStore {
  /**
   * Adds an entry of an account, which must exist. If the account has one with the same action, kind and value, that
   * entry gets the new text, reason, author and expiry, and keeps the rest. Returns the stored entry.
   */
  saveListEntry(entry: ListEntry, ...audit: AuditEntries): Promise<ListEntry>;
  /** Nothing happens where there is none. */
  removeListEntry(id: string, ...audit: AuditEntries): Promise<void>;
  /** Removes the entry of a person who is erased, and its reason from what destinations are told. Nothing happens where there is none. */
  eraseListEntry(id: string, ...audit: AuditEntries): Promise<void>;
  /** A store whose changes are made only while the lists have this version, which the same transaction checks. @throws StaleVersion otherwise */
  ifListsAre(version: number): Pick<ListStore, 'saveListEntry' | 'removeListEntry' | 'listEntries'>;
  /** All entries of an account, expired ones too, in order of their ids. */
  listEntries(accountId: string): Promise<readonly ListEntry[]>;
  /** Entries of an account that a search may mean. Reads some hundreds or thousands, however many there are. */
  searchListEntries(accountId: string, search: ListSearch): Promise<readonly ListEntry[]>;
  /** Entries of an account that end after an instant and before another one, those with the most hits first. */
  expiringEntries(
    accountId: string,
    after: number,
    before: number,
    limit: number,
  ): Promise<readonly ListEntry[]>;
  /** Adds to what entries have decided, by id; does not count as a change of the lists. */
  addListHits(hits: ReadonlyMap<string, { readonly hits: number; readonly at: number }>): Promise<void>;
  /** Grows with every change of any list, by any process. Cheap: asked several times a second. */
  listsVersion(): Promise<number>;
  /** Entries that were removed or saved after a version; lets other work go on between many. */
  listChangesSince(version: number): AsyncIterable<ListChange>;
}

export interface ChangeStore {
  /**
   * Calls back soon after a change by any process. Only a hint: a call may be missing or needless; the versions decide.
   * @returns a function that ends it
   */
  onChange(listener: (changed: VersionedData) => void): () => void;
  /**
   * A number that changes with every commit of any process; `undefined` where asking for it costs as much as reading the
   * versions. Some microseconds. @throws when it cannot be read
   */
  commitMark(): number | undefined;
}

/** Use of the connections of a pool to a database server. */
export interface PoolUse {
  /** `idle` of them are not in use now. */
  readonly open: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
}

export interface Store
  extends AssessmentStore,
    AccountStore,
    HookStore,
    TokenStore,
    ProviderConnectionStore,
    TakeBackStore,
    SavedFilterStore,
    ListStore,
    CampaignStore,
    AttackActionStore,
    AlertStore,
    RecallStore,
    FeedFlipStore,
    RuleChangeStore,
    MailboxStore,
    MistakeStore,
    AppealStore,
    OutcomeStore,
    UsualDomainStore,
    ChangeStore,
    HostDecisionStore,
    HashKeyStore,
    DashboardStore,
    ErasureStore,
    DestinationStore,
    EventStore,
    IdempotencyStore,
    ChallengeStore,
    HistoryStore {
  readonly cache: CacheStore;
  /** False from the first commit on that the database fails, until one succeeds. */
  canCommit(): boolean;
  /** Makes a trial commit, which decides `canCommit`, unless one is under way. */
  verifyCommits(): void;
  /** Whether so many commits wait for so long that another would probably come too late; costs next to nothing. */
  commitsAreBehind(): boolean;
  /** Ends the longer deadlines of a store that was opened for a start: from now on callers wait. */
  endStart(): void;
  /** Current use, by the pool's name; empty for a store without a server. */
  connectionPools(): ReadonlyMap<string, PoolUse>;
  /** Finishes accepted writes, then closes all files and connections. */
  close(): Promise<void>;
}

/** Data that services keep in memory: they poll its version and read what changed after it. */
export type VersionedData =
  | 'directory'
  | 'lists'
  | 'mail_hosts'
  | 'hash_keys'
  | 'campaigns'
  | 'mailboxes'
  | 'mailbox_removals';
