/** One request to an operation and the answer to it: who asks, when, and the headers gathered so far. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../accounts/directory.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export class RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the operation. */
  readonly operation: string;
  /** Id of the request, and of the assessment it may make. */
  id: string;
  /** `Date.now()` when the request came in: its headers, then its body. */
  at: number;
  /** `performance.now()` when the request came in. */
  started: number;
  /** The last part of the path where the operation has one there; else empty. */
  readonly param: string;
  /** Set once the caller is known, before the body is read. */
  caller: Caller = undefined as never;
  /** The verdict that was answered; empty unless a signup was assessed. */
  verdict = '';
  /** Names and values in turn: what Node writes with the least work. */
  private readonly headers: (string | number)[];

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    given: { operation: string; id: string; at: number; started: number; param: string },
  ) {
    this.request = request;
    this.response = response;
    this.operation = given.operation;
    this.id = given.id;
    this.at = given.at;
    this.started = given.started;
    this.param = given.param;
    this.headers = [
      'X-Request-Id',
      given.id,
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
    ];
  }

  /** Call when the body came in later than the headers: a sender who takes his time is no reason to count in the past. */
  restamp({ id, at, started }: Pick<RequestContext, 'id' | 'at' | 'started'>): void {
    this.id = id;
    this.at = at;
    this.started = started;
    this.headers[1] = id;
  }

  /** Adds a header to the answer; each name at most once. */
  header(name: string, value: string | number): void {
    this.headers.push(name, value);
  }

  /** Answers with JSON text. */
  send(status: number, body: string): void {
    this.headers.push('Content-Type', JSON_TYPE, 'Content-Length', Buffer.byteLength(body));
    this.response.writeHead(status, this.headers as never);
    this.response.end(body);
  }
}
