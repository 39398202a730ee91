/** The shared store: any number of nodes on one PostgreSQL, each with a committer of its own and a few connections for reading. */

import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { COMMAND_DEADLINES, type CommitDeadlines, SERVICE_DEADLINES } from '../commit-deadlines.ts';
import { createCommitHealth } from '../commit-health.ts';
import type { AuthDatabase } from '../dashboard-store.ts';
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
import { type Database, openDatabase, openPool, Unreachable, useOf } from './database.ts';
import { createErasureStore } from './erasure.ts';
import { createPostgresHistory, FOR_BLOCKS, FOR_SUMS, openHistoryConnections } from './history.ts';
import { migrate } from './migrate.ts';
import { refuseUnfinished } from './migrate-target.ts';
import { createPartitionMaintenance, newestAt, type PartitionMaintenance } from './partitions.ts';
import { createRemoveAccount } from './remove-account.ts';
import { openRollupWorker } from './rollup-worker.ts';
import { loadSecret } from './secret.ts';
import { createSignInStore } from './sign-in.ts';
import { createSqlDatabase } from './sql-database.ts';
import { unusable } from './unusable.ts';

export interface PostgresStoreOptions {
  readonly url: string;
  /** How long assessments are kept, by whole months; absent or `null`: for ever. */
  readonly retention?: Retention | null;
  /** How long IPs and addresses are kept in them; absent or `null`: as long as the assessments. */
  readonly personalData?: PersonalDataRetention | null;
  /** Pause of the blanking while there is nothing to blank, milliseconds; the usual by default. */
  readonly idleMs?: number;
  /** Called after each batch with its number of jobs and the time it took, milliseconds. */
  readonly onBatch?: (jobs: number, milliseconds: number) => void;
  /** Called when something failed that nobody waits for. */
  readonly onFault?: (error: Error) => void;
  /** Called when nothing could be committed for some seconds, with the latest error, and when something can again. */
  readonly onCommitHealth?: (canCommit: boolean, error?: Error) => void;
  /** Called when another node is changing the schema, which this one waits for. */
  readonly onWait?: () => void;
  /** Whether to make an installation where there is none. Default true. */
  readonly create?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Whether the first commit is to find everything ready, for a service; a command need not wait for that. */
  readonly warm?: boolean;
  /** Of writes; the second also of reads. Default: those of a service where `warm`, else those of a command. */
  readonly deadlines?: CommitDeadlines;
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

/** For two batches at once, the partitions of a new month, and the removal of uncertain commits. */
const COMMIT_CONNECTIONS = 4;
const READ_CONNECTIONS = 6;
const LIST_ENTRIES_PER_PAGE = 1_000;
/** People sign in seldom, and what else they do asks for one session. */
const SIGN_IN_CONNECTIONS = 3;
const SIGN_IN_DEADLINE_MS = 2_000;
/** Until a connection that was made to a standby, which the name led to for a while, is replaced. */
const SIGN_IN_LIFETIME_SECONDS = 60;
/** PostgreSQL's code of the error. */
const FOREIGN_KEY_VIOLATION = '23503';

/** What a statement may take that a start waits for, where a node that serves has no time to lose. */
const START_MS = 60_000;
const START_PAUSE_MS = 100;
/** Each node asks so often whether there is something to blank. */
const IDLE_MS = 60_000;

/** @throws in one line when the database cannot be reached or has a newer schema */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, retention = null, onBatch = () => {}, onFault = () => {}, clock = Date.now } = options;
  const { onCommitHealth = () => {}, warm = false } = options;
  const { deadlines = warm ? SERVICE_DEADLINES : COMMAND_DEADLINES } = options;
  const { commits, reads } = openPools(url, deadlines);
  const refuse = (error: Error) => {
    throw unusable(url, error);
  };
  const maintenance = createPartitionMaintenance({ database: reads, retention, clock, onFault });
  const health = createCommitHealth({
    rehearse: () => committer.rehearse(clock()),
    onChange: onCommitHealth,
  });
  const committer = createCommitter({ database: commits, deadlines, health, onBatch, onFault });
  try {
    await migrate(url, { create: options.create, onWait: options.onWait });
    await prepare(url, maintenance).catch(refuse);
    // What a start reads finds a connection: to make the first takes long where many nodes start at once.
    if (warm) await untilReached(() => reads.query('SELECT 1')).catch(refuse);
    if (warm) await untilReached(() => committer.warm(clock())).catch(refuse);
  } catch (error) {
    maintenance.close();
    health.close();
    await committer.close();
    await Promise.all([commits.close(), reads.close()]);
    throw error;
  }
  const database = createSqlDatabase(reads);
  const cache = createCacheStore(reads, onFault);
  const changes = createChanges(url);
  const auth = createAuthDatabase(url, Math.max(SIGN_IN_DEADLINE_MS, deadlines.answerMs));
  const log = openHistoryConnections(url);
  const blocks = openHistoryConnections(url, FOR_BLOCKS);
  const sums = openHistoryConnections(url, FOR_SUMS);
  const tallies = openRollupWorker({ url, clock, onFault });
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
    commitsAreBehind: committer.isBehind,
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

