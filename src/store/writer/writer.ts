/** The writer thread: commits each batch of jobs in one transaction and answers only after the commit. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { keepBeating } from '../../platform/thread-beat.ts';
import { openConnection } from '../sqlite-connection.ts';
import type { Chunk, CommittedBatch } from './chunk.ts';
import { createCommitChunk } from './commit-chunk.ts';

/** A chunk of jobs, or the end. */
type Message = Chunk | 'close';

keepBeating(workerData);
const { file } = workerData as { file: string };
const connection = openConnection(file);
const commit = createCommitChunk(connection);

const port = parentPort as MessagePort;
/** One transaction holds at most about this many jobs. */
const MAX_BATCH = 512;

port.on('message', (message: Message) => {
  const started = performance.now();
  const work: Chunk['work'][number][] = [];
  const deadlines: number[] = [];
  let next: Message | undefined = message;
  let lockMs = 0;
  while (next !== undefined && next !== 'close') {
    work.push(...next.work);
    deadlines.push(...next.deadlines);
    lockMs = next.lockMs;
    next = deadlines.length < MAX_BATCH ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (deadlines.length > 0) {
    const results = commit({ work, deadlines, lockMs });
    port.postMessage({ results, milliseconds: performance.now() - started } satisfies CommittedBatch);
  }
  if (next === 'close') {
    connection.close();
    port.close();
  }
});
