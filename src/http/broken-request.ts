/** Answers bytes that never became a request, in the envelope all the same. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, type ProblemCode, toEnvelope } from '../contract/problem.ts';

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

const NEWEST = Symbol('newest answer');
const BEFORE = Symbol('answer before the newest');

interface AnsweringSocket extends Duplex {
  /** The newest answer of the connection. */
  [NEWEST]?: ServerResponse;
  /** The one that goes out before it, while it has not gone out. */
  [BEFORE]?: ServerResponse | undefined;
}

/** Call for every request, so that what follows it on its connection waits for its answer. */
export function noteAnswer(socket: Socket, answer: ServerResponse): void {
  const noted = socket as AnsweringSocket;
  noted[BEFORE] = noted[NEWEST]?.writableFinished === false ? noted[NEWEST] : undefined;
  noted[NEWEST] = answer;
}

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
  const { [NEWEST]: newest, [BEFORE]: before } = socket as AnsweringSocket;
  if (newest === undefined || newest.req.complete) {
    onceSent(newest, () => refuse(code, socket));
    return;
  }
  onceSent(before, () => {
    // Answered before it was whole: a second answer would be taken for that of the next request.
    if (newest.headersSent) onceSent(newest, () => socket.end());
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
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_LINES[status]}\r\n${allow}Content-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
