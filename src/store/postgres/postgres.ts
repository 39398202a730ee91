/** The shared store: any number of nodes on one PostgreSQL, each with a committer of its own and a few connections for reading. */
import { setTimeout } from 'node:timers/promises';
import {
  COMMAND_DEADLINES,
  type CommitDeadlines,
  createStartDeadlines,
  SERVICE_DEADLINES,
} from '../commit-deadlines.ts';
import { createCommitHealth } from '../commit-health.ts';
import { createIdempotencyStore } from '../idempotency.ts';
import { createListStore } from '../lists.ts';
import { createPruner, type Pruner } from '../pruner.ts';
import type { PersonalDataRetention, Retention } from '../retention.ts';
import type { NewSecret } from '../secret-use.ts';
import { createSessionStore } from '../sessions.ts';
import { createSharedStores } from '../shared-stores.ts';
import type { PoolUse, Store } from '../store.ts';
import { createAssessmentStore, createFindChallenged } from './assessments.ts';
import { createBlankOld } from './blank-old.ts';
import { createBulkUpdates } from './bulk-updates.ts';
import { createCacheStore } from './cache.ts';
import { createChanges } from './changes.ts';
import { createCommitter, LANES } from './committer.ts';
import { type Database, isAway, openDatabase, type PooledDatabase } from './database.ts';
import { createErasureStore } from './erasure.ts';
import { createPostgresHistory, FOR_BLOCKS, FOR_SUMS, openHistoryConnections } from './history.ts';
import { migrate } from './migrate.ts';
import { refuseUnfinished } from './migrate-target.ts';
import { createPartitionMaintenance, newestAt } from './partitions.ts';
import { createRemoveAccount } from './remove-account.ts';
import { openRollupWorker } from './rollup-worker.ts';
import { loadSecret } from './secret.ts';
import { createSignInStore } from './sign-in.ts';
import { createAuthDatabase } from './sign-in-pool.ts';
import { createSqlDatabase } from './sql-database.ts';
import { unusable } from './unusable.ts';

export interface PostgresStoreOptions {
  readonly url: string;
  /** Time that assessments are kept, by whole months; absent or `null`: for ever. */
  readonly retention?: Retention | null;
  /** Time that IPs and addresses are kept in them; absent or `null`: as long as the assessments. */
  readonly personalData?: PersonalDataRetention | null;
  /** Called after each batch with its number of jobs and the time it took, milliseconds. */
  readonly onBatch?: (jobs: number, milliseconds: number) => void;
  /** Called when something failed that nobody waits for. */
  readonly onFault?: (error: Error) => void;
  /** Called when a commit fails first, with its error, and when one succeeds again. */
  readonly onCommitHealth?: (canCommit: boolean, error?: Error) => void;
  /** Called when another node is changing the schema, which this one waits for. */
  readonly onWait?: () => void;
  /** Whether to make an installation where there is none. Default true. */
  readonly create?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Whether the first commit is to find everything ready, for a service; a command need not wait for that. */
  readonly warm?: boolean;
  /** Whether the deadlines are those of a command until `endStart`. Default: no. */
  readonly starting?: boolean;
  readonly forTests?: PostgresStoreForTests | undefined;
}

/** Default of each: as in an installation. */
interface PostgresStoreForTests {
  /** Deadlines of writes; the second also of reads. */
  readonly deadlines?: CommitDeadlines | undefined;
  /** Pause of the blanking while there is nothing to blank, milliseconds. */
  readonly idleMs?: number;
}

export interface PostgresStore extends Store {
  /**
   * The secret that all nodes hash addresses with. If none is configured, it is made once and kept in the
   * database. A configured one is not kept: the database only has what shows whether it is the same.
   * @throws when another secret is in use, or the one that data were made with is missing, unless `insist` asks for a
   * new one
   */
  secret(configured: Buffer | undefined, insist?: NewSecret): Promise<Buffer>;
}

/** Number of connections: for two batches at once, the partitions of a new month, and the removal of uncertain commits. */
const COMMIT_CONNECTIONS = 4;
const READ_CONNECTIONS = 6;
const LIST_ENTRIES_PER_PAGE = 1_000;

/** Max. time of a statement that a start waits for; a node that serves has less. */
const START_MS = 60_000;
const START_PAUSE_MS = 100;
const PATIENT_CONNECTIONS = 3;
/** Each node asks so often whether there is something to blank. */
const IDLE_MS = 60_000;

