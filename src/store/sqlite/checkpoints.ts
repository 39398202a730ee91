/** Starts the checkpoint thread, and asks it to empty the write-ahead log. */
import { type StartThread, startThread } from '../../thread.ts';
import { checkLater } from './damage.ts';

export interface Checkpoints {
  /** Resolves when the log was empty once: no file has the earlier texts of its pages any more. @throws when the thread ended */
  emptyLog(): Promise<void>;
  close(): Promise<void>;
}

type Options = Pick<StartThread, 'module' | 'stuckMs' | 'onFault' | 'onDeath'> & {
  readonly file: string;
  /** Whether it is of a service. */
  readonly prompt: boolean;
};

const START_MS = 2_000;

/**
 * Started late, when the start of the service is over. While there are none the writer checkpoints by itself, so that
 * the write-ahead log stays bounded. A service also checks a large file then.
 */
export function startCheckpoints({ file, prompt, ...options }: Options): Checkpoints {
  const endCheck = prompt ? checkLater(file, options.onFault) : undefined;
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const emptied = () => {
    for (const { resolve } of waiting.splice(0)) resolve();
  };
  const ended = () => {
    for (const { reject } of waiting.splice(0)) reject(new Error('the checkpoint thread ended'));
  };
  const thread = startThread({
    ...options,
    name: 'checkpointer',
    workerData: { file },
    startMs: START_MS,
    onMessage: emptied,
    onExit: ended,
  });
  return {
    emptyLog() {
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (!thread.post('empty')) ended();
      });
    },
    async close() {
      await endCheck?.();
      await thread.close();
    },
  };
}
