/** Limits the clients of a listener (time, connections, requests of each connection) and answers bytes that are not HTTP. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, type ProblemCode, toEnvelope } from '../../contract/problem.ts';
import { admitRequest, limitConnections, newestAnswer, pendingAnswers } from './connections.ts';
import { drain } from './drain.ts';
import type { LoadShedder } from './load-shedder.ts';
import { NO_PAGE } from './request-context.ts';
import { readStrictly } from './strict-server.ts';

export interface ListenerOptions {
  readonly handleRequest: RequestListener;
  /** Connections that may be open at once. */
  readonly maxConnections: number;
  /** Whether the strict reader has each connection first. Default: no. */
  readonly strictReader?: boolean;
  /** Answers what the strict reader refuses at once because of overload. Default: nothing is refused. */
  readonly refusal?: LoadShedder['refusal'];
}

/** Headers and body together; checked every second, so that a slow sender is cut off within 12 s. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_CONNECTIONS_MS = 1_000;
const KEEP_ALIVE_MS = 72_000;
/** Time without a byte in either direction: longer than any answer takes, and longer than an idle connection is kept. Node waits twice as long where an answer is not read. */
const SILENCE_MS = 90_000;

export interface Listener extends Server {
  /** Stops listening; resolves once each connection is closed, in some seconds at most. */
  drain(): Promise<void>;
}

/** A server that does not listen yet. */
export function createListener({
  handleRequest,
  maxConnections,
  strictReader = false,
  refusal = () => undefined,
}: ListenerOptions): Listener {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    // Otherwise Node would answer a missing Host, without the envelope.
    requireHostHeader: false,
  });
  server.timeout = SILENCE_MS;
  // A client that closes its half of the connection after the request still waits for the answer.
  (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  if (strictReader) readStrictly(server, refusal);
  const { open, noteUse } = limitConnections(server, maxConnections);
  // Only one listener: with two, Node copies the list of them for each request.
  server.on('request', (request, response) => {
    noteUse(request.socket);
    admitRequest(request, response, () => handleRequest(request, response));
  });
  server.on('clientError', answerBrokenRequest);
  server.on('connect', refuseTunnel);
  // A request with an unknown `Expect` header is answered all the same.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return Object.assign(server, { drain: () => drain(server, open) });
}

const BY_SOCKET_CODE: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The methods of all paths together. */
const METHODS = 'GET, HEAD, POST';

/** Time that a refused client has to read the answer. */
const LINGER_MS = 1_000;

/** Connections whose parser has failed: it reports the error again for all later bytes. */
const broken = new WeakSet<Socket>();

/** Sends the error after the answers to earlier requests, and closes the connection. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  const isReset = error.code === 'ECONNRESET';
  if (broken.has(socket) && !isReset) return;
  if (isReset || !socket.writable) {
    socket.destroy();
    return;
  }
  broken.add(socket);
  // A refusal of the same request, which needs no body, may be about to be sent.
  setImmediate(() => {
    if (socket.writable) answerLast(BY_SOCKET_CODE[error.code ?? ''] ?? 'bad_request', socket);
  });
}

/** Handler of Node's `connect` event: the service is not a proxy. */
function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  // Node no longer handles errors of this connection.
  socket.on('error', () => socket.destroy());
  answerLast('method_not_allowed', socket);
}

function answerLast(code: ProblemCode, socket: Duplex): void {
  const newest = newestAnswer(socket);
  if (newest === undefined || newest.req.complete) {
    onceSent(newest, () => refuse(code, socket));
    return;
  }
  const before = pendingAnswers(socket).filter((answer) => answer !== newest);
  onceSent(before.at(-1), () => {
    // It was answered before it was complete: the client would read a second answer as that of its next request.
    if (newest.headersSent) onceSent(newest, () => endFully(socket, ''));
    else refuse(code, socket);
  });
}

function onceSent(answer: ServerResponse | undefined, act: () => void): void {
  if (answer === undefined || answer.writableFinished) act();
  else answer.once('finish', act);
}

function refuse(code: ProblemCode, socket: Duplex): void {
  const problem = new Problem(code);
  const body = JSON.stringify(toEnvelope(problem));
  const { status } = problem;
  const allow = code === 'method_not_allowed' ? `Allow: ${METHODS}\r\n` : '';
  endFully(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${allow}Content-Type: application/json; charset=utf-8\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Security-Policy: ${NO_PAGE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Node would close only its own half: the client could keep the connection open. */
function endFully(socket: Duplex, text: string): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
