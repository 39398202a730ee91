/** The log's thread: keeps the index up to date in the background, and answers questions between two slices of that. */
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { type Answers, createAnswers, type HistoryQuestion, type Reply } from './history-answers.ts';
import { createIndexer } from './history-indexer.ts';
import { createIndexing, type IndexingLimits } from './history-indexing.ts';
import { openIndex } from './history-open-index.ts';

/** A third of what other threads get of a busy processor: enough to come forward, too little to be felt. */
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
const answers: Answers = createAnswers(log, index, indexer);
const port = parentPort as MessagePort;
const reply = (message: Reply) => port.postMessage(message);
const indexing = createIndexing({
  indexer,
  answer,
  reply,
  stopwatch: () => performance.now(),
  later(work, milliseconds) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  limits,
});

function answer({ id, name, values }: HistoryQuestion): Reply {
  try {
    const ask = answers[name as keyof Answers] as (...given: readonly unknown[]) => unknown;
    return { id, answer: ask(...values) };
  } catch (error) {
    return { id, failed: (error as Error).message };
  }
}

port.on('message', (message: HistoryQuestion | 'close') => {
  if (message !== 'close') return ask(message);
  indexing.close();
  index.close();
  log.close();
  port.close();
});

/** Errors of a look-up go to its caller. */
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
