/** Answers bytes that never became a request, in the envelope all the same. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode, toEnvelope } from '../contract/problem.ts';

const BY_SOCKET_CODE: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const STATUS_LINES: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

const ANSWER = Symbol('newest answer');

interface AnsweringSocket extends Socket {
  /** The newest answer of the connection, which must go out before anything that follows it. */
  [ANSWER]?: ServerResponse;
}

/** Call for every request, so that what follows it on its connection waits for its answer. */
export function noteAnswer(socket: Socket, answer: ServerResponse): void {
  (socket as AnsweringSocket)[ANSWER] = answer;
}

/** Answers bytes that never became a request, after what was asked before them, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const pending = (socket as AnsweringSocket)[ANSWER];
  // An answer to a request that never became whole will not come.
  if (pending === undefined || pending.writableFinished || !pending.req.complete) refuse(error, socket);
  else pending.once('finish', () => refuse(error, socket));
}

function refuse(error: { code?: string }, socket: Socket): void {
  const problem = new Problem(BY_SOCKET_CODE[error.code ?? ''] ?? 'bad_request');
  const body = JSON.stringify(toEnvelope(problem));
  const { status } = problem;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_LINES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
