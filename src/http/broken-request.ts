/** Answers bytes that never became a request, in the envelope all the same. */
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

/** Of all paths together. */
const METHODS = 'GET, HEAD, POST';

/** A client that was refused has this long to read the answer. */
const LINGER_MS = 1_000;

/** Answers bytes that never became a request, after what was asked before them, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerLast(BY_SOCKET_CODE[error.code ?? ''] ?? 'bad_request', socket);
}

/** For Node's `connect` event: nothing is tunnelled here. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  // Node no longer listens for what becomes of the connection.
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
    // Answered before it was whole: a second answer would be taken for that of the next request.
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

/** Node would only close its own half, and keep the connection for as long as the client likes. */
function endFully(socket: Duplex, text: string): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
