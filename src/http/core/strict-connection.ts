/** Reads one connection for as long as each request is in the plain form, one after the other; then Node's parser has it, for good. */
import type { Socket } from 'node:net';
import { type SendAnswer, StrictRequest, StrictResponse } from './strict-exchange.ts';
import { readStrictHead } from './strict-head.ts';

export interface StrictConnectionOptions {
  readonly onRequest: (request: StrictRequest, response: StrictResponse) => void;
  /** The whole answer to a request that is refused at once, without `onRequest`; ASCII. */
  readonly refusal: () => string | undefined;
  /** Calls `release` when a connection may be read again after such an answer. */
  readonly hold: (connection: StrictConnection) => void;
  /** Called as Node calls it where a request breaks off, or its socket fails. */
  readonly onClientError: (error: Error, socket: Socket) => void;
  /** Lets Node's parser read the socket from its next byte on. */
  readonly handOver: (socket: Socket) => void;
  /** The lines of an answer that say how long the connection is kept. */
  readonly keepAlive: string;
  /** Seconds, by any clock. */
  readonly clock: () => number;
}

/**
 * `new`: nothing came yet; `idle`: answered all; `held`: refused, nothing is begun for a while; `receiving`: the body is not
 * complete; `answering`; `over`: not ours any more.
 */
type State = 'new' | 'idle' | 'held' | 'receiving' | 'answering' | 'over';

/** Max. bytes that wait before a request begins; the system's buffers have the rest. */
const MAX_EARLY_BYTES = 16 * 1024;

export class StrictConnection {
  readonly socket: Socket;
  state: State = 'new';
  /** Time at which the state began. */
  since: number;
  readonly #options: StrictConnectionOptions;
  #request: StrictRequest | undefined;
  #response: StrictResponse | undefined;
  /** Bytes of the body that did not come yet. */
  #missing = 0;
  /** Bytes after the current request, or while no request is active. */
  #rest: Buffer | undefined;
  /** The client closed its half. */
  #isEnded = false;

  constructor(socket: Socket, options: StrictConnectionOptions) {
    this.socket = socket;
    this.#options = options;
    this.since = options.clock();
    socket.on('data', this.#read);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
  }

  /** Ends the request that is not complete, or has not begun, as Node's parser would. */
  fail(code: string): void {
    this.#leave();
    this.#options.onClientError(Object.assign(new Error(code), { code }), this.socket);
  }

  /** Nobody waits for an answer. */
  get isIdle(): boolean {
    return this.state === 'idle' || (this.state === 'held' && this.#rest === undefined);
  }

  /** Begins the requests that arrived while the connection was held. */
  release(): void {
    if (this.state !== 'held') return;
    this.#enter('idle');
    const early = this.#rest;
    this.#rest = undefined;
    if (this.socket.isPaused()) this.socket.resume();
    if (early !== undefined) this.#begin(early);
    else if (this.#isEnded) this.socket.end();
  }

  #enter(state: State): void {
    this.state = state;
    this.since = this.#options.clock();
  }

  readonly #read = (bytes: Buffer): void => {
    if (this.state === 'over') return;
    if (this.state === 'held') this.#keep(bytes);
    else if (this.#request === undefined) this.#begin(bytes);
    else if (this.#missing > 0) this.#receive(this.#request, bytes);
    else this.#hold(bytes);
  };

  #begin(bytes: Buffer): void {
    const head = readStrictHead(bytes);
    if (head === undefined) {
      this.#handOver(bytes);
      return;
    }
    const { socket } = this;
    const isWhole = bytes.length === head.bytes + head.bodyBytes;
    const isAsked = isWhole && socket.writableLength === 0;
    const refusal = isAsked ? this.#options.refusal() : undefined;
    if (refusal !== undefined) {
      socket.write(refusal, 'latin1');
      if (this.#isEnded) socket.end();
      else {
        this.#enter('held');
        this.#options.hold(this);
      }
      return;
    }
    const request = new StrictRequest(socket, head, isAsked);
    const response = new StrictResponse(request, this.#send, this.#options.keepAlive);
    this.#request = request;
    this.#response = response;
    this.#missing = head.bodyBytes;
    this.#enter('receiving');
    this.#receive(request, bytes.subarray(head.bytes));
    this.#options.onRequest(request, response);
  }

  #receive(request: StrictRequest, chunk: Buffer): void {
    const part = chunk.length > this.#missing ? chunk.subarray(0, this.#missing) : chunk;
    this.#missing -= part.length;
    if (part.length > 0) request.push(part);
    if (this.#missing > 0) return;
    if (this.state === 'receiving') this.#enter('answering');
    if (chunk.length > part.length) this.#hold(chunk.subarray(part.length));
    request.finish();
    if (this.#response?.writableFinished === true) this.#goOn();
  }

  /** Nothing more is read until the request is answered. */
  #hold(chunk: Buffer): void {
    this.#keep(chunk);
    this.socket.pause();
  }

  #keep(chunk: Buffer): void {
    this.#rest = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#rest.length > MAX_EARLY_BYTES) this.socket.pause();
  }

  readonly #send: SendAnswer = (text, encoding, isLast, onSent) => {
    const { socket } = this;
    if (!socket.writable) return;
    const whenSent = () => {
      onSent();
      this.#goOn();
    };
    const isEnd = isLast || this.#isEnded;
    if (isEnd) this.#leave();
    socket.write(text, encoding);
    // Nearly always the system takes it at once: then nothing has to wait.
    if (socket.writableLength === 0) whenSent();
    else socket.write('', whenSent);
    if (isEnd) socket.destroySoon();
  };

  /** The answer was sent. */
  #goOn(): void {
    if (this.state === 'over' || this.#missing > 0) return;
    this.#request = undefined;
    this.#response = undefined;
    if (this.#rest !== undefined) this.#handOver(this.#rest);
    else if (this.#isEnded) this.socket.end();
    else this.#enter('idle');
  }

  #handOver(bytes: Buffer): void {
    const { socket } = this;
    this.#leave();
    socket.off('data', this.#read);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    this.#options.handOver(socket);
    socket.unshift(bytes);
    socket.resume();
  }

  #leave(): void {
    this.#enter('over');
    this.#rest = undefined;
  }

  readonly #onEnd = (): void => {
    this.#isEnded = true;
    if (this.state === 'receiving') this.fail('HPE_INVALID_EOF_STATE');
    else if (this.state === 'new' || this.isIdle) this.socket.end();
  };

  readonly #onError = (error: Error): void => {
    this.#enter('over');
    this.#options.onClientError(error, this.socket);
  };
}
