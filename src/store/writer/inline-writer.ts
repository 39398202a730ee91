/** Commits on the calling thread, for a command: most commit little, and to start a thread takes longer than that. */
import type { BackgroundThread } from '../../platform/thread.ts';
import { openConnection, type SqliteConnection } from '../sqlite-connection.ts';
import { type Chunk, type CommittedBatch, writeFault } from './chunk.ts';
import { createCommitChunk } from './commit-chunk.ts';

export interface InlineWriterOptions {
  readonly file: string;
  /** Called with a `CommittedBatch` before `post` returns. */
  readonly onMessage: (message: unknown) => void;
}

/** A writer as the committer uses one. It opens the file for the first chunk: who only reads needs no second connection. */
export function createInlineWriter({ file, onMessage }: InlineWriterOptions): BackgroundThread {
  let connection: SqliteConnection | undefined;
  let commit: ReturnType<typeof createCommitChunk> | undefined;

  function commitChunk(chunk: Chunk): CommittedBatch['results'] {
    try {
      connection ??= openConnection(file);
      commit ??= createCommitChunk(connection);
      return commit(chunk);
    } catch (error) {
      return chunk.deadlines.map(() => writeFault(error as Error));
    }
  }

  return {
    isRunning: () => true,
    post(message) {
      const started = performance.now();
      const results = commitChunk(message as Chunk);
      onMessage({ results, milliseconds: performance.now() - started } satisfies CommittedBatch);
      return true;
    },
    async close() {
      connection?.close();
    },
  };
}
