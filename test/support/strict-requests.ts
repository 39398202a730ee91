/** Generates streams of requests in the plain forms of `POST /v1/assess` and `GET /v1/assess/{request_id}`, most with a change, cut into packets. */

export interface GeneratedStream {
  readonly packets: readonly Buffer[];
}

/** Numbers below `limit`, the same for the same seed. */
type Draw = (limit: number) => number;

const HEADERS = [
  'Content-Type: application/json',
  'Accept: */*',
  'Accept-Encoding: gzip, deflate',
  'Accept-Language: *',
  'Sec-Fetch-Mode: cors',
  'User-Agent: node',
  'User-Agent: late',
  'User-Agent: last',
  'Connection: keep-alive',
  'connection: Keep-Alive',
  'Idempotency-Key: 5f0a-11',
  'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'X-Forwarded-For: 203.0.113.7, 10.0.0.1',
  'Authorization: Bearer sk_live_0123456789abcdefghijklmnopqrstuv',
  'authorization: Bearer sk_test_0123456789abcdefghijklmnopqrstuv',
];
/** The service must read each line as Node's parser does, whatever that is. */
const HOSTILE = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'TE: trailers',
  'Content-Length: 5',
  'Content-Length: 5, 5',
  'Content-Length : 5',
  'Content-Length: +5',
  'content-length: 05',
  'Content-Length:',
  'Content-Length: 0x5',
  'Content-Length: 65537',
  'Content-Length: 99999',
  'Content-Length: -1',
  'Connection: close',
  'Connection: upgrade',
  'Connection: keep-alive, close',
  'Connection: ',
  'Upgrade: h2c',
  'Host: b',
  'host: localhost',
  'Host:',
  'Expect: 100-continue',
  'Expect: a-miracle',
  'X-Other: 1',
  ': none',
  ' folded',
  '\tfolded',
  'no colon',
  'Content\u0000-Length: 5',
  'Content-Length\u00a0: 5',
  'Accept: \u00fc',
  'Accept: a\u0000',
  'Proxy-Connection: close',
  'Content-Length: 5\r',
  'Accept: a\rTransfer-Encoding: chunked',
  'Accept:a',
  'Accept:  a ',
];
const BODIES = [
  '{"email":"jo@example.com"}',
  '',
  '{}',
  'POST /v1/assess HTTP/1.1\r\nHost: x\r\n\r\n',
  '0\r\n\r\n',
  '{"email":"\u00fc@example.com"}',
];
const BYTES = Buffer.from('\r\n: \t\0\x7f\x80\xff09aZ,;/HTPC', 'latin1');

const GET = 'GET /v1/assess/req_01k0q8y5m9x3w7v2n4b6c8d0zz HTTP/1.1';
const GETS = [
  ...Array.from({ length: 12 }, () => GET),
  GET.replace('zz', 'z'),
  GET.replace('zz', 'z%7A'),
  GET.replace('zz', 'zz?a'),
  GET.replace('1.1', '1.0'),
  GET.replace('GET', 'HEAD'),
];

/** A number of streams; they depend on the seed. */
export function* createStreams(seed: number, count: number): Generator<GeneratedStream> {
  const draw = createDraw(seed);
  for (let at = 0; at < count; at += 1) {
    const requests = Array.from({ length: draw(3) === 0 ? 1 + draw(3) : 1 }, () =>
      changed(writeRequest(draw), draw),
    );
    yield { packets: cut(Buffer.concat(requests), draw) };
  }
}

function createDraw(seed: number): Draw {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const pick = <T>(values: ArrayLike<T>, draw: Draw): T => values[draw(values.length)] as T;

const nameOf = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase();

/** Header lines in any order. One in six requests has a hostile line. */
function writeRequest(draw: Draw): Buffer {
  const isGet = draw(3) === 0;
  // One in eight GET requests has a length, a body, or both, as only POST requests should.
  const hasBody = !isGet || draw(8) === 0;
  const body = Buffer.from(hasBody ? pick(BODIES, draw) : '');
  const lines = ['Host: localhost', ...(hasBody && draw(16) > 0 ? [`Content-Length: ${body.length}`] : [])];
  for (let more = draw(6); more > 0; more -= 1) {
    const line = pick(HEADERS, draw);
    const isNew = !lines.some((other) => nameOf(other) === nameOf(line));
    if (isNew || draw(16) === 0) lines.push(line);
  }
  if (draw(6) === 0) lines.push(pick(HOSTILE, draw));
  for (let at = lines.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [lines[at], lines[other]] = [lines[other] as string, lines[at] as string];
  }
  const head = [isGet ? pick(GETS, draw) : 'POST /v1/assess HTTP/1.1', ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** Usual requests with every byte replaced by, or preceded by, every value; at most `limit`, evenly spread. */
export function* everyByteChanged(limit: number): Generator<GeneratedStream> {
  const body = BODIES[0] as string;
  const head = [
    'POST /v1/assess HTTP/1.1',
    'Host: localhost',
    HEADERS.at(-1),
    HEADERS[0],
    HEADERS[8],
    `Content-Length: ${body.length}`,
  ];
  yield* bytesChanged(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`), limit / 2);
  yield* bytesChanged(Buffer.from(`${[GET, ...head.slice(1, -1)].join('\r\n')}\r\n\r\n`), limit / 2);
}

function* bytesChanged(request: Buffer, limit: number): Generator<GeneratedStream> {
  const count = request.length * 256 * 2;
  const step = Math.max(1, Math.floor(count / limit));
  for (let number = 0; number < count; number += step) {
    const at = Math.floor(number / 512);
    const behind = at + ((number >> 8) & 1);
    yield {
      packets: [
        Buffer.concat([request.subarray(0, at), Buffer.from([number & 255]), request.subarray(behind)]),
      ],
    };
  }
}

/** Changes, inserts or removes one to three bytes anywhere in every second request. */
function changed(request: Buffer, draw: Draw): Buffer {
  let bytes = request;
  for (let changes = draw(2) * (1 + draw(3)); changes > 0; changes -= 1) {
    const at = draw(bytes.length);
    const kind = draw(3);
    const byte = draw(2) === 0 ? pick(BYTES, draw) : draw(256);
    const put = kind === 2 ? [] : [byte];
    bytes = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(put),
      bytes.subarray(kind === 0 ? at : at + 1),
    ]);
  }
  return bytes;
}

/** Half of the streams come in one packet. */
function cut(bytes: Buffer, draw: Draw): Buffer[] {
  const packets: Buffer[] = [];
  let rest = bytes;
  for (let cuts = draw(2) * draw(4); cuts > 0 && rest.length > 1; cuts -= 1) {
    const at = 1 + draw(rest.length - 1);
    packets.push(rest.subarray(0, at));
    rest = rest.subarray(at);
  }
  return [...packets, rest].filter(({ length }) => length > 0);
}
