/** Runs COPY on a connection: sends lines to the server, or receives the lines that it sends. */
import type pg from 'pg';

/** The driver's own connection, as far as COPY needs it. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

interface CopyOptions {
  /** For `COPY … FROM STDIN`. */
  readonly lines?: readonly Buffer[];
  /** For `COPY … TO STDOUT`. */
  readonly onLine?: (line: Buffer) => void;
}

/** @throws when the server refuses it, or the connection is lost */
export function copy(client: pg.ClientBase, sql: string, { lines = [], onLine }: CopyOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const statement = {
      submit: (wire: unknown) => (wire as Wire).query(sql),
      handleCopyInResponse(wire: Wire) {
        wire.sendCopyFromChunk(Buffer.concat(lines));
        wire.endCopyFrom();
      },
      // The server sends each row as a message.
      handleCopyData: ({ chunk }: { chunk: Buffer }) => onLine?.(chunk),
      handleCommandComplete() {},
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    };
    client.query(statement);
  });
}
