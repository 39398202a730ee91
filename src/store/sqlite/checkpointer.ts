/** The checkpoint thread: moves what is committed from the log into the database file, so that the writer need not. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { keepBeating } from '../../thread-beat.ts';
import { openConnection } from './connection.ts';

/** Often enough that little is left for the writer when its log is full. */
const EVERY_MS = 100;
/** While nothing is written. */
const IDLE_MS = 1_000;

keepBeating(workerData);
const { file } = workerData as { file: string };
// Waits for nobody: the next round tries again.
const connection = openConnection(file, 0);
const port = parentPort as MessagePort;

const checkpoint = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');
let next = setTimeout(work, EVERY_MS);
let before = '';

/** Waits for no reader and no writer, and blocks none. */
function work(): void {
  let after = '';
  try {
    const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number };
    after = `${log} ${checkpointed}`;
  } catch {
    // A fault of the disk is the writer's to tell; the next round tries again.
  }
  next = setTimeout(work, after === before ? IDLE_MS : EVERY_MS);
  before = after;
}

port.on('message', () => {
  clearTimeout(next);
  connection.close();
  port.close();
});