/** @throws in one line when the database cannot be reached or has a newer schema */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, retention = null, onBatch = () => {}, onFault = () => {}, clock = Date.now } = options;
  const { onCommitHealth = () => {}, warm = false, starting = false, forTests = {} } = options;
  const { deadlines: usual = warm ? SERVICE_DEADLINES : COMMAND_DEADLINES } = forTests;
  const starts = starting ? COMMAND_DEADLINES : undefined;
  const { current: deadlines, endStart } = createStartDeadlines(starts, usual);
  const onAway = () => health.suspect();
  const { commits, reads: prompt } = openPools(url, usual, onAway);
  const patient = openDatabase({ url, connections: PATIENT_CONNECTIONS, deadlineMs: START_MS });
  const reads = createStartDatabase(patient, prompt);
  const maintenance = createPartitionMaintenance({ database: reads, retention, clock, onFault });
  const health = createCommitHealth({
    rehearse: warm ? () => committer.rehearse(clock()) : undefined,
    onChange: onCommitHealth,
  });
  const committer = createCommitter({ database: commits, deadlines, health, onBatch, onFault });
  try {
    await prepare(options, { patient, prompt, maintenance, warmUp: () => committer.warm(clock()) });
  } catch (error) {
    maintenance.close();
    health.close();
    await committer.close();
    await Promise.all([commits.close(), reads.close()]);
    throw error;
  }
  if (!starting) await reads.endStart();
  const database = createSqlDatabase(reads);
  const cache = createCacheStore(reads, onFault);
  const changes = createChanges(url);
  const auth = createAuthDatabase(url, usual.answerMs, onAway);
  const log = openHistoryConnections(url, undefined, onAway);
  const blocks = openHistoryConnections(url, FOR_BLOCKS, onAway);
  const sums = openHistoryConnections(url, FOR_SUMS, onAway);
  const tallies = openRollupWorker({ url, clock, onFault, onAway });
  const blanking = startBlanking(options, reads);

  return {
    ...createAssessmentStore(reads, committer),
    ...createSharedStores(database, createFindChallenged(reads.query)),
    removeAccountAssessments: createRemoveAccount(reads),
    ...createListStore(database, LIST_ENTRIES_PER_PAGE),
    ...createBulkUpdates(reads),
    ...createErasureStore(reads, database),
    ...createIdempotencyStore({ database, isShared: true }),
    ...createSignInStore(reads),
    ...createSessionStore(database),
    ...createPostgresHistory(log.query, blocks.query, sums.query),
    authDatabase: auth.authDatabase,
    cache,
    onChange: changes.onChange,
    commitMark: () => undefined,
    secret: (configured, insist) => loadSecret(reads, configured, insist),
    canCommit: health.canCommit,
    verifyCommits: health.suspect,
    commitsAreBehind: committer.isBehind,
    endStart() {
      endStart();
      void reads.endStart();
    },
    connectionPools: () =>
      poolsOf({ commits, reads, log, log_blocks: blocks, log_sums: sums, tallies, sign_in: auth }),
    async close() {
      maintenance.close();
      health.close();
      await Promise.all([blanking?.close(), committer.close(), cache.close(), changes.close(), auth.close()]);
      await Promise.all([log.close(), blocks.close(), sums.close(), tallies.close()]);
      await Promise.all([commits.close(), reads.close()]);
    },
  };
}

interface Prepared {
  readonly patient: Database;
  readonly prompt: Database;
  readonly maintenance: ReturnType<typeof createPartitionMaintenance>;
  warmUp(): Promise<unknown>;
}

/** @throws in one line when the database cannot be used */
async function prepare(
  { url, create, onWait, warm = false }: PostgresStoreOptions,
  { patient, prompt, maintenance, warmUp }: Prepared,
): Promise<void> {
  const refuse = (error: Error) => {
    throw unusable(url, error);
  };
  await migrate(url, { create, onWait });
  await refuseUnfinished(patient.query).catch(refuse);
  // The partitions of this month and the next: a server that was idle takes longer than a node that serves could wait.
  await maintenance.poll(patient).catch(refuse);
  if (!warm) return;
  // The reads of a start find a connection: the first takes long to make where many nodes start at once.
  await untilReached(() => prompt.query('SELECT 1')).catch(refuse);
  await untilReached(warmUp).catch(refuse);
}

/** Only a service does it. */
function startBlanking(options: PostgresStoreOptions, database: Database): Pruner | undefined {
  const { warm = false, personalData: retention = null, onFault = () => {}, forTests = {} } = options;
  if (!warm || retention === null) return undefined;
  const prune = createBlankOld({ database, retention, newestAt });
  const pruner = createPruner({ prune, random: Math.random, onFault, idleMs: forTests.idleMs ?? IDLE_MS });
  pruner.start();
  return pruner;
}

function openPools(url: string, { answerMs: deadlineMs }: CommitDeadlines, onAway: () => void) {
  return {
    commits: openDatabase({
      url,
      deadlineMs,
      onAway,
      connections: COMMIT_CONNECTIONS,
      minConnections: LANES,
      name: 'gatehouse commits',
      // Batches differ in length only: no statement has to be planned again.
      settings: { plan_cache_mode: 'force_generic_plan', jit: 'off' },
    }),
    reads: openDatabase({ url, deadlineMs, onAway, connections: READ_CONNECTIONS }),
  };
}

/** Uses of pools by the names of the metric; a pool that was never opened is left out. */
function poolsOf(pools: Readonly<Record<string, { poolUse(): PoolUse | undefined }>>): Map<string, PoolUse> {
  const uses = new Map<string, PoolUse>();
  for (const [name, pool] of Object.entries(pools)) {
    const use = pool.poolUse();
    if (use !== undefined) uses.set(name, use);
  }
  return uses;
}

/** A start waits for connections, where a node that serves has no time to lose. */
async function untilReached(work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + START_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isAway(error) || performance.now() > until) throw error;
      await setTimeout(START_PAUSE_MS);
    }
  }
}

/** `patient` until the start has ended, then `prompt`. Closes both. */
function createStartDatabase(patient: PooledDatabase, prompt: PooledDatabase) {
  let current: PooledDatabase = patient;
  let ended: Promise<void> | undefined;
  const endPatient = () => {
    ended ??= patient.close();
    return ended;
  };
  return {
    query: ((sql, values) => current.query(sql, values)) as Database['query'],
    transaction: <T>(work: Parameters<Database['transaction']>[0]) => current.transaction(work) as Promise<T>,
    poolUse: prompt.poolUse,
    async endStart(): Promise<void> {
      current = prompt;
      await endPatient();
    },
    async close(): Promise<void> {
      await Promise.all([endPatient(), prompt.close()]);
    },
  };
}
