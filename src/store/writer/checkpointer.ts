/** The checkpoint thread: moves what is committed from the log into the database file, so that the writer need not. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { keepBeating } from '../../platform/thread-beat.ts';
import { openConnection } from '../sqlite-connection.ts';

/** Interval so short that little is left for the writer when its WAL is full. */
const EVERY_MS = 100;
/** Time between rounds while nothing is written. */
const IDLE_MS = 1_000;
/** Rounds without anything to move after which the thread may end. */
const IDLE_ROUNDS = 10;

keepBeating(workerData);
const { file } = workerData as { file: string };
// Waits for nobody: the next round tries again.
const connection = openConnection(file, 0);
const port = parentPort as MessagePort;

const checkpoint = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const truncate = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
/** Whether somebody waits until the log was empty once. */
let isToEmpty = false;
let next = setTimeout(work, EVERY_MS);
let before = '';
let idleRounds = 0;

/** Waits for no reader and no writer, and blocks none. */
function work(): void {
  let after = '';
  try {
    const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number };
    after = `${log} ${checkpointed}`;
    if (isToEmpty) empty();
  } catch {
    // The writer reports faults of the disk; the next round tries again.
  }
  const isIdle = after === before && !isToEmpty;
  next = setTimeout(work, isIdle ? IDLE_MS : EVERY_MS);
  before = after;
  idleRounds = isIdle ? idleRounds + 1 : 0;
  if (idleRounds > 0 && idleRounds % IDLE_ROUNDS === 0) port.postMessage('idle');
}

/** Empties the WAL in one moment between two transactions; while others read or write, the next round tries again. */
function empty(): void {
  if ((truncate.get() as { busy: number }).busy !== 0) return;
  isToEmpty = false;
  port.postMessage('emptied');
}

port.on('message', (message: 'empty' | 'close') => {
  if (message === 'empty') {
    isToEmpty = true;
    clearTimeout(next);
    next = setTimeout(work, 0);
    return;
  }
  clearTimeout(next);
  connection.close();
  port.close();
});
