/** Puts questions to the log's thread, which starts at the first one or when the start of the service is over. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../contract/problem.ts';
import type { Answers, Question, Reply } from './answers.ts';

export interface AskLogOptions {
  readonly file: string;
  readonly indexFile: string;
  /** Module of the thread. */
  readonly thread: URL;
  readonly onFault: (error: Error) => void;
}

export interface AskLog {
  /** @throws Problem `unavailable` while too much is not indexed yet, or when too much is asked at once */
  ask<Name extends keyof Answers>(
    name: Name,
    ...values: Parameters<Answers[Name]>
  ): Promise<ReturnType<Answers[Name]>>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

const START_MS = 2_000;
const MOST_WAITING = 200;

export function createAskLog({ file, indexFile, thread, onFault }: AskLogOptions): AskLog {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed = false;
  let worker: Worker | undefined;
  let ended: Promise<void> | undefined;
  const starting = setTimeout(start, START_MS).unref();

  function start(): Worker {
    clearTimeout(starting);
    if (worker !== undefined) return worker;
    const started = new Worker(thread, { workerData: { file, indexFile } });
    ended = new Promise((resolve) => started.once('exit', () => resolve(died())));
    started.on('message', settle);
    started.on('error', onFault);
    worker = started;
    return started;
  }

  function settle(reply: Reply): void {
    if ('fault' in reply) {
      onFault(new Error(`indexing the log failed: ${reply.fault}`));
      return;
    }
    const asker = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('answer' in reply) asker?.resolve(reply.answer);
    else if ('failed' in reply) asker?.reject(new Error(`reading the log failed: ${reply.failed}`));
    else asker?.reject(stillIndexing(reply.behind));
  }

  function died(): void {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error("the log's thread stopped"));
    waiting.clear();
  }

  return {
    ask(name, ...values) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the store is closed'));
        if (waiting.size >= MOST_WAITING) return reject(new Problem('unavailable'));
        lastId += 1;
        waiting.set(lastId, { resolve: resolve as Waiting['resolve'], reject });
        start().postMessage({ id: lastId, name, values } satisfies Question);
      });
    },
    async close() {
      closed = true;
      clearTimeout(starting);
      worker?.postMessage('close');
      await ended;
    },
  };
}

function stillIndexing(behind: number): Problem {
  return new Problem('unavailable', undefined, {
    message: `The log is still being indexed: ${behind} assessments are left.`,
    resolution: 'Try again in a moment.',
  });
}
