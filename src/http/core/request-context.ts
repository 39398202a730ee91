/** One request and its answer: who sends it, from where and when, the parameters of its path, and the answer's headers so far. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Caller, HookCaller } from '../../accounts/directory.ts';
import type { RequestTrace } from './problems.ts';
import type { Params } from './router.ts';
import type { ClientOrigin } from './trusted-proxies.ts';

/** Content policy of every answer that is no page: opened in a browser, it loads nothing, runs nothing and is shown in no frame. */
export const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";
export const JSON_TYPE = 'application/json; charset=utf-8';
/** Node's error code for a client that closed the connection before the whole answer was sent. */
const CANCELLED = 'ERR_STREAM_PREMATURE_CLOSE';
const NO_BODY = Buffer.alloc(0);

/** Time at which a request came in, and its id. */
export interface RequestStamp {
  /** Id of the request, and of the assessment it may make. */
  readonly id: string;
  /** `Date.now()` */
  readonly at: number;
  /** `performance.now()` */
  readonly started: number;
}

/** Visible ASCII: it must be safe in headers and logs. */
const REQUEST_ID = /^[!-~]{1,128}$/;
/** W3C Trace Context: neither id is all zeros, no version is `ff`, and only versions after `00` may add parts. */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-[!-~]{0,64})?$/;

/** Members that an answer may have beside Node's. */
interface MeasuringResponse {
  /** Whether it adds the length of its body itself. */
  readonly measuresBody?: boolean;
}

export interface RequestContextOptions extends RequestStamp {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly operation: string;
  /** The matched one, which the access log knows; `undefined` where none matches. */
  readonly route?: object | undefined;
  readonly path: string;
  readonly query: string;
  readonly params: Params;
  readonly origin: ClientOrigin;
  /** Whether an answer that begins now is the last of its connection. */
  readonly stopping: () => boolean;
}

export class RequestContext implements RequestStamp {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: object | undefined;
  /** Id of the operation; `other` for every other route. */
  readonly operation: string;
  /** Path as it was sent, without the query. */
  readonly path: string;
  readonly params: Params;
  id: string;
  /** Time at which the headers came in; once the body is read, at which it was complete. */
  at: number;
  started: number;
  /** Set once the caller of an operation is known, before the body is read. */
  caller: Caller = undefined as never;
  /** Set once a request is known to be sent to an existing hook. */
  hook: HookCaller | undefined = undefined;
  /** The verdict that was answered; empty unless a signup was assessed. */
  verdict = '';
  /** Set once the body is read; empty where the route takes none. */
  rawBody: Buffer = NO_BODY;
  /** The `Content-Security-Policy` of the answer. A page sets its own. */
  securityPolicy = NO_PAGE;
  /** The caller's own id of the request, which the answer repeats; `undefined` where there is none that can be repeated. */
  readonly callerRequestId: string | undefined;
  private readonly rawQuery: string;
  private readonly origin: ClientOrigin;
  private readonly stopping: () => boolean;
  /** Names and values in turn: the form that Node writes fastest. */
  private readonly answerHeaders: (string | number)[];

  constructor(options: RequestContextOptions) {
    this.request = options.request;
    this.response = options.response;
    this.operation = options.operation;
    this.route = options.route;
    this.path = options.path;
    this.params = options.params;
    this.id = options.id;
    this.at = options.at;
    this.started = options.started;
    this.rawQuery = options.query;
    this.origin = options.origin;
    this.stopping = options.stopping;
    this.callerRequestId = readRequestId(options.request.headers['x-request-id']);
    this.answerHeaders = [
      'X-Request-Id',
      this.callerRequestId ?? options.id,
      'X-Content-Type-Options',
      'nosniff',
    ];
  }

  get method(): string {
    return this.request.method as string;
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  /** Node joins the values of a header that comes twice. */
  get idempotencyKey(): string | undefined {
    return this.request.headers['idempotency-key'] as string | undefined;
  }

  /** The last value wins where the query has a name twice. */
  get query(): Readonly<Record<string, string>> {
    return Object.fromEntries(new URLSearchParams(this.rawQuery));
  }

  /** The query as it was sent, with its question mark; empty if there is none. */
  get search(): string {
    return this.rawQuery === '' ? '' : `?${this.rawQuery}`;
  }

  /** The client's address, as trusted proxies report it. */
  get ip(): string {
    return this.origin.ip(this.request);
  }

  /** `https` where a trusted proxy says that the client came by it. */
  get protocol(): string {
    return this.origin.protocol(this.request);
  }

  /** The host that the client named, with its port; empty if none. */
  get host(): string {
    return this.origin.host(this.request);
  }

  /** Trace that connects log lines about this request with those of its caller. */
  get trace(): RequestTrace {
    const { traceparent } = this.request.headers as { readonly traceparent?: string | undefined };
    const traceId = TRACEPARENT.exec(traceparent ?? '')?.[1];
    return {
      ...(this.callerRequestId !== undefined && { caller_request_id: this.callerRequestId }),
      ...(traceId !== undefined && { trace_id: traceId, traceparent }),
    };
  }

  /** Call when the body came in later than the headers: a slow sender must not be counted in the past. */
  restamp({ id, at, started }: RequestStamp): void {
    this.id = id;
    this.at = at;
    this.started = started;
    if (this.callerRequestId === undefined) this.answerHeaders[1] = id;
  }

  /** Adds a header to the answer; each name at most once, except `Set-Cookie`. */
  header(name: string, value: string | number): void {
    this.answerHeaders.push(name, value);
  }

  hasHeader(name: string): boolean {
    return this.answerHeaders.includes(name);
  }

  json(status: number, text: string): void {
    this.send(status, JSON_TYPE, text);
  }

  send(status: number, type: string, body: string | Buffer): void {
    this.header('Content-Type', type);
    const { measuresBody = false } = this.response as MeasuringResponse;
    this.begin(status, measuresBody ? undefined : Buffer.byteLength(body)).end(body);
  }

  /** Answers without a body. */
  empty(status: number): void {
    this.begin(status).end();
  }

  /**
   * Sends the chunks as fast as the client reads. If a chunk fails, it breaks the connection, so that the answer is visibly
   * incomplete. A client that cancels ends the answer too; that is no error.
   */
  async stream(status: number, type: string, chunks: AsyncIterable<string>): Promise<void> {
    this.header('Content-Type', type);
    this.begin(status);
    const body = Readable.from(chunks);
    if (this.method === 'HEAD') {
      body.destroy();
      this.response.end();
      return;
    }
    await pipeline(body, this.response).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== CANCELLED) throw error;
    });
  }

  private begin(status: number, length?: number): ServerResponse {
    if (this.stopping() && !this.hasHeader('Connection')) this.header('Connection', 'close');
    this.header('Content-Security-Policy', this.securityPolicy);
    if (length !== undefined) this.header('Content-Length', length);
    return this.response.writeHead(status, this.answerHeaders as never);
  }
}

function readRequestId(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && REQUEST_ID.test(value) ? value : undefined;
}
