/** A request that the strict reader recognised, and its answer: as much of Node's objects as an operation uses, written the same. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { httpDate } from './http-date.ts';
import type { StrictHead } from './strict-head.ts';

/** A line feed would begin another header. */
const FORBIDDEN = /[^ -~]/;

type Listener = (...values: never[]) => void;

/** Parts of a body of which nothing has come yet. Nearly always there will be one, and a list that grows has room for many. */
const NO_PARTS: Buffer[] = [];

export class StrictRequest {
  readonly method: StrictHead['method'];
  readonly url: string;
  readonly httpVersion = '1.1';
  readonly headers: StrictHead['headers'];
  readonly rawHeaders: StrictHead['rawHeaders'];
  readonly socket: Socket;
  /** Whether the load shedder has taken it: it is asked once. */
  readonly isTaken: boolean;
  /** Whether the whole body has come. */
  complete = false;
  #parts = NO_PARTS;
  #onData: ((part: Buffer) => void) | undefined;
  #onEnd: (() => void) | undefined;

  constructor(socket: Socket, { method, url, headers, rawHeaders }: StrictHead, isTaken = false) {
    this.socket = socket;
    this.isTaken = isTaken;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
  }

  /** The body, if it came in one piece and nobody reads it yet. */
  takeWholeBody(): Buffer | undefined {
    return this.complete && this.#onData === undefined && this.#parts.length === 1
      ? this.#parts.pop()
      : undefined;
  }

  /** Emits `data` for each part of the body, then `end`; also for parts that arrived earlier. */
  on(event: 'data' | 'end', listener: Listener): this {
    if (event === 'data') {
      this.#onData = listener as (part: Buffer) => void;
      for (const part of this.#parts.splice(0)) this.#onData(part);
    } else if (this.complete) (listener as () => void)();
    else this.#onEnd = listener as () => void;
    return this;
  }

  /** A part of the body. */
  push(part: Buffer): void {
    if (this.#onData !== undefined) this.#onData(part);
    else if (this.#parts === NO_PARTS) this.#parts = [part];
    else this.#parts.push(part);
  }

  /** The body is complete. */
  finish(): void {
    this.complete = true;
    this.#onEnd?.();
  }
}

/** Sends a whole answer; `isLast`: the connection ends with it. Calls `onSent` once the system has taken all of it. */
export type SendAnswer = (
  text: string,
  encoding: 'latin1' | 'utf8',
  isLast: boolean,
  onSent: () => void,
) => void;

export class StrictResponse {
  readonly measuresBody = true;
  readonly req: StrictRequest;
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  readonly #send: SendAnswer;
  readonly #keepAlive: string;
  #head = '';
  #hasLength = false;
  #isLast = false;
  #onFinish: (() => void)[] | undefined;

  /** `keepAlive`: the lines that say how long the connection is kept. */
  constructor(req: StrictRequest, send: SendAnswer, keepAlive: string) {
    this.req = req;
    this.#send = send;
    this.#keepAlive = keepAlive;
  }

  get destroyed(): boolean {
    return this.req.socket.destroyed;
  }

  /** `headers`: names and values in turn. */
  writeHead(status: number, headers: readonly (string | number)[]): this {
    this.statusCode = status;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] as string;
      const value = headers[at + 1] as string | number;
      if (name === 'Connection') this.#isLast = value === 'close';
      else if (name === 'Content-Length') this.#hasLength = true;
      if (typeof value === 'string' && FORBIDDEN.test(value)) throw new Error(`${name} cannot be sent`);
      head += `\r\n${name}: ${value}`;
    }
    this.#head = head;
    return this;
  }

  /** Adds the length of the body, unless the headers have one. */
  end(body = ''): void {
    this.headersSent = true;
    this.writableEnded = true;
    let text = this.#textOf(body, body.length);
    // Measured with the head, so that its pieces are put together once. Nearly always all of it is ASCII.
    const isAscii = Buffer.byteLength(text) === text.length;
    if (!isAscii) text = this.#textOf(body, Buffer.byteLength(body));
    this.#send(text, isAscii ? 'latin1' : 'utf8', this.#isLast, () => {
      this.writableFinished = true;
      for (const act of this.#onFinish ?? []) act();
    });
  }

  #textOf(body: string, bytes: number): string {
    const length = this.#hasLength ? '' : `\r\nContent-Length: ${bytes}`;
    const keepAlive = this.#isLast ? '' : this.#keepAlive;
    return `${this.#head}${length}\r\nDate: ${httpDate()}\r\n${keepAlive}\r\n${body}`;
  }

  /** Calls back when the system has taken the whole answer. */
  once(_event: 'finish', act: () => void): this {
    this.#onFinish ??= [];
    this.#onFinish.push(act);
    return this;
  }

  destroy(): void {
    this.req.socket.destroy();
  }
}
