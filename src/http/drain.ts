/** Decides how long a listener that stops waits for each connection: a client that keeps a request or an answer to itself cannot delay the stop. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { pendingAnswers } from './connections.ts';

const POLL_MS = 50;
/** Time for a request that has begun, or whose connection is new, to be complete. */
const REQUEST_MS = 1_500;
/** Time for a client to take an answer that waits for it. */
const READING_MS = 3_000;
/** Time for an answer to be made and sent: far longer than any operation takes, and short enough to close the store after it. */
const ANSWER_MS = 6_000;

/** Resolves once each connection is closed. Idle ones close at once, and those with a complete request after its answer. */
export async function drain(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  // Node's own way would also cut off answers that wait for their reader.
  NetServer.prototype.close.call(server);
  const started = performance.now();
  const polling = setInterval(() => {
    if (![...connections].some(isBeingSent)) server.closeIdleConnections();
    const elapsedMs = performance.now() - started;
    for (const socket of connections) if (elapsedMs > patienceMs(socket)) socket.destroy();
  }, POLL_MS);
  await closed.finally(() => clearInterval(polling));
  // Ends Node's own checks of connections.
  server.close();
}

/** For Node, a connection is idle as soon as its answer is made. */
function isBeingSent(socket: Socket): boolean {
  return pendingAnswers(socket).some(({ writableEnded }) => writableEnded);
}

function patienceMs(socket: Socket): number {
  const [oldest] = pendingAnswers(socket);
  if (oldest === undefined || !oldest.req.complete) return REQUEST_MS;
  return oldest.writableEnded || socket.writableNeedDrain ? READING_MS : ANSWER_MS;
}
