/** Sends bytes over a separate socket and reads all HTTP answers. */
import { connect } from 'node:net';
import { HANG_MS } from './long-version.ts';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawExchange {
  /** Without interim answers (1xx). */
  readonly answers: readonly RawAnswer[];
  /** Received bytes that are not a complete answer. */
  readonly rest: string;
  /** True when the server sent too few answers and did not close. */
  readonly silent: boolean;
}

export interface RawRequest {
  readonly bytes: Uint8Array;
  /** Answers to wait for before the connection is closed; 0 when it is unknown whether there will be one. */
  readonly answers: number;
  /** Answers come without a body. */
  readonly head?: boolean;
  /** The client closes its half of the connection with the request, so the server need not wait for more. */
  readonly endsAtOnce?: boolean;
}

/** After this time without an answer, the server waits for the rest of a request. */
const QUIET_MS = 1_000;
/** A second answer follows the first within this time, or not at all. */
const NEXT_MS = 50;
/** By this time after the end of the request, the server has answered or closed, even on a busy machine. */
const AFTER_END_MS = HANG_MS;
const ANSWER_MS = 10_000;

/** Waits for the answers, or for silence, then ends the request and waits for the server to close. */
export function exchange(
  port: number,
  { bytes, answers, head = false, endsAtOnce = false }: RawRequest,
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = Buffer.alloc(0);
    let ended = false;
    let timer: NodeJS.Timeout;
    const read = () => readAnswers(received, head);
    const finish = (silent: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...read(), silent });
    };
    const quiet = () => {
      if (ended) return finish(true);
      ended = true;
      socket.end();
      timer = setTimeout(quiet, AFTER_END_MS);
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const count = read().answers.length;
      if (answers > 0 && count >= answers) return finish(false);
      if (answers > 0 || ended || count === 0) return;
      clearTimeout(timer);
      timer = setTimeout(quiet, NEXT_MS);
    });
    socket.on('error', () => {});
    socket.on('end', () => finish(false));
    socket.on('close', () => finish(false));
    if (endsAtOnce) {
      ended = true;
      socket.end(bytes);
      timer = setTimeout(quiet, AFTER_END_MS);
      return;
    }
    timer = setTimeout(quiet, answers > 0 ? ANSWER_MS : QUIET_MS);
    socket.write(bytes);
  });
}

/** The complete answers at the start of the received bytes, and the rest. */
export function readAnswers(received: Buffer, head: boolean): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const read = readAnswer(received.subarray(at), head);
    if (read === undefined) return { answers, rest: received.subarray(at).toString('latin1') };
    at += read.length;
    if (read.answer.status >= 200) answers.push(read.answer);
  }
}

function readAnswer(bytes: Buffer, head: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) return undefined;
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + 4;
  const body = head || status < 200 ? { text: '', length: 0 } : readBody(bytes.subarray(start), headers);
  if (body === undefined) return undefined;
  return { answer: { status, headers, body: body.text }, length: start + body.length };
}

function readBody(bytes: Buffer, headers: ReadonlyMap<string, string>) {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes);
  const length = Number(headers.get('content-length') ?? 0);
  return bytes.length < length ? undefined : { text: bytes.subarray(0, length).toString('utf8'), length };
}

function readChunks(bytes: Buffer): { text: string; length: number } | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
    if (size === 0) return { text: Buffer.concat(chunks).toString('utf8'), length: at };
  }
}
