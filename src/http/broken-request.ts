/** Answers bytes that are not a valid HTTP request, in the error envelope. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, type ProblemCode, toEnvelope } from '../contract/problem.ts';
import { newestAnswer, pendingAnswers } from './connections.ts';

const BY_SOCKET_CODE: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const STATUS_LINES: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** The methods of all paths together. */
const METHODS = 'GET, HEAD, POST';

/** How long a refused client has to read the answer. */
const LINGER_MS = 1_000;

/** Sends the error after the answers to earlier requests, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerLast(BY_SOCKET_CODE[error.code ?? ''] ?? 'bad_request', socket);
}

/** For Node's `connect` event: the service is not a proxy. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
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
    `HTTP/1.1 ${status} ${STATUS_LINES[status]}\r\n${allow}Content-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Node would close only its own half: the client could keep the connection open. */
function endFully(socket: Duplex, text: string): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
