/** Generates bodies from the contract's own schemas: each member right, wrong in type, hostile, twice, or missing. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { AssessmentRequest, FeedbackRequest, OUTCOMES } from '../../src/contract/messages.ts';
import { oddAddress } from './odd-addresses.ts';

type Text = fc.Arbitrary<string>;

const json = (value: unknown) => JSON.stringify(value);
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Random UTF-16 code units, including lone surrogates and NUL. */
export const anyText = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => {
  return String.fromCharCode(...units);
});

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

/** JSON text of values that no member is documented to have; some look similar to documented values. */
export const strangeValue: Text = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map(json),
  anyText.map(json),
  fc
    .constantFrom(...PROTOTYPE_NAMES, 'null', 'undefined', '[object Object]', '\u0000', '\ud800', '')
    .map(json),
  fc.constantFrom(
    '1e400',
    '-1e400',
    '-0',
    '9'.repeat(400),
    '0.1e-400',
    '1e1000000',
    '"\\ud800\\udc00\\udfff"',
  ),
  fc.constantFrom('true', 'false', 'null', '[]', '{}', '[null]', '["a@example.com"]', '{"toString":1}'),
  fc.constantFrom('{"__proto__":{"email":"a@example.com"}}', '{"valueOf":null,"toString":null}'),
  fc.constantFrom(nested(10_000, '[', ']'), nested(5_000, '{"a":', '}'), nested(10_000, '[', '')),
  fc.constantFrom(100, 255, 5_000, 60_000).map((length) => json('a'.repeat(length))),
);

const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,12}[a-z0-9])?$/);
/** Few domains, so that the memory about domains does not grow without limit. */
const company = fc.nat({ max: 300 }).map((number) => `company-${number}`);
const email: Text = fc.oneof(
  fc.tuple(label, company, fc.constantFrom('com', 'org', 'net', 'co.uk', 'test')).map((parts) => {
    return json(`${parts[0]}@${parts[1]}.${parts[2]}`);
  }),
  fc.emailAddress().map(json),
  oddAddress.map(json),
  oddAddress.map(json),
  fc
    .constantFrom(' A@Example.COM ', 'a+b@example.com', 'ü@bücher.example', 'a@xn--bcher-kva.example')
    .map(json),
  fc
    .constantFrom('a@b', '@b.co', 'a@', 'a@@b.co', 'a b@c.de', '"a"@b.co', 'a@[127.0.0.1]', 'a@b..co')
    .map(json),
  fc.tuple(anyText, anyText).map(([local, host]) => json(`${local}@${host}.com`)),
  fc.integer({ min: 230, max: 260 }).map((length) => json(`${'a'.repeat(length - 12)}@example.com`)),
);

const ip: Text = fc.oneof(
  fc.ipV4().map(json),
  fc.ipV6().map(json),
  fc
    .constantFrom('', ' ', 'localhost', 'LOCALHOST.', '127.0.0.1', '::1', '10.0.0.1', '::ffff:203.0.113.7')
    .map(json),
  fc
    .constantFrom('0177.0.0.1', '0x7f.1', '127.1', 'fe80::1%eth0', '1.2.3.4.5', '[::1]', '::1/64', '1:2')
    .map(json),
);

/** Values of the documented kind, by the name of the member. */
const PROPER: Record<string, (knownId: string) => Text> = {
  email: () => email,
  ip: () => ip,
  session_id: () => anyText.map(json),
  brought_by: () => fc.constantFrom('admin', 'member', 'directory', null).map(json),
  request_id: (id) =>
    fc.constantFrom(id, id.toUpperCase(), `${id}0`, 'req_', '', ` ${id}`, `${id}\u0000`).map(json),
  outcome: () => fc.constantFrom(...OUTCOMES, 'FALSE_POSITIVE', ' false_positive', '').map(json),
  note: () => anyText.map(json),
};

const REQUESTS = { assess: AssessmentRequest, feedback: FeedbackRequest };

/** The text of a JSON object for an operation; rarely other text. */
export function bodyText(operation: keyof typeof REQUESTS, knownId: string): Text {
  const schema = REQUESTS[operation];
  const members = Object.keys(schema.properties).map((name) => {
    const proper = (PROPER[name] as (id: string) => Text)(knownId).map((value) => [`${json(name)}:${value}`]);
    const strange = strangeValue.map((value) => [`${json(name)}:${value}`]);
    const twice = fc.tuple(proper, strange).map(([first, second]) => [...second, ...first]);
    const absent = fc.constant<string[]>([]);
    const required = (schema.required as readonly string[]).includes(name);
    return fc.oneof(
      { weight: required ? 12 : 4, arbitrary: proper },
      { weight: 3, arbitrary: strange },
      { weight: 1, arbitrary: twice },
      { weight: required ? 1 : 6, arbitrary: absent },
    );
  });
  const extra = fc.array(
    fc.tuple(fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES), anyText), strangeValue).map(([name, value]) => {
      return `${json(name)}:${value}`;
    }),
    { maxLength: 2 },
  );
  const object = fc.tuple(extra, ...members).map((parts) => `{${parts.flat().join(',')}}`);
  return fc.oneof({ weight: 12, arbitrary: object }, { weight: 1, arbitrary: strangeValue });
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const utf32 = (text: string) => {
  const points = Array.from(text, (character) => character.codePointAt(0) as number);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [at, point] of points.entries()) bytes.writeUInt32LE(point, at * 4);
  return bytes;
};
const BROKEN_UTF8 = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x80],
];

const ENCODINGS: Record<string, (text: string) => Buffer> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-8 with two marks': (text) => Buffer.from(`\ufeff\ufeff${text}`),
  'UTF-16LE': utf16,
  'UTF-16LE with a mark': (text) => utf16(`\ufeff${text}`),
  'UTF-16BE with a mark': (text) => utf16(`\ufeff${text}`).swap16(),
  'UTF-32LE': utf32,
  'UTF-32LE with a mark': (text) => utf32(`\ufeff${text}`),
  'latin-1': (text) => Buffer.from(text, 'latin1'),
  gzip: (text) => gzipSync(text),
  'a cut gzip': (text) => gzipSync(text).subarray(0, 20),
};

/** A good body in a bad encoding, or with bytes that are not UTF-8. */
export const encodedBody: fc.Arbitrary<{ encoding: string; bytes: Buffer }> = fc
  .record({
    local: fc.stringMatching(/^[a-z0-9]{1,10}$/),
    session: fc.oneof(fc.constantFrom('é', '€', '😀', 'ÿ'), anyText),
    encoding: fc.constantFrom(...Object.keys(ENCODINGS), 'broken UTF-8'),
    broken: fc.constantFrom(...BROKEN_UTF8),
    at: fc.nat(),
  })
  .map(({ local, session, encoding, broken, at }) => {
    const text = json({ email: `${local}@example.com`, session_id: session });
    const encode = ENCODINGS[encoding];
    if (encode !== undefined) return { encoding, bytes: encode(text) };
    const whole = Buffer.from(text);
    const cut = at % whole.length;
    return {
      encoding,
      bytes: Buffer.concat([whole.subarray(0, cut), Buffer.from(broken), whole.subarray(cut)]),
    };
  });