/** Only a service does it. */
function startBlanking(options: PostgresStoreOptions, database: Database): Pruner | undefined {
  const { warm = false, personalData: retention = null, onFault = () => {}, idleMs = IDLE_MS } = options;
  if (!warm || retention === null) return undefined;
  const prune = createBlankOld({ database, retention, newestAt });
  const pruner = createPruner({ prune, random: Math.random, onFault, idleMs });
  pruner.start();
  return pruner;
}

function openPools(url: string, { answerMs: deadlineMs }: CommitDeadlines) {
  return {
    commits: openDatabase({
      url,
      deadlineMs,
      connections: COMMIT_CONNECTIONS,
      minConnections: LANES,
      name: 'gatehouse commits',
      // Batches differ in length only: no statement has to be planned again.
      settings: { plan_cache_mode: 'force_generic_plan', jit: 'off' },
    }),
    reads: openDatabase({ url, deadlineMs, connections: READ_CONNECTIONS }),
  };
}

/** By the names of the metric; a pool that was never opened is left out. */
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
      if (!(error instanceof Unreachable) || performance.now() > until) throw error;
      await setTimeout(START_PAUSE_MS);
    }
  }
}

/** The partitions of this month and the next: a server that was idle takes longer than a node that serves could wait. */
async function prepare(url: string, maintenance: PartitionMaintenance): Promise<void> {
  const patient = openDatabase({ url, connections: 1, deadlineMs: START_MS });
  try {
    await refuseUnfinished(patient.query);
    await maintenance.poll(patient);
  } finally {
    await patient.close();
  }
}

/** All foreign keys of these tables lead to the user. */
function isUserGone(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === FOREIGN_KEY_VIOLATION;
}

/** The database as sign-in wants it: a pool of its own, made when it is first asked for. */
function createAuthDatabase(url: string, deadlineMs: number) {
  let pool: pg.Pool | undefined;
  return {
    async authDatabase(): Promise<AuthDatabase> {
      // Not at the top: a service that nobody looks at starts without it.
      const { PostgresDialect } = await import('kysely');
      pool ??= openPool({
        url,
        connections: SIGN_IN_CONNECTIONS,
        name: 'gatehouse sign-in',
        deadlineMs,
        queryMs: deadlineMs,
        lifetimeSeconds: SIGN_IN_LIFETIME_SECONDS,
      });
      return { dialect: new PostgresDialect({ pool }), type: 'postgres', isUserGone };
    },
    /** None before somebody has signed in. */
    poolUse: (): PoolUse | undefined => pool && useOf(pool),
    async close(): Promise<void> {
      await pool?.end();
      pool = undefined;
    },
  };
}
