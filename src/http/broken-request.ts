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

const NEWEST = Symbol('newest answer');
const BEFORE = Symbol('answer before the newest');

interface AnsweringSocket extends Socket {
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
  const { [NEWEST]: newest, [BEFORE]: before } = socket as AnsweringSocket;
  if (newest === undefined || newest.req.complete) {
    onceSent(newest, () => refuse(error, socket));
    return;
  }
  onceSent(before, () => {
    // Answered before it was whole: a second answer would be taken for that of the next request.
    if (newest.headersSent) onceSent(newest, () => socket.end());
    else refuse(error, socket);
  });
}

function onceSent(answer: ServerResponse | undefined, act: () => void): void {
  if (answer === undefined || answer.writableFinished) act();
  else answer.once('finish', act);
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
