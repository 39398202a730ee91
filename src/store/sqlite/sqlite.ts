/** The embedded store: one SQLite file, read directly and written by one thread in group commits. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ThreadName } from '../../platform/thread.ts';
import { COMMAND_DEADLINES, createStartDeadlines, SERVICE_DEADLINES } from '../commit-deadlines.ts';
import type { AuthDatabase } from '../dashboard-store.ts';
import { openSqliteHistory } from '../history-index/history.ts';
import type { IndexingLimits } from '../history-index/history-indexing.ts';
import { createIdempotencyStore } from '../idempotency.ts';
import { createListStore } from '../lists.ts';
import { createPruner, type Prune, type Pruner } from '../pruner.ts';
import { asDamage, assertWhole } from '../records/damage.ts';
import { createLiveAttempts } from '../records/live-attempts.ts';
import type { RecordChanges } from '../records/record-changes.ts';
import { createRecordSource } from '../records/record-source.ts';
import type { PersonalDataRetention, Retention } from '../retention.ts';
import { createSessionStore } from '../sessions.ts';
import { createSharedStores } from '../shared-stores.ts';
import {
  inTransaction,
  makeFolder,
  openConnection,
  PATIENT_LOCK_MS,
  type SqliteConnection,
} from '../sqlite-connection.ts';
import type { Store } from '../store.ts';
import { startCheckpoints } from '../writer/checkpoints.ts';
import type { SqliteDeadlines } from '../writer/write-queue.ts';
import { createAssessmentStore } from './assessments.ts';
import type { AuthDialectOptions } from './auth-driver.ts';
import { createBulkUpdates } from './bulk-updates.ts';
import { createCacheStore } from './cache.ts';
import { startCommits } from './commits.ts';
import { createErasureStore } from './erasure.ts';
import { migrate } from './migrate.ts';
import { createSignInStore } from './sign-in.ts';
import { createSqlDatabase } from './sql-database.ts';

export interface SqliteStoreOptions {
  /** Created, readable by its owner only, where it does not exist. */
  readonly directory: string;
  /** Called when the schema is up to date, before anything else: what it throws refuses the store. */
  readonly onOpened?: (connection: SqliteConnection) => void;
  /** Whether the calling thread commits, without a writer thread. Default: no. */
  readonly inline?: boolean;
  /** Called after each commit with its number of jobs and the time the writer took, milliseconds. */
  readonly onBatch?: (jobs: number, milliseconds: number) => void;
  /** Called when something failed that nobody waits for, such as a thread, which is started again by itself. */
  readonly onFault?: (error: Error) => void;
  /** Called when a thread died. */
  readonly onDeath?: (thread: ThreadName) => void;
  /** Called when a commit fails first, with its error, and when one succeeds again. */
  readonly onCommitHealth?: (canCommit: boolean, error?: Error) => void;
  /** Time that assessments are kept; absent or `null`: for ever. Only a service removes any. */
  readonly retention?: Retention | null;
  /** Time that IPs and addresses are kept in them; absent or `null`: as long as the assessments. */
  readonly personalData?: PersonalDataRetention | null;
  /** Clock for the retention, milliseconds since the epoch; a step of the wall clock should not move it at once. */
  readonly patientClock?: () => number;
  /** Called before what is older than an instant (milliseconds since the epoch) is removed. */
  readonly onRemoving?: (keptFrom: number) => void;
  /** Whether writes are answered within a second, as callers of a service expect; else they wait as long as a command may. */
  readonly prompt?: boolean;
  /** Whether the deadlines are those of a command until `endStart`. Default: no. */
  readonly starting?: boolean;
  readonly forTests?: SqliteStoreForTests | undefined;
}

/** Default of each: as in an installation. */
export interface SqliteStoreForTests {
  /** Modules of the threads. */
  readonly writer?: URL;
  readonly checkpointer?: URL;
  readonly historyThread?: URL;
  /** Time without getting on with anything after which a thread is stuck, about, milliseconds. */
  readonly stuckMs?: number;
  /** Limits of what is indexed at once and waited for. */
  readonly indexing?: Partial<IndexingLimits>;
  /** Deadlines of writes. */
  readonly deadlines?: SqliteDeadlines | undefined;
  /** Pause of the removals while there is nothing to remove, milliseconds. */
  readonly idleMs?: number;
}

export type { SqliteDeadlines };

const PATIENT_DEADLINES: SqliteDeadlines = { ...COMMAND_DEADLINES, lockMs: PATIENT_LOCK_MS };
/** Deadlines of a service: of the second in which it answers, the lock leaves some for the commit itself. */
export const PROMPT_DEADLINES: SqliteDeadlines = { ...SERVICE_DEADLINES, lockMs: 700 };
/** The main thread waits for no lock: a reader meets none while the file is in use. */
const READ_LOCK_MS = 50;

/** Reading more at once would delay other work. */
const LIST_ENTRIES_PER_PAGE = 250;

/** @throws when the directory cannot be written or has a newer schema */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  try {
    return openStore(options);
  } catch (error) {
    throw asDamage(error as Error, join(options.directory, 'gatehouse.db'));
  }
}

