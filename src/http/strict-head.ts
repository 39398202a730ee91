/** Recognises the head of the plain form of `POST /v1/assess`, which nearly all callers send; everything else is for Node's parser. */
import { BODY_LIMIT_BYTES } from './body.ts';

/** A recognised head: Node's parser would read the same. */
export interface StrictHead {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Bytes of the head, with the empty line. */
  readonly bytes: number;
  /** Bytes of the body: 0 … `BODY_LIMIT_BYTES`. */
  readonly bodyBytes: number;
}

const REQUEST_LINE = 'POST /v1/assess HTTP/1.1\r\n';
const MAX_HEAD_BYTES = 4_096;
/** What usual clients and proxies send. None of them changes where a request ends, except `content-length`. */
const NAMES: ReadonlySet<string> = new Set([
  ...['host', 'authorization', 'content-type', 'content-length', 'idempotency-key', 'connection'],
  ...['user-agent', 'accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode'],
  ...['traceparent', 'tracestate', 'x-request-id', 'x-real-ip'],
  ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port'],
]);
/** Visible ASCII; spaces only between. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/;
const LENGTH = /^(?:0|[1-9]\d{0,4})$/;
const KEEP_ALIVE = /^keep-alive$/i;

/** `undefined` unless the bytes begin with a whole head in the plain form: each header in one spelling, at most once. */
export function readStrictHead(bytes: Buffer): StrictHead | undefined {
  const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
  if (!text.startsWith(REQUEST_LINE)) return undefined;
  const headers: Record<string, string> = {};
  const rawHeaders: string[] = [];
  let at = REQUEST_LINE.length;
  while (!text.startsWith('\r\n', at)) {
    const colon = text.indexOf(': ', at);
    const end = text.indexOf('\r\n', at);
    if (colon < 0 || end < colon) return undefined;
    const rawName = text.slice(at, colon);
    const name = rawName.toLowerCase();
    const value = text.slice(colon + 2, end);
    if (!NAMES.has(name) || headers[name] !== undefined || !VALUE.test(value)) return undefined;
    headers[name] = value;
    rawHeaders.push(rawName, value);
    at = end + 2;
  }
  const { host, connection = 'keep-alive', 'content-length': length = '' } = headers;
  if (host === undefined || !KEEP_ALIVE.test(connection) || !LENGTH.test(length)) return undefined;
  const bodyBytes = Number(length);
  return bodyBytes > BODY_LIMIT_BYTES ? undefined : { headers, rawHeaders, bytes: at + 2, bodyBytes };
}
