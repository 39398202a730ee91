import { describe, expect, it } from 'vitest';
import { BODY_LIMIT_BYTES } from './body.ts';
import { readStrictHead } from './strict-head.ts';

const LINE = 'POST /v1/assess HTTP/1.1';
const ID = 'req_01k0q8y5m9x3w7v2n4b6c8d0zz';
const GET_LINE = `GET /v1/assess/${ID} HTTP/1.1`;
const read = (lines: readonly string[], behind = '') =>
  readStrictHead(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${behind}`, 'latin1'));
const USUAL = [LINE, 'Host: a', 'Content-Length: 5'];

describe('a head in the plain form', () => {
  it('is read up to the empty line', () => {
    expect(read([...USUAL, 'Authorization: Bearer sk_live_x', 'ACCEPT: */*, a b'], 'hello')).toEqual({
      method: 'POST',
      url: '/v1/assess',
      headers: { host: 'a', 'content-length': '5', authorization: 'Bearer sk_live_x', accept: '*/*, a b' },
      rawHeaders: [
        'Host',
        'a',
        'Content-Length',
        '5',
        'Authorization',
        'Bearer sk_live_x',
        'ACCEPT',
        '*/*, a b',
      ],
      bytes: 107,
      bodyBytes: 5,
    });
  });

  it('may request a stored assessment, without a body', () => {
    expect(read([GET_LINE, 'Host: a', 'Accept: */*'], 'GET')).toEqual({
      method: 'GET',
      url: `/v1/assess/${ID}`,
      headers: { host: 'a', accept: '*/*' },
      rawHeaders: ['Host', 'a', 'Accept', '*/*'],
      bytes: 80,
      bodyBytes: 0,
    });
  });

  it('is read the same a second time, whatever follows it, and not confused with one that differs in one byte', () => {
    const lines = [...USUAL, 'User-Agent: again'];
    const first = read(lines, 'hello');
    expect(read(lines, 'hello')).toEqual(first);
    expect(read(lines, '')).toEqual(first);
    expect(read([...USUAL, 'User-Agent: agaim'], 'hello')?.headers['user-agent']).toBe('agaim');
    expect(read([...USUAL.slice(0, 2), 'Content-Length: 6', 'User-Agent: again'])?.bodyBytes).toBe(6);
  });

  it('is not confused with another of a request of the same length', () => {
    const lines = [...USUAL, 'User-Agent: length'];
    const whole = `${lines.join('\r\n')}\r\n\r\nhello`;
    const readText = (text: string) => {
      expect(readStrictHead(Buffer.from(whole))?.bytes).toBe(whole.length - 5);
      expect(text).toHaveLength(whole.length);
      return readStrictHead(Buffer.from(text));
    };
    expect(readText(whole.replace('lo', '!\0'))?.bodyBytes).toBe(5);
    expect(readText(whole.replace('hello', '').replace('length', 'length-long'))).toMatchObject({
      bytes: whole.length,
      headers: { 'user-agent': 'length-long' },
    });
    expect(readText(whole.replace('\r\n\r\nh', '\r\nX: '))).toBeUndefined();
    expect(readText(whole.replace('POST', 'PUST'))).toBeUndefined();
  });

  it.each([0, 9, 10, BODY_LIMIT_BYTES])('may announce a body of %i bytes', (length) => {
    expect(read([LINE, 'Host: a', `Content-Length: ${length}`])?.bodyBytes).toBe(length);
  });
});

describe("Node's parser has", () => {
  it.each<[string, readonly string[]]>([
    ['another method', ['PUT /v1/assess HTTP/1.1', ...USUAL.slice(1)]],
    ['another path', ['POST /v1/assess/ HTTP/1.1', ...USUAL.slice(1)]],
    ['a query', ['POST /v1/assess?a HTTP/1.1', ...USUAL.slice(1)]],
    ['another method of an assessment', [`HEAD /v1/assess/${ID} HTTP/1.1`, 'Host: a']],
    ['a shorter id', [`GET /v1/assess/${ID.slice(0, -1)} HTTP/1.1`, 'Host: a']],
    ['a longer id', [`GET /v1/assess/${ID}0 HTTP/1.1`, 'Host: a']],
    ['an id with other characters', [`GET /v1/assess/${ID.slice(0, -3)}%41 HTTP/1.1`, 'Host: a']],
    ['an id with a query', [`GET /v1/assess/${ID}?a HTTP/1.1`, 'Host: a']],
    ['another version of GET', [`GET /v1/assess/${ID} HTTP/1.0`, 'Host: a']],
    ['GET of another path', ['GET /v1/usage HTTP/1.1', 'Host: a']],
    ['GET with a length', [GET_LINE, 'Host: a', 'Content-Length: 0']],
    ['GET with a body', [GET_LINE, 'Host: a', 'Content-Length: 5']],
    ['GET with a chunked body', [GET_LINE, 'Host: a', 'Transfer-Encoding: chunked']],
    ['GET without Host', [GET_LINE, 'Accept: */*']],
    ['an absolute target', ['POST http://a/v1/assess HTTP/1.1', ...USUAL.slice(1)]],
    ['another version', ['POST /v1/assess HTTP/1.0', ...USUAL.slice(1)]],
    ['an empty line first', ['', ...USUAL]],
    ['no Host', [LINE, 'Content-Length: 5']],
    ['two Hosts', [...USUAL, 'host: a']],
    ['no length', [LINE, 'Host: a']],
    ['two lengths', [...USUAL, 'content-length: 5']],
    ['a chunked body', [LINE, 'Host: a', 'Transfer-Encoding: chunked']],
    ['a chunked body with a length', [...USUAL, 'Transfer-Encoding: chunked']],
    ['an expectation', [...USUAL, 'Expect: 100-continue']],
    ['a connection that is not kept', [...USUAL, 'Connection: close']],
    ['an upgrade', [...USUAL, 'Connection: Upgrade', 'Upgrade: h2c']],
    ['an unknown header', [...USUAL, 'X-Other: 1']],
    ['a space before the colon', [...USUAL, 'Accept : a']],
    ['no space behind the colon', [...USUAL, 'Accept:a']],
    ['a tab behind the colon', [...USUAL, 'Accept:\ta']],
    ['two spaces behind the colon', [...USUAL, 'Accept:  a']],
    ['a space behind the value', [...USUAL, 'Accept: a ']],
    ['an empty value', [...USUAL, 'Accept: ']],
    ['a folded value', [...USUAL, 'Accept: a', ' b']],
    ['a bare line feed', [...USUAL, 'Accept: a\nTransfer-Encoding: chunked']],
    ['a bare carriage return', [...USUAL, 'Accept: a\rTransfer-Encoding: chunked']],
    ['a control character', [...USUAL, 'Accept: a\u0000']],
    ['a delete character', [...USUAL, 'Accept: a\u007f']],
    ['a byte above ASCII', [...USUAL, 'Accept: \u00fc']],
    ['a name that looks alike', [...USUAL, 'Accept\u00a0: a']],
    ['a head that is too long for this', [...USUAL, `Accept: ${'a'.repeat(4_096)}`]],
    ...['5, 5', '05', '+5', '-5', '0x5', '5.0', '1e1', '99999', String(BODY_LIMIT_BYTES + 1), '100000'].map(
      (length): [string, string[]] => [
        `the length ${length}`,
        [LINE, 'Host: a', `Content-Length: ${length}`],
      ],
    ),
  ])('%s', (_what, lines) => {
    expect(read(lines, 'hello')).toBeUndefined();
  });

  it.each([USUAL, [GET_LINE, 'Host: a']])('each incomplete head: %s', (...lines) => {
    const whole = `${lines.join('\r\n')}\r\n\r\n`;
    for (let length = 0; length < whole.length; length += 1)
      expect(readStrictHead(Buffer.from(whole.slice(0, length))), String(length)).toBeUndefined();
    expect(readStrictHead(Buffer.from(whole))).toBeDefined();
  });
});