function openStore(options: SqliteStoreOptions): Store {
  const { directory, onBatch = () => {}, onFault = () => {}, onDeath = () => {} } = options;
  const { onCommitHealth = () => {}, prompt = false, inline = false, forTests = {} } = options;
  const { current: deadlines, endStart } = deadlinesOf(options);
  const file = join(directory, 'gatehouse.db');
  makeFolder(directory);
  const reads = openDatabase(file, prompt, options.onOpened);
  const watched = { stuckMs: forTests.stuckMs, onFault, onDeath };
  const runs = join(directory, 'history');
  const { historyThread: thread, indexing: limits = {}, checkpointer, writer } = forTests;
  const history = openSqliteHistory({ file, runs, thread, limits, ...watched });
  const checkpoints = startCheckpoints({ module: checkpointer, file, prompt, ...watched });
  const source = createRecordSource(reads, { memory: {} });
  const { committer, health, uncertain, changes } = startCommits({
    file,
    writer: inline ? 'inline' : writer,
    deadlines,
    reads,
    source,
    index: history,
    isService: prompt,
    onBatch: checkpoints.noteAfter(onBatch),
    ...watched,
    onCommitHealth,
  });
  const database = createSqlDatabase(reads, committer);
  const removals = startRemovals(options, changes);

  return {
    ...createAssessmentStore({
      database,
      source,
      attempts: createLiveAttempts(reads),
      committer,
    }),
    ...createErasureStore({ file, reads, database, changes, committer, history, checkpoints }),
    ...createSharedStores(database, async (requestId) => source.findById(requestId)),
    removeAccountAssessments: changes.removeAccount,
    ...createListStore(database, LIST_ENTRIES_PER_PAGE),
    ...createBulkUpdates(committer, database),
    ...createIdempotencyStore({ database, isShared: false }),
    ...createSignInStore(reads, committer),
    ...createSessionStore(database),
    ...history.store,
    cache: createCacheStore(reads, committer, onFault),
    authDatabase: () => openAuthDatabase({ reads, submit: committer.submit }),
    // The versions are in this very machine's memory: they are polled.
    onChange: () => () => {},
    commitMark: createCommitMark(reads),
    connectionPools: () => new Map(),
    canCommit: health.canCommit,
    verifyCommits: health.suspect,
    commitsAreBehind: committer.isBehind,
    endStart,
    async close() {
      health.close();
      await Promise.all(removals.map((removal) => removal.close()));
      await closeCommits({ committer, uncertain });
      await history.close();
      await checkpoints.close();
      moveWal(reads);
      reads.close();
    },
  };
}

/** Deadlines; those of a start are a command's, until it ends. */
function deadlinesOf({ prompt = false, starting = false, forTests }: SqliteStoreOptions) {
  const usual = forTests?.deadlines ?? (prompt ? PROMPT_DEADLINES : PATIENT_DEADLINES);
  return createStartDeadlines(starting ? PATIENT_DEADLINES : undefined, usual);
}

/** Close after the last commit, also of those whose outcome is not known yet. */
async function closeCommits({
  committer,
  uncertain,
}: Pick<ReturnType<typeof startCommits>, 'committer' | 'uncertain'>): Promise<void> {
  await committer.whenIdle();
  await uncertain.close();
  await committer.close();
}

/** Into the database file, which still has what the last commits removed. Waits for nobody. */
function moveWal(connection: SqliteConnection): void {
  try {
    connection.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // The disk is full or fails: the next start has the log.
  }
}

/** Differs after each commit of another connection, and this one commits nothing. */
function createCommitMark(reads: SqliteConnection): Store['commitMark'] {
  const mark = reads.prepare('PRAGMA data_version');
  return () => (mark.get() as { data_version: number }).data_version;
}

/** Starts what a service removes and blanks in the background. */
function startRemovals(
  options: SqliteStoreOptions,
  { removeOld, blankOld }: Pick<RecordChanges, 'removeOld' | 'blankOld'>,
): Pruner[] {
  const { retention = null, personalData = null, onRemoving = () => {}, onFault = () => {} } = options;
  const { patientClock: clock = Date.now, forTests: { idleMs } = {} } = options;
  if (options.prompt !== true) return [];
  const prunes: Prune[] = [];
  if (retention !== null) prunes.push(removeOld({ retention, clock, onRemoving }));
  if (personalData !== null) prunes.push(blankOld({ retention: personalData, clock }));
  const pruners = prunes.map((prune) =>
    createPruner({ prune, random: Math.random, onFault, ...(idleMs !== undefined && { idleMs }) }),
  );
  for (const pruner of pruners) pruner.start();
  return pruners;
}

/** The database as sign-in wants it. A service without people at the dashboard starts without its modules. */
async function openAuthDatabase(options: AuthDialectOptions): Promise<AuthDatabase> {
  const { createAuthDialect, isUserGone } = await import('./auth-driver.ts');
  return { dialect: createAuthDialect(options), type: 'sqlite', isUserGone };
}

/** A connection for reading, after the schema is up to date. @throws with the file's name */
function openDatabase(
  file: string,
  prompt: boolean,
  onOpened: SqliteStoreOptions['onOpened'],
): SqliteConnection {
  const connection = openNewest(file, prompt);
  try {
    onOpened?.(connection);
    // Later nobody waits for a lock as long as a start does.
    if (prompt) inTransaction(connection, () => {});
  } catch (error) {
    connection.close();
    throw error;
  }
  connection.pragma(`busy_timeout = ${READ_LOCK_MS}`);
  return connection;
}

function openNewest(file: string, isService: boolean): SqliteConnection {
  try {
    // Closing a file that is in use would end the locks that all of this process holds on it.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    const connection = openConnection(file);
    if (isService) assertWhole(connection, file);
    migrate(connection);
    return connection;
  } catch (error) {
    throw new Error(`cannot use the database ${file}: ${(error as Error).message}`);
  }
}
