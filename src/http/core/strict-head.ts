/** Recognises the head of the plain form of `POST /v1/assess` and `GET /v1/assess/{request_id}`, which nearly all callers send; everything else is for Node's parser. */
import { BODY_LIMIT_BYTES } from './body.ts';

/** A recognised head: Node's parser would read the same. */
export interface StrictHead {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Bytes of the head, with the empty line. */
  readonly bytes: number;
  /** Bytes of the body: 0 … `BODY_LIMIT_BYTES`. */
  readonly bodyBytes: number;
}

const ASSESS_URL = '/v1/assess';
const ASSESS_LINE = `POST ${ASSESS_URL} HTTP/1.1\r\n`;
const READ_URL = '/v1/assess/';
/** Request without a body. The id is in the only form that ids have. */
const READ_LINE = /^GET \/v1\/assess\/req_[\da-z]{26} HTTP\/1\.1\r\n/;
const READ_URL_AT = 'GET '.length;
const READ_URL_LENGTH = READ_URL.length + 'req_'.length + 26;
const READ_LINE_LENGTH = READ_URL_AT + READ_URL_LENGTH + ' HTTP/1.1\r\n'.length;
const MAX_HEAD_BYTES = 4_096;
/** Header names that usual clients and proxies send. Only `content-length` among them changes where a request ends. */
const NAMES: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'idempotency-key',
  'connection',
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'traceparent',
  'tracestate',
  'x-request-id',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
]);
/** Visible ASCII; spaces only between. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/;
const LENGTH = /^(?:0|[1-9]\d{0,4})$/;
const KEEP_ALIVE = /^keep-alive$/i;

const MAX_KNOWN = 1_024;
/** A longer one is hardly the same twice. */
const MAX_KNOWN_BYTES = 512;
const END = Buffer.from('\r\n\r\n');

interface Headers {
  readonly byName: StrictHead['headers'];
  readonly raw: StrictHead['rawHeaders'];
  /** `undefined` without one. */
  readonly contentLength: string | undefined;
}

// A client sends the same headers again and again, but for the length of the body. Parsing them anew
// took 3% of the CPU of an assessment.
/** Heads that were read, by their text. */
const knownAssess = new Map<string, StrictHead>();
/** Headers by their text without the first line, which has an id. */
const knownReads = new Map<string, Headers>();

/** `undefined` unless the bytes begin with a whole head in the plain form: each header in one spelling, at most once. */
export function readStrictHead(bytes: Buffer): StrictHead | undefined {
  const end = bytes.indexOf(END);
  const headBytes = end + END.length;
  if (end < 0 || headBytes > MAX_HEAD_BYTES) return undefined;
  // Without the body, which texts that are remembered would keep in memory.
  const text = bytes.toString('latin1', 0, headBytes);
  if (READ_LINE.test(text)) return readReadHead(text);
  const known = knownAssess.get(text);
  if (known !== undefined) return known;
  return text.startsWith(ASSESS_LINE) ? remember(knownAssess, text, readAssessHead(text)) : undefined;
}

function readAssessHead(text: string): StrictHead | undefined {
  const headers = parseHeaders(text.slice(ASSESS_LINE.length));
  const bodyBytes = lengthOf(headers?.contentLength);
  if (headers === undefined || bodyBytes === undefined) return undefined;
  const { byName, raw } = headers;
  return {
    method: 'POST',
    url: ASSESS_URL,
    headers: byName,
    rawHeaders: raw,
    bytes: text.length,
    bodyBytes,
  };
}

function readReadHead(text: string): StrictHead | undefined {
  const rest = text.slice(READ_LINE_LENGTH);
  const headers = knownReads.get(rest) ?? remember(knownReads, rest, parseHeaders(rest));
  if (headers === undefined || headers.contentLength !== undefined) return undefined;
  const url = text.slice(READ_URL_AT, READ_URL_AT + READ_URL_LENGTH);
  const { byName, raw } = headers;
  return { method: 'GET', url, headers: byName, rawHeaders: raw, bytes: text.length, bodyBytes: 0 };
}

function remember<T>(known: Map<string, T>, text: string, read: T | undefined): T | undefined {
  if (read === undefined || text.length > MAX_KNOWN_BYTES) return read;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, read);
  return read;
}

/** Reads the headers of a head without its first line. `undefined` unless they are in the plain form. */
function parseHeaders(text: string): Headers | undefined {
  const byName: Record<string, string> = {};
  const raw: string[] = [];
  let at = 0;
  while (!text.startsWith('\r\n', at)) {
    const colon = text.indexOf(': ', at);
    const end = text.indexOf('\r\n', at);
    if (colon < 0 || end < colon) return undefined;
    const rawName = text.slice(at, colon);
    const name = rawName.toLowerCase();
    const value = text.slice(colon + 2, end);
    if (!NAMES.has(name) || byName[name] !== undefined || !VALUE.test(value)) return undefined;
    byName[name] = value;
    raw.push(rawName, value);
    at = end + 2;
  }
  const { host, connection = 'keep-alive', 'content-length': contentLength } = byName;
  if (host === undefined || !KEEP_ALIVE.test(connection)) return undefined;
  return { byName, raw, contentLength };
}

/** `undefined` if the text is not a length, or the length is too large. */
function lengthOf(text = ''): number | undefined {
  return LENGTH.test(text) && Number(text) <= BODY_LIMIT_BYTES ? Number(text) : undefined;
}
