/** Recognises the head of the plain form of `POST /v1/assess` and `GET /v1/assess/{request_id}`, which nearly all callers send; everything else is for Node's parser. */
import { BODY_LIMIT_BYTES } from './body.ts';

/** A recognised head: Node's parser would read the same. */
export interface StrictHead extends RequestLine {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Bytes of the head, with the empty line. */
  readonly bytes: number;
  /** Bytes of the body: 0 … `BODY_LIMIT_BYTES`. */
  readonly bodyBytes: number;
}

/** What is asked for. */
export interface RequestLine {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

const ASSESS: RequestLine = { method: 'POST', url: '/v1/assess' };
const ASSESS_LINE = 'POST /v1/assess HTTP/1.1\r\n';
const READ_URL = '/v1/assess/';
/** Without a body. The id is in the only form that ids have. */
const READ_LINE = /^GET \/v1\/assess\/req_[\da-z]{26} HTTP\/1\.1\r\n/;
const READ_URL_AT = 'GET '.length;
const READ_URL_LENGTH = READ_URL.length + 'req_'.length + 26;
const LINE_END = ' HTTP/1.1\r\n';
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

/** A client sends the same head of POST again and again, but for the length of the body: the texts that were read last. */
const known = new Map<string, StrictHead>();
const MAX_KNOWN = 1_024;
/** A longer one is hardly the same twice. */
const MAX_KNOWN_BYTES = 512;
const END = Buffer.from('\r\n\r\n');
const FIRST_OF_POST = ASSESS_LINE.charCodeAt(0);

/** `undefined` unless the bytes begin with a whole head in the plain form: each header in one spelling, at most once. */
export function readStrictHead(bytes: Buffer): StrictHead | undefined {
  const end = bytes[0] === FIRST_OF_POST ? bytes.indexOf(END) : -1;
  if (end < 0 || end > MAX_KNOWN_BYTES) return parseHead(bytes.toString('latin1', 0, MAX_HEAD_BYTES));
  // Without the body, which a head that is remembered would keep in memory.
  const text = bytes.toString('latin1', 0, end + END.length);
  const before = known.get(text);
  if (before !== undefined) return before;
  const head = parseHead(text);
  if (head === undefined) return undefined;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, head);
  return head;
}

function parseHead(text: string): StrictHead | undefined {
  const isAssess = text.startsWith(ASSESS_LINE);
  if (!isAssess && !READ_LINE.test(text)) return undefined;
  const headers: Record<string, string> = {};
  const rawHeaders: string[] = [];
  let at = isAssess ? ASSESS_LINE.length : READ_URL_AT + READ_URL_LENGTH + LINE_END.length;
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
  const { host, connection = 'keep-alive', 'content-length': length } = headers;
  if (host === undefined || !KEEP_ALIVE.test(connection)) return undefined;
  const bodyBytes = isAssess ? lengthOf(length) : length === undefined ? 0 : undefined;
  if (bodyBytes === undefined) return undefined;
  const line = isAssess ? ASSESS : { method: 'GET' as const, url: urlOf(text) };
  return { ...line, headers, rawHeaders, bytes: at + 2, bodyBytes };
}

/** `undefined` for what is no length, or is too long. */
function lengthOf(text = ''): number | undefined {
  return LENGTH.test(text) && Number(text) <= BODY_LIMIT_BYTES ? Number(text) : undefined;
}

function urlOf(text: string): string {
  return text.slice(READ_URL_AT, READ_URL_AT + READ_URL_LENGTH);
}
