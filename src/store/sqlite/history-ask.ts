/** Puts questions to the log's thread, which starts at the first one or when the start of the service is over. */
import { readerStarting, tooManyQuestions } from '../history-log-problems.ts';
import type { IndexProgress } from '../history-store.ts';
import type { Answers, HistoryQuestion, Reply } from './history-answers.ts';
import type { IndexingLimits } from './history-indexing.ts';
import { type StartThread, startThread } from './thread.ts';

export interface AskLogOptions {
  readonly file: string;
  readonly indexFile: string;
  /** Module of the thread. */
  readonly thread: URL;
  readonly limits: Partial<IndexingLimits>;
  readonly onFault: (error: Error) => void;
  readonly onDeath: StartThread['onDeath'];
}

export interface AskLog {
  /** @throws Problem `unavailable` when too much is asked at once, or the thread has died and has not started again */
  ask<Name extends keyof Answers>(
    name: Name,
    ...values: Parameters<Answers[Name]>
  ): Promise<ReturnType<Answers[Name]>>;
  /** As `LogStore.indexing`. */
  indexing(to?: number): Promise<IndexProgress | null>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

const START_MS = 2_000;
const MAX_WAITING = 200;

export function createAskLog(options: AskLogOptions): AskLog {
  const { file, indexFile, limits, onFault } = options;
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed = false;
  const thread = startThread({
    name: 'log',
    module: options.thread,
    workerData: { file, indexFile, limits },
    startMs: START_MS,
    onMessage: (reply) => settle(reply as Reply),
    onExit: died,
    onFault,
    onDeath: options.onDeath,
  });

  function settle(reply: Reply): void {
    if ('fault' in reply) {
      onFault(new Error(`indexing the log failed: ${reply.fault}`));
      return;
    }
    const asker = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('answer' in reply) asker?.resolve(reply.answer);
    else asker?.reject(new Error(`reading the log failed: ${reply.failed}`));
  }

  function died(): void {
    for (const { reject } of waiting.values()) reject(readerStarting());
    waiting.clear();
  }

  function post<Answer>(name: HistoryQuestion['name'], values: readonly unknown[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new Error('the store is closed'));
      if (waiting.size >= MAX_WAITING) return reject(tooManyQuestions());
      lastId += 1;
      waiting.set(lastId, { resolve: resolve as Waiting['resolve'], reject });
      if (!thread.post({ id: lastId, name, values } satisfies HistoryQuestion)) died();
    });
  }

  return {
    ask: (name, ...values) => post(name, values),
    indexing: (to) => post('indexing', [to]),
    async close() {
      closed = true;
      await thread.close();
    },
  };
}
