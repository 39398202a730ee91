/** Writes requests byte by byte, and generates requests to unknown targets and bytes that are not requests. */
import { METHODS } from 'node:http';
import fc from 'fast-check';

export interface Framed {
  readonly name: string;
  readonly bytes: Buffer;
  /** Number of answers to wait for; 0 if the bytes may not be a complete request. */
  readonly answers: number;
  readonly head?: boolean;
  /** True if the bytes cannot be read as a request that may succeed. */
  readonly hopeless: boolean;
}

/** A well-formed request, one header a line. */
export function request(
  line: string,
  headers: readonly string[],
  body: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = `${line}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

export function assessHeaders(key: string, length: number): string[] {
  return [
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
}

export const POST = 'POST /v1/assess HTTP/1.1';
const GOOD = '{"email":"framed@example.com"}';
/** Stored only if a part of a body is wrongly read as a separate request. */
/** Everybody may open the dashboard's first page. */
const DASHBOARD = /^(?:https?:\/\/localhost)?\/(?:[?#]|$)/;

/** Unknown methods, targets and versions, combined with known ones. */
export function aimedWrongly(key: string, knownId: string): fc.Arbitrary<Framed> {
  const id = fc.oneof(
    fc.constantFrom(
      knownId,
      '',
      '%00',
      '%',
      '%zz',
      '%c0%af',
      '%ff',
      '..',
      '%2e%2e%2f',
      '%2f',
      "'--",
      '__proto__',
      '%E2%82',
    ),
    fc.string({ maxLength: 40 }).map(encodeURIComponent),
    fc.integer({ min: 200, max: 15_000 }).map((length) => 'a'.repeat(length)),
  );
  const path = fc.oneof(
    id.map((text) => `/v1/assess/${text}`),
    fc.constantFrom(
      '/v1/usage',
      '/v1/usage/',
      '/V1/USAGE',
      '//v1/usage',
      '/v1/./usage',
      '/v1/x/../usage',
      '/',
      '/v1/usage;x',
    ),
    fc.constantFrom(
      '/v1/usage?a=%zz',
      '/v1/usage#a',
      '/v1/%75sage',
      '/v1/assess',
      '/v1/feedback',
      '/.env',
      '/v1/usage%00',
    ),
    fc
      .array(fc.constantFrom('/', '%', '.', '?', '#', 'v1', 'assess', '%2f', '\\', '[', '|', '{', '\x80'), {
        maxLength: 12,
      })
      .map((parts) => `/${parts.join('')}`),
  );
  const target = fc.oneof(
    { weight: 8, arbitrary: path },
    { weight: 1, arbitrary: path.map((text) => `http://localhost${text}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '*',
        'localhost:80',
        'http://',
        'ftp://localhost/v1/usage',
        'v1/usage',
        '?',
        'http://[::1',
      ),
    },
  );
  const method = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('GET', 'HEAD', 'POST') },
    { weight: 3, arbitrary: fc.constantFrom(...METHODS) },
    { weight: 1, arbitrary: fc.constantFrom('get', 'FOO', 'GETX', '', 'G\x00T', 'PRI', 'A'.repeat(300)) },
  );
  const version = fc.oneof(
    { weight: 9, arbitrary: fc.constant('HTTP/1.1') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', 'http/1.1', '', 'RTSP/1.0'),
    },
  );
  const aimed = fc
    .tuple(method, target, version, fc.boolean())
    .filter(([verb, aim]) => !(['GET', 'HEAD'].includes(verb) && DASHBOARD.test(aim)));
  return aimed.map(([verb, aim, spoken, body]) => {
    const line = `${verb} ${aim} ${spoken}`.trimEnd();
    const headers = [
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      ...(body ? ['Content-Length: 2'] : []),
    ];
    const hopeless = !(['GET', 'HEAD'].includes(verb) && /usage|assess\/req_/i.test(aim.replace('%75', 'u')));
    return {
      name: line.slice(0, 100),
      bytes: request(line, headers, Buffer.from(body ? '{}' : '')),
      answers: 0,
      head: verb === 'HEAD',
      hopeless,
    };
  });
}

/** Noise, and good requests with changed, inserted or removed bytes. */
export function noise(key: string): fc.Arbitrary<Framed> {
  const good = request(POST, assessHeaders(key, GOOD.length), Buffer.from(GOOD));
  const random = fc
    .uint8Array({ minLength: 1, maxLength: 400 })
    .map((bytes) => ({ name: 'noise', bytes: Buffer.from(bytes), answers: 0, hopeless: true }));
  const change = fc.tuple(
    fc.nat({ max: good.length - 1 }),
    fc.constantFrom('set', 'insert', 'cut'),
    fc.nat({ max: 255 }),
  );
  const changed = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    let bytes = good;
    for (const [at, kind, byte] of changes) {
      const after = bytes.subarray(kind === 'insert' ? at : at + 1);
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        kind === 'cut' ? Buffer.alloc(0) : Buffer.from([byte]),
        after,
      ]);
    }
    return { name: `changed ${json(changes)}`, bytes, answers: 0, hopeless: false };
  });
  return fc.oneof(random, changed);
}

const json = (value: unknown) => JSON.stringify(value);
