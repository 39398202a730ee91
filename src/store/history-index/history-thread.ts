/** The thread of the history: keeps the index up to date in the background, and answers questions between two slices of that. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../platform/low-priority.ts';
import { keepBeating } from '../../platform/thread-beat.ts';
import { createHistoryQueries } from '../history-queries.ts';
import { createRecordSource } from '../records/record-source.ts';
import { openConnection } from '../sqlite-connection.ts';
import { createHistoryDatabase } from './history-database.ts';
import {
  createIndexing,
  type HistoryQuestion,
  type IndexingLimits,
  type Questions,
  type Reply,
} from './history-indexing.ts';
import { DamagedRun } from './run-file.ts';
import { openRunFolder } from './run-folder.ts';
import { createRunIndexer } from './run-indexer.ts';

lowerPriority();
keepBeating(workerData);
const { file, runs, limits } = workerData as {
  file: string;
  runs: string;
  limits: Partial<IndexingLimits>;
};
const connection = openConnection(file);
connection.pragma('query_only = ON');
const port = parentPort as MessagePort;
const reply = (message: Reply) => port.postMessage(message);
/** Numbers of the batches that were reported. */
const damaged = new Set<number>();
const source = createRecordSource(connection, { onDamaged: reportOnce });
const folder = openRunFolder(runs, source, limits.runSize);
const indexer = createRunIndexer(source, folder);
const questions: Questions = {
  ...createHistoryQueries(createHistoryDatabase(connection, source, indexer.segments)),
  ...indexer,
};
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
    if (error instanceof DamagedRun) indexer.discard(error);
    reply({ id, failed: (error as Error).message });
  }
}

port.on('message', (message: HistoryQuestion | 'close') => {
  if (message !== 'close') return ask(message);
  indexing.close();
  connection.close();
  port.close();
});

/** Reports each batch once: it is met again by each search, while everything else is still indexed and found. */
function reportOnce({ seq, message }: { readonly seq: number; readonly message: string }): void {
  if (damaged.has(seq)) return;
  damaged.add(seq);
  reply({ fault: message });
}

/** The index itself may fail before the question is answered. */
function ask(question: HistoryQuestion): void {
  try {
    indexing.ask(question);
  } catch (error) {
    reply({ id: question.id, failed: (error as Error).message });
  }
}
