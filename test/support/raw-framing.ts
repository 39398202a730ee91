/** Generates requests whose length, transfer coding, chunks or header fields contradict the body or the standard. */
import fc from 'fast-check';
import { assessHeaders, type Framed, POST, request } from './raw-requests.ts';

/** Not as in the standard, but with only one meaning. */
const LENIENT: ReadonlySet<string> = new Set(['1E ', ' 1e', '1e;', 'X-Fold: a\r\n b']);
const GOOD = '{"email":"framed@example.com"}';
const HIDDEN = '{"email":"hidden@example.com","session_id":"smuggled-in"}';
const hidden = (key: string) =>
  request(POST, assessHeaders(key, HIDDEN.length), Buffer.from(HIDDEN)).toString('latin1');

/** Body lengths and transfer codings that contradict the body, each other, or the standard. */
export function framedWrongly(key: string): fc.Arbitrary<Framed> {
  const headers = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  const frame = (name: string, answers: number, extra: string[], body: string): Framed => ({
    name,
    answers,
    hopeless: true,
    bytes: request(POST, [...headers, ...extra], Buffer.from(body, 'latin1')),
  });
  const length = GOOD.length;
  const badLength = fc
    .constantFrom(
      '-1',
      '+30',
      '1e3',
      '0x1e',
      ' ',
      '30, 30',
      '30 30',
      '99999999999999999999',
      'NaN',
      '3.0',
      '"30"',
      ';30',
    )
    .map((text) => frame(`content-length ${text}`, 0, [`Content-Length: ${text}`], GOOD));
  const tooLong = fc
    .integer({ min: 1, max: 60_000 })
    .map((more) => frame(`content-length ${more} too long`, 0, [`Content-Length: ${length + more}`], GOOD));
  const twice = fc
    .integer({ min: 0, max: 60 })
    .map((other) =>
      frame('two content-lengths', 0, [`Content-Length: ${length}`, `Content-Length: ${other}`], GOOD),
    );
  const both = fc
    .constantFrom(
      'chunked',
      'Chunked',
      ' chunked',
      'identity',
      'gzip, chunked',
      'chunked, identity',
      'x',
      'chunked ',
    )
    .chain((coding) =>
      fc.boolean().map((lengthFirst) => {
        const pair = [`Content-Length: ${hidden(key).length + 5}`, `Transfer-Encoding: ${coding}`];
        return frame(
          `content-length and ${coding}`,
          0,
          lengthFirst ? pair : pair.reverse(),
          `0\r\n\r\n${hidden(key)}`,
        );
      }),
    );
  const oddCoding = fc
    .constantFrom(
      'identity',
      'gzip',
      'chunked, gzip',
      'chunked, chunked',
      'xchunked',
      '"chunked"',
      'chunked;q=1',
      '\x0bchunked',
    )
    .map((coding) =>
      frame(`coding ${coding}`, 0, [`Transfer-Encoding: ${coding}`], `1e\r\n${GOOD}\r\n0\r\n\r\n`),
    );
  const badSize = fc
    .constantFrom(
      'zz',
      '-5',
      '',
      '0x1e',
      '1E ',
      ' 1e',
      'fffffffffffffffff',
      '7fffffffffffffff',
      '1e;',
      '1e\n',
      '+1e',
      '1f',
      '1d',
    )
    .chain((size) =>
      fc.boolean().map((ended) => {
        const text = `${size}\r\n${GOOD}\r\n${ended ? '0\r\n\r\n' : ''}`;
        const hopeless = !LENIENT.has(size);
        return { ...frame(`chunk size ${json(size)}`, 0, ['Transfer-Encoding: chunked'], text), hopeless };
      }),
    );
  const oversized = fc.integer({ min: 65_537, max: 80_000 }).map((size) => {
    const text = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
    return frame(`chunks of ${size} bytes`, 1, ['Transfer-Encoding: chunked'], text);
  });
  const longHeader = fc.integer({ min: 16_384, max: 40_000 }).map((size) => {
    return frame(
      `a header of ${size}`,
      1,
      [`X-Long: ${'a'.repeat(size)}`, `Content-Length: ${length}`],
      GOOD,
    );
  });
  const manyHeaders = fc.integer({ min: 2_000, max: 3_000 }).map((count) => {
    const many = Array.from({ length: count }, (_, at) => `X-${at}: ${at}`);
    return frame(`${count} headers`, 1, [...many, `Content-Length: ${length}`], GOOD);
  });
  const brokenHeader = fc
    .constantFrom(
      'no colon',
      ': empty',
      'bad name: x',
      'X-Nul: a\x00b',
      'X-Fold: a\r\n b',
      'X\x7f: y',
      'X-Lf: a\nb',
      'X-Cr: a\rb',
    )
    .map((header) => {
      const framed = frame(`header ${json(header)}`, 0, [header, `Content-Length: ${length}`], GOOD);
      return { ...framed, hopeless: !LENIENT.has(header) };
    });
  return fc.oneof(
    badLength,
    tooLong,
    twice,
    both,
    oddCoding,
    badSize,
    oversized,
    longHeader,
    manyHeaders,
    brokenHeader,
  );
}

const json = (value: unknown) => JSON.stringify(value);
