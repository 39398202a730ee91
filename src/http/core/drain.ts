/** Decides how long a listener that stops waits for each connection: a client that keeps a request or an answer to itself cannot delay the stop. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { pendingAnswers } from './connections.ts';

/** Bytes that a client has not read, and since when it has taken none of them (milliseconds). */
interface Unread {
  readonly bytes: number;
  readonly since: number;
}

const POLL_MS = 50;
/** Time for a request that has begun, or whose connection is new, to be complete. */
const REQUEST_MS = 1_500;
/** Time in which a client takes nothing of an answer that waits for it. */
const READING_MS = 3_000;
/** Time for an answer to be made and sent: far longer than any operation takes, and short enough to close the store after it. */
const ANSWER_MS = 6_000;

/** Resolves once each connection is closed. Idle ones close at once, and those with a complete request after its answer. */
export async function drain(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  // Node's own way would also cut off answers that wait for their reader.
  NetServer.prototype.close.call(server);
  const started = performance.now();
  const unreadOf = new Map<Socket, Unread>();
  const polling = setInterval(() => {
    if (![...connections].some(isBeingSent)) server.closeIdleConnections();
    const now = performance.now();
    for (const socket of connections) if (isOverdue(socket, now - started, now)) socket.destroy();
  }, POLL_MS);

  function isOverdue(socket: Socket, elapsedMs: number, now: number): boolean {
    const [oldest] = pendingAnswers(socket);
    if (oldest === undefined || !oldest.req.complete) return elapsedMs > REQUEST_MS;
    if (elapsedMs > ANSWER_MS) return true;
    if (!oldest.writableEnded && !socket.writableNeedDrain) return false;
    const bytes = unreadBytes(socket);
    const before = unreadOf.get(socket);
    if (before?.bytes !== bytes) unreadOf.set(socket, { bytes, since: now });
    return before?.bytes === bytes && now - before.since > READING_MS;
  }

  await closed.finally(() => clearInterval(polling));
  // Ends Node's own checks of connections.
  server.close();
}

/** State that Node does not know: for it, a connection is idle as soon as its answer is made. */
function isBeingSent(socket: Socket): boolean {
  return pendingAnswers(socket).some(({ writableEnded }) => writableEnded);
}

/** Bytes that the system has not taken yet. Node's own count falls only once all of a write is taken. */
function unreadBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } };
  return handle?.writeQueueSize ?? socket.writableLength;
}
