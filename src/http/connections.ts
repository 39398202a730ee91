/** Limits connections and the unanswered requests of each, and processes the requests of one connection one by one. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests of one connection without a sent answer; a reader of pipelined answers never has as many. */
const MAX_UNANSWERED = 64;
/** For Node's parser: what follows is no HTTP. */
const NO_MORE_HTTP = 2;

const PENDING = Symbol('answers that were not sent yet');
const NEWEST = Symbol('newest answer');
const SINCE = Symbol('when it came, or last began to ask');

interface AnsweringSocket extends Duplex {
  /** Oldest first; those that went out in the meantime are dropped at the next look. */
  [PENDING]?: ServerResponse[];
  [NEWEST]?: ServerResponse;
}

interface TimedSocket extends Socket {
  /** Milliseconds of the clock that the limit is told. */
  [SINCE]?: number;
}

/** Who has just come has had no time to ask, and who has just begun to ask none to end. */
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
 * that a connection has one answer in memory; or never, if the connection ends first, and then nothing came of the request.
 * `false`: its connection asked too much without reading, and was ended. Node parses all requests of a read before its own
 * back-pressure acts, so a bound has to be here.
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
  // In the next turn of the event loop: who asks ahead takes turns with all others.
  else before.once('finish', () => setImmediate(beginIfOpen, socket, begin));
  return true;
}

/** Not writable: gone, or told that the answer before was the last. */
function beginIfOpen(socket: Socket, begin: () => void): void {
  if (socket.writable) begin();
}

/** Ends a connection, and with it the parsing of what was read from it: a thousand requests more, each as expensive as a normal request. */
function cutOff(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null };
  if (parser) parser.onIncoming = () => NO_MORE_HTTP;
  socket.destroy();
}

/**
 * Holds at most `max` connections. One more makes the connection that has been idle longest go, or else one that has not
 * sent the whole of its request in a second, or else the oldest that has had no second yet, or one that does not read its
 * answer, or asks ahead; where all wait for answers, the new one is refused.
 */
export function limitConnections(server: Server, max: number, clock = () => performance.now()): void {
  /** In order of arrival. */
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
  // Who was answered last is the last to go.
  server.on('request', ({ socket }: { socket: TimedSocket }) => {
    socket[SINCE] = clock();
    if (connections.size * 2 > max && connections.delete(socket)) connections.add(socket);
  });
}

/** In the order of `limitConnections`; a young connection is one that came, or began to ask, after `youngSince`. */
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
    } else if (oldest.writableEnded || others.length > 0) greedy ??= socket;
  }
  return sending ?? young ?? greedy;
}
