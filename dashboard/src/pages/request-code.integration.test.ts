/** Runs the code that is shown: each form must send the same request. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlOf, javascriptOf, pythonOf } from './request-code.ts';

const REQUEST = { email: `o'brien+"x"@example.com`, ip: '203.0.113.9', session_id: 'a\\b $HOME' };
const seen: { authorization: string | undefined; body: unknown }[] = [];
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    seen.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
    response.end('{"verdict":"allow"}');
  });
});
const run = promisify(execFile);
let origin = '';

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('the shown code', () => {
  const code = () => ({ origin, key: 'sk_test_abc', request: REQUEST });
  const expected = { authorization: 'Bearer sk_test_abc', body: REQUEST };

  it('sends the request from JavaScript', async () => {
    await run(process.execPath, ['--input-type=module', '-e', javascriptOf(code())]);
    expect(seen.at(-1)).toEqual(expected);
  });

  it('is quoted so that a shell hands it on unchanged', async () => {
    const shown = curlOf(code()).replace(/^curl /, `printf '%s\\n' `);
    const { stdout } = await run('sh', ['-c', shown]);
    const words = stdout.trimEnd().split('\n');
    expect(words).toContain(`Authorization: Bearer sk_test_abc`);
    expect(JSON.parse(words.at(-1) as string)).toEqual(REQUEST);
  });

  it('holds the request as a literal that Python reads alike', () => {
    const literal = /json=(\{[\s\S]*?\n {4}\}),/.exec(pythonOf(code()))?.[1] as string;
    expect(JSON.parse(literal)).toEqual(REQUEST);
  });
});
