/** The thread of the history: keeps the index up to date in the background, and answers questions between two slices of that. */
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createHistoryQueries } from '../history-queries.ts';
import { openConnection } from './connection.ts';
import { createHistoryDatabase } from './history-database.ts';
import { createIndexer } from './history-indexer.ts';
import {
  createIndexing,
  type HistoryQuestion,
  type IndexingLimits,
  type Questions,
  type Reply,
} from './history-indexing.ts';
import { openIndex } from './history-open-index.ts';

/** A third of what other threads get of a busy processor: enough to make progress, too little to slow them down. */
const LOW_PRIORITY = 5;
lowerPriority();
const { file, indexFile, limits } = workerData as {
  file: string;
  indexFile: string;
  limits: Partial<IndexingLimits>;
};
const log = openConnection(file);
log.pragma('query_only = ON');
const index = openIndex(indexFile, log);
const indexer = createIndexer(log, index);
const questions: Questions = {
  ...createHistoryQueries(createHistoryDatabase(log, index)),
  removeFromIndex: async (requestIds) => indexer.remove(requestIds),
};
const port = parentPort as MessagePort;
const reply = (message: Reply) => port.postMessage(message);
const indexing = createIndexing({
  indexer,
  answer: (question) => void answer(question),
  reply,
  stopwatch: () => performance.now(),
  later(work, milliseconds) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  limits,
});

/** Waits for nothing: no slice and no other message comes before the reply. */
async function answer({ id, name, values }: HistoryQuestion): Promise<void> {
  try {
    const read = questions[name as keyof Questions] as (...values: readonly unknown[]) => Promise<unknown>;
    reply({ id, answer: await read(...values) });
  } catch (error) {
    reply({ id, failed: (error as Error).message });
  }
}

port.on('message', (message: HistoryQuestion | 'close') => {
  if (message !== 'close') return ask(message);
  indexing.close();
  index.close();
  log.close();
  port.close();
});

/** The index itself may fail before the question is answered. */
function ask(question: HistoryQuestion): void {
  try {
    indexing.ask(question);
  } catch (error) {
    reply({ id: question.id, failed: (error as Error).message });
  }
}

/** On Linux this is the calling thread's own priority; elsewhere it would be the whole process's. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Then it competes like any other thread.
  }
}
