/** Keep-alive connections: each sends requests in sequence. */
import { connect, type Socket } from 'node:net';
import { type RawAnswer, readAnswers } from './raw-exchange.ts';

export function openKept(port: number, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
        }),
    ),
  );
}

/** Resolves to the answer. Rejects if the connection is closed before the answer is complete. */
export function ask(connection: Socket, bytes: Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const fail = () => reject(new Error(`closed after ${JSON.stringify(received.toString('latin1'))}`));
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const [answer] = readAnswers(received, false).answers;
      if (answer === undefined) return;
      connection.off('data', read).off('close', fail);
      resolve(answer);
    };
    connection.on('data', read).once('close', fail);
    connection.write(bytes);
  });
}
