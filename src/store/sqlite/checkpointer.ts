/** The checkpoint thread: moves what is committed from the log into the database file, so that the writer need not. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';

/** Often enough that little is left for the writer when its log is full. */
const EVERY_MS = 100;

const { file } = workerData as { file: string };
// Waits for nobody: the next round tries again.
const connection = openConnection(file, 0);
const port = parentPort as MessagePort;

const checkpointing = setInterval(() => {
  try {
    // Waits for no reader and no writer, and blocks none.
    connection.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // A fault of the disk is the writer's to tell; the next round tries again.
  }
}, EVERY_MS);

port.on('message', () => {
  clearInterval(checkpointing);
  connection.close();
  port.close();
});
