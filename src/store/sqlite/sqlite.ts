/** The embedded store: one SQLite file, read directly and written by one thread in group commits. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeFolder } from '../folder.ts';
import type { Store } from '../store.ts';
import { createAccountStore } from './accounts.ts';
import { createAssessmentStore } from './assessments.ts';
import { createCommitter } from './committer.ts';
import { type Connection, openConnection } from './connection.ts';
import { createAuditStore } from './dashboard/audit.ts';
import { createAuthDatabase } from './dashboard/auth-database.ts';
import { createPeopleStore } from './dashboard/people.ts';
import { createPolicyStore } from './dashboard/policies.ts';
import { createSignInStore } from './dashboard/sign-in.ts';
import { createKnowledgeStore } from './knowledge.ts';
import { createListStore } from './lists.ts';
import { createAskLog } from './log/ask-log.ts';
import { createLogStore } from './log/log.ts';
import { migrate } from './migrate.ts';

export interface SqliteStoreOptions {
  /** Created, readable by its owner only, where it does not exist. */
  readonly directory: string;
  /** Modules of the writer, the checkpoint and the log's thread; the built ones by default. */
  readonly writer?: URL;
  readonly checkpointer?: URL;
  readonly logThread?: URL;
  /** Called after each commit with its number of jobs and the time the writer took, milliseconds. */
  readonly onBatch?: (jobs: number, milliseconds: number) => void;
  /** Called when the writer thread failed; it is started again by itself. */
  readonly onFault?: (error: Error) => void;
}

const CHECKPOINTS_START_MS = 2_000;
/** @throws when the directory cannot be written or holds a newer schema */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { directory, onBatch = () => {}, onFault = () => {} } = options;
  const writer = options.writer ?? new URL('./writer.js', import.meta.url);
  const checkpointer = options.checkpointer ?? new URL('./checkpointer.js', import.meta.url);
  const thread = options.logThread ?? new URL('./log/log-thread.js', import.meta.url);
  const file = join(directory, 'gatehouse.db');
  makeFolder(directory);
  const reads = openDatabase(file);
  const checkpoints = startCheckpoints(checkpointer, file, onFault);
  const committer = createCommitter({ file, writer, onBatch, onFault });
  const auth = createAuthDatabase(file);
  const indexFile = join(directory, 'log-index.db');
  const log = createAskLog({ file, indexFile, thread, onFault });

  return {
    ...createAssessmentStore(reads, committer),
    ...createAccountStore(reads, committer),
    ...createListStore(reads, committer),
    ...createPeopleStore(reads, committer),
    ...createAuditStore(reads, committer),
    ...createSignInStore(reads, committer),
    ...createPolicyStore(reads, committer),
    ...createLogStore(log),
    ...createKnowledgeStore(reads, committer, onFault),
    authDatabase: auth.authDatabase,
    // The versions are in this very machine's memory: they are polled.
    onChange: () => () => {},
    connectionPools: () => new Map(),
    async close() {
      await committer.close();
      await log.close();
      await checkpoints.close();
      auth.close();
      reads.close();
    },
  };
}

/** A connection for reading, after the schema is up to date. @throws with the file's name */
function openDatabase(file: string): Connection {
  try {
    // Closing a file that is in use would end the locks that all of this process holds on it.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    const connection = openConnection(file);
    migrate(connection);
    return connection;
  } catch (error) {
    throw new Error(`cannot use the database ${file}: ${(error as Error).message}`);
  }
}

/**
 * Started late, when the start of the service is over. Without them the writer checkpoints by itself, so a fault is told
 * and nothing else comes of it.
 */
function startCheckpoints(module: URL, file: string, onFault: (error: Error) => void) {
  let ended: Promise<void> | undefined;
  let worker: Worker | undefined;
  const starting = setTimeout(() => {
    const started = new Worker(module, { workerData: { file } });
    ended = new Promise((resolve) => started.once('exit', () => resolve()));
    started.on('error', onFault);
    worker = started;
  }, CHECKPOINTS_START_MS).unref();
  return {
    async close() {
      clearTimeout(starting);
      worker?.postMessage('close');
      await ended;
    },
  };
}
