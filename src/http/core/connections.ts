/** Limits connections and the unanswered requests of each, and processes the requests of one connection one by one. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests of one connection without a sent answer; a reader of pipelined answers never has as many. */
const MAX_UNANSWERED = 64;
/** Tells Node's parser to stop reading HTTP. */
const NO_MORE_HTTP = 2;

const PENDING = Symbol('answers that were not sent yet');
const NEWEST = Symbol('newest answer');
const SINCE = Symbol('when it connected, or last began a request');

interface AnsweringSocket extends Duplex {
  /** Oldest first; answers that have been sent are dropped at the next check. */
  [PENDING]?: ServerResponse[];
  [NEWEST]?: ServerResponse;
}

interface TimedSocket extends Socket {
  /** Milliseconds, by the clock of `limitConnections`. */
  [SINCE]?: number;
}

/** A connection this new, or a request begun this recently, has not had time to go on. */
const YOUNG_MS = 1_000;

/** The answer to the newest request of a connection, sent or not. */
export function newestAnswer(socket: Duplex): ServerResponse | undefined {
  return (socket as AnsweringSocket)[NEWEST];
}

/** The answers that a connection still waits for, oldest first. */
export function pendingAnswers(socket: Duplex): readonly ServerResponse[] {
  const pending = (socket as AnsweringSocket)[PENDING];
  if (pending === undefined) return [];
  while (pending[0]?.writableFinished === true) pending.shift();
  return pending;
}

/**
 * Call for every request before anything else. `begin` is called at once, or when the answers before it have been sent, so
 * that a connection has one answer in memory. If the connection ends first, it is never called and the request has no effect.
 * Returns `false` where the connection sent too many requests without reading the answers, and was closed. Node parses all
 * requests of a read before its own back-pressure acts, so the limit has to be here.
 */
export function admitRequest(
  { socket }: IncomingMessage,
  answer: ServerResponse,
  begin: () => void,
): boolean {
  if (socket.destroyed) return false;
  const answering = socket as AnsweringSocket;
  answering[PENDING] ??= [];
  const pending = pendingAnswers(socket) as ServerResponse[];
  if (pending.length >= MAX_UNANSWERED) {
    cutOff(socket);
    return false;
  }
  const before = pending.at(-1);
  pending.push(answer);
  answering[NEWEST] = answer;
  if (before === undefined) begin();
  // In the next turn of the event loop: a client that pipelines requests takes turns with all others.
  else before.once('finish', () => setImmediate(beginIfOpen, socket, begin));
  return true;
}

/** A socket that is not writable is closed, or its previous answer was announced as the last. */
function beginIfOpen(socket: Socket, begin: () => void): void {
  if (socket.writable) begin();
}

/** Closes a connection and stops parsing the bytes that were read from it: they may be a thousand more requests. */
function cutOff(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null };
  if (parser) parser.onIncoming = () => NO_MORE_HTTP;
  socket.destroy();
}

export interface LimitedConnections {
  readonly open: ReadonlySet<Socket>;
  /** Call for each request of a connection: the one used last is the last to be closed. */
  noteUse(socket: Socket): void;
}

/**
 * Keeps at most `max` connections. For one more, it closes the first that it finds of these: the connection that has been
 * idle longest; one that has not sent its whole request within a second; the oldest that is younger than a second; one
 * that does not read its answer or pipelines requests. Where all wait for answers, the new connection is refused.
 */
export function limitConnections(
  server: Server,
  max: number,
  clock = () => performance.now(),
): LimitedConnections {
  /** Connections in order of arrival. */
  const connections = new Set<TimedSocket>();
  server.on('connection', (socket: TimedSocket) => {
    if (connections.size >= max) {
      const idle = firstIdle(connections, clock() - YOUNG_MS);
      if (idle === undefined) {
        socket.destroy();
        return;
      }
      connections.delete(idle);
      idle.destroy();
    }
    socket[SINCE] = clock();
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return {
    open: connections,
    noteUse(socket: TimedSocket) {
      socket[SINCE] = clock();
      if (connections.size * 2 > max && connections.delete(socket)) connections.add(socket);
    },
  };
}

/** First idle connection in the order of `limitConnections`; a young connection was opened, or began its request, after `youngSince`. */
function firstIdle(connections: ReadonlySet<TimedSocket>, youngSince: number): Socket | undefined {
  let sending: Socket | undefined;
  let young: Socket | undefined;
  let greedy: Socket | undefined;
  for (const socket of connections) {
    const [oldest, ...others] = pendingAnswers(socket);
    const isYoung = (socket[SINCE] ?? 0) > youngSince;
    if (oldest === undefined) {
      if (!isYoung || newestAnswer(socket) !== undefined) return socket;
      young ??= socket;
    } else if (!oldest.req.complete) {
      if (isYoung) young ??= socket;
      else sending ??= socket;
    } else if (oldest.writableEnded || others.length > 0 || socket.isPaused()) greedy ??= socket;
  }
  return sending ?? young ?? greedy;
}
