/** Recognises the head of the plain form of `POST /v1/assess` and `GET /v1/assess/{request_id}`, which nearly all callers send; everything else is for Node's parser. */
import { BODY_LIMIT_BYTES } from './body.ts';

/** A recognised head: Node's parser would read the same. */
export interface StrictHead {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** By their names in lower case. */
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
/** Without a body. The id is in the only form that ids have. */
const READ_LINE = /^GET \/v1\/assess\/req_[\da-z]{26} HTTP\/1\.1\r\n/;
const READ_URL_AT = 'GET '.length;
const READ_URL_LENGTH = READ_URL.length + 'req_'.length + 26;
const READ_LINE_LENGTH = READ_URL_AT + READ_URL_LENGTH + ' HTTP/1.1\r\n'.length;
const MAX_HEAD_BYTES = 4_096;
/** What usual clients and proxies send. None of them changes where a request ends, except `content-length`. */
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
/** Of a whole request: what `lastOfLength` has places for. */
const MAX_WHOLE_BYTES = 1_024;
const END = Buffer.from('\r\n\r\n');

interface Headers {
  readonly byName: StrictHead['headers'];
  readonly raw: StrictHead['rawHeaders'];
  /** `undefined` without one. */
  readonly contentLength: string | undefined;
}

interface KnownHead {
  readonly bytes: Buffer;
  readonly head: StrictHead;
}

// A client sends the same headers again and again, but for the length of the body: those that were read last, by their text.
/** With the first line. */
const knownAssess = new Map<string, KnownHead>();
/** Without the first line, which has an id. */
const knownReads = new Map<string, Headers>();
/**
 * The head of the last signup of each length, which says how long the body is. Where all have one key it is nearly always the
 * next one's: comparing its bytes takes a fifth of making a text and finding that.
 */
const lastOfLength = Array.from<KnownHead | undefined>({ length: MAX_WHOLE_BYTES + 1 });

/** `undefined` unless the bytes begin with a whole head in the plain form: each header in one spelling, at most once. */
export function readStrictHead(bytes: Buffer): StrictHead | undefined {
  const last = lastOfLength[bytes.length];
  if (last !== undefined && last.bytes.compare(bytes, 0, last.bytes.length) === 0) return last.head;
  const end = bytes.indexOf(END);
  const headBytes = end + END.length;
  if (end < 0 || headBytes > MAX_HEAD_BYTES) return undefined;
  // Without the body, which texts that are remembered would keep in memory.
  const text = bytes.toString('latin1', 0, headBytes);
  const known = knownAssess.get(text);
  if (known !== undefined) {
    if (bytes.length <= MAX_WHOLE_BYTES) lastOfLength[bytes.length] = known;
    return known.head;
  }
  if (text.startsWith(ASSESS_LINE)) return remember(knownAssess, text, readAssessHead(text))?.head;
  return READ_LINE.test(text) ? readReadHead(text) : undefined;
}

function readAssessHead(text: string): KnownHead | undefined {
  const headers = parseHeaders(text.slice(ASSESS_LINE.length));
  const bodyBytes = lengthOf(headers?.contentLength);
  if (headers === undefined || bodyBytes === undefined) return undefined;
  const head = { method: 'POST', url: ASSESS_URL, ...toHead(text, headers), bodyBytes } as const;
  return { bytes: Buffer.from(text, 'latin1'), head };
}

function readReadHead(text: string): StrictHead | undefined {
  const rest = text.slice(READ_LINE_LENGTH);
  const headers = knownReads.get(rest) ?? remember(knownReads, rest, parseHeaders(rest));
  if (headers === undefined || headers.contentLength !== undefined) return undefined;
  const url = text.slice(READ_URL_AT, READ_URL_AT + READ_URL_LENGTH);
  return { method: 'GET', url, ...toHead(text, headers), bodyBytes: 0 };
}

function toHead({ length: bytes }: string, { byName, raw }: Headers) {
  return { headers: byName, rawHeaders: raw, bytes };
}

function remember<T>(known: Map<string, T>, text: string, read: T | undefined): T | undefined {
  if (read === undefined || text.length > MAX_KNOWN_BYTES) return read;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, read);
  return read;
}

/** Of a head without its first line. `undefined` unless they are in the plain form. */
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
