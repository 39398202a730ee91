/** The log's thread: keeps the index up to date in the background, and answers questions with everything indexed. */
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../connection.ts';
import { type Answers, createAnswers, type Question, type Reply } from './answers.ts';
import { createIndexer } from './indexer.ts';
import { openIndex } from './open-index.ts';

/** What is left to do between questions can wait until there is enough of it to be worth a transaction. */
const EVERY_MS = 5_000;
const AFTER_FAULT_MS = 10_000;
/** Large, because a transaction rewrites nearly the same pages whether it adds a hundred or a thousand; closing waits for it. */
const STEP = 2_000;
/** How long a question waits for what is not indexed yet. */
const PATIENCE_MS = 15_000;
/** A third of what other threads get of a busy processor: enough to come forward, too little to be felt. */
const LOW_PRIORITY = 5;
/** How much longer than at work it is at rest while nobody asks: the service comes first. */
const REST = 3;

lowerPriority();
const { file, indexFile } = workerData as { file: string; indexFile: string };
const log = openConnection(file);
log.pragma('query_only = ON');
const index = openIndex(indexFile, log);
const indexer = createIndexer(log, index);
const answers: Answers = createAnswers(log, index, indexer);
const port = parentPort as MessagePort;
let next = setTimeout(work, 0);

function work(): void {
  const started = performance.now();
  let pause = EVERY_MS;
  try {
    if (indexer.step(STEP) === STEP) pause = REST * (performance.now() - started);
  } catch (error) {
    reply({ fault: (error as Error).message });
    pause = AFTER_FAULT_MS;
  }
  next = setTimeout(work, pause);
}

/** How much is left to index when patience ends; 0 when everything is indexed that was stored before the call. */
function catchUp(): number {
  const until = performance.now() + PATIENCE_MS;
  let left = indexer.behind();
  while (left > 0 && performance.now() < until) left -= Math.max(indexer.step(STEP), 1);
  return Math.max(left, 0);
}

function answer({ id, name, values }: Question): Reply {
  try {
    const behind = catchUp();
    if (behind > 0) return { id, behind };
    const ask = answers[name] as (...given: readonly unknown[]) => unknown;
    return { id, answer: ask(...values) };
  } catch (error) {
    return { id, failed: (error as Error).message };
  }
}

function reply(message: Reply): void {
  port.postMessage(message);
}

port.on('message', (message: Question | 'close') => {
  if (message !== 'close') return reply(answer(message));
  clearTimeout(next);
  index.close();
  log.close();
  port.close();
});

/** On Linux this is the calling thread's own priority; elsewhere it would be the whole process's. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Then it competes like any other thread.
  }
}
