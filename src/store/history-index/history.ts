/** The history in SQLite: every question goes to the history's thread, which starts at the first one or when the start of the service is over. */
import { type StartThread, startThread } from '../../platform/thread.ts';
import { createHistory } from '../history.ts';
import { readerStarting, tooManyQuestions } from '../history-problems.ts';
import type { HistoryStore } from '../history-store.ts';
import {
  CHANGES,
  type HistoryQuestion,
  type IndexChange,
  type IndexingLimits,
  type Questions,
  type Reply,
} from './history-indexing.ts';

export interface SqliteHistoryOptions {
  readonly file: string;
  /** The folder of its runs. */
  readonly runs: string;
  /** Module of the thread; by default the built one. */
  readonly thread?: URL | undefined;
  readonly limits: Partial<IndexingLimits>;
  readonly onFault: (error: Error) => void;
  readonly onDeath: StartThread['onDeath'];
  readonly stuckMs: StartThread['stuckMs'];
}

/** Removed from the index, assessments are still stored. */
export interface SqliteHistory extends Pick<Questions, IndexChange> {
  /** Also throws Problem `unavailable` when the thread has died and has not started again. */
  readonly store: HistoryStore;
  close(): Promise<void>;
}

interface PendingQuestion {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

const THREAD = new URL('./history-thread.js', import.meta.url);
const START_MS = 2_000;
/** More would not make indexing faster, and stays taken when it is over. */
const YOUNG_MEGABYTES = 6;
const MAX_PENDING = 200;

const QUERIES = [
  'findAssessments',
  'countPage',
  'findAssessment',
  'related',
  'replayablePage',
  'candidatePage',
  'reportedMistakes',
  'labelCounts',
  'traffic',
  'shadowCounts',
  'challengeCounts',
  'dayCounts',
] as const;

export function openSqliteHistory(options: SqliteHistoryOptions): SqliteHistory {
  const { ask, close } = startHistoryThread(options);
  const questions = <Name extends keyof Questions>(names: readonly Name[]) =>
    Object.fromEntries(
      names.map((name) => [name, (...values: readonly unknown[]) => ask(name, values)]),
    ) as Pick<Questions, Name>;
  const store = createHistory(questions(QUERIES), (to) => ask('indexing', [to]));
  return { store, ...questions(CHANGES), close };
}

function startHistoryThread(options: SqliteHistoryOptions) {
  const { file, runs, thread: module = THREAD, limits, onFault, onDeath, stuckMs } = options;
  const pending = new Map<number, PendingQuestion>();
  let lastId = 0;
  let closed = false;
  const thread = startThread({
    name: 'history',
    module,
    workerData: { file, runs, limits },
    startMs: START_MS,
    youngMegabytes: YOUNG_MEGABYTES,
    onMessage: (reply) => answerQuestion(reply as Reply),
    onExit: failPending,
    onFault,
    onDeath,
    stuckMs,
  });

  function answerQuestion(reply: Reply): void {
    if ('fault' in reply) {
      onFault(new Error(`indexing the history failed: ${reply.fault}`));
      return;
    }
    const asker = pending.get(reply.id);
    pending.delete(reply.id);
    if ('answer' in reply) asker?.resolve(reply.answer);
    else asker?.reject(new Error(`reading the history failed: ${reply.failed}`));
  }

  function failPending(): void {
    for (const { reject } of pending.values()) reject(readerStarting());
    pending.clear();
  }

  return {
    ask<Answer>(name: HistoryQuestion['name'], values: readonly unknown[]): Promise<Answer> {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the store is closed'));
        if (pending.size >= MAX_PENDING) return reject(tooManyQuestions());
        lastId += 1;
        pending.set(lastId, { resolve: resolve as PendingQuestion['resolve'], reject });
        if (!thread.post({ id: lastId, name, values } satisfies HistoryQuestion)) failPending();
      });
    },
    async close(): Promise<void> {
      closed = true;
      await thread.close();
    },
  };
}
