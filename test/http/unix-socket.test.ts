/** The service on a Unix socket: who may connect, what happens to the file, and whose address a visitor has. */
import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedStart } from '../support/command.ts';
import { examine } from '../support/examine.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';

let installation: Installation;
let live: string;
let path: string;
beforeAll(async () => {
  installation = await createInstallation();
  ({ live } = await plant(installation));
  path = join(installation.directory, 'gatehouse.sock');
});
afterAll(() => installation?.remove());

const onSocket = (more = {}) => ({ HOST: `unix:${path}`, GATEHOUSE_TRUST_PROXY: '1', ...more });

interface Answer {
  readonly status: number;
  readonly text: string;
}

function ask(method: string, to: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const question = request(
      { socketPath: path, method, path: to, headers: { host: 'shop', ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    question.on('error', reject);
    question.end(body);
  });
}

function assess(): Promise<Answer> {
  const headers = { authorization: `Bearer ${live}`, 'content-type': 'application/json' };
  return ask('POST', '/v1/assess', headers, JSON.stringify({ email: 'jo@example.com', ip: '203.0.113.9' }));
}

describe.each([
  ['the strict reader', true],
  ["Node's reader", false],
])('a socket, with %s', (_, strictReader) => {
  it('answers signups, lets its group in and nobody else, and is gone after the stop', async () => {
    const service = await installation.start(onSocket(), strictReader);
    expect(service.url).toBe(`unix:${path}`);
    expect(lstatSync(path).mode & 0o777).toBe(0o660);
    expect((await assess()).status).toBe(200);
    const { find } = await examine({ ...installation.environment, ...onSocket() });
    expect(find('service')).toMatchObject({ state: 'ok', found: `ready at unix:${path}` });
    await service.stop();
    expect(existsSync(path)).toBe(false);
  });

  it('counts visitors by the address that the proxy reports, and believes nobody without GATEHOUSE_TRUST_PROXY', async () => {
    const guess = (ip: string) =>
      ask(
        'POST',
        '/dashboard/auth/sign-in/email',
        {
          'content-type': 'application/json',
          origin: 'http://shop',
          'x-gatehouse': 'dashboard',
          'x-forwarded-for': ip,
        },
        JSON.stringify({ email: 'nobody@example.com', password: 'not the password' }),
      );
    const guesses = async (ip: string) => {
      const statuses: number[] = [];
      for (let n = 0; n < 12; n += 1) statuses.push((await guess(ip)).status);
      return statuses;
    };
    const trusting = await installation.start(onSocket(), strictReader);
    expect((await guesses('198.51.100.1')).at(-1)).toBe(429);
    expect((await guess('198.51.100.2')).status).toBe(401);
    await trusting.stop();
    const service = await installation.start(onSocket({ GATEHOUSE_TRUST_PROXY: 'off' }), strictReader);
    expect((await guesses('198.51.100.3')).at(-1)).toBe(429);
    expect((await guess('198.51.100.4')).status).toBe(429);
    await service.stop();
  });
});

describe('the file of a socket', () => {
  it('that a killed service left is replaced', async () => {
    const killed = await installation.spawn(onSocket());
    await killed.kill();
    expect(lstatSync(path).isSocket()).toBe(true);
    const service = await installation.start(onSocket());
    expect((await ask('GET', '/readyz')).status).toBe(200);
    await service.stop();
  });

  it('of a service that listens is left alone', async () => {
    const service = await installation.start(onSocket());
    const other = {
      ...installation.environment,
      ...onSocket(),
      GATEHOUSE_DATA_DIR: join(installation.directory, 'b'),
    };
    const { status, stderr } = await refusedStart(other);
    expect([status, stderr]).toEqual([1, expect.stringContaining('another process listens there')]);
    await new Promise((resolve) => connect(path).once('connect', resolve));
    await service.stop();
  });

  it('is no other file', async () => {
    writeFileSync(path, 'precious');
    const { status, stderr } = await refusedStart({ ...installation.environment, ...onSocket() });
    expect([status, stderr]).toEqual([1, expect.stringContaining('it is no socket')]);
    expect(lstatSync(path).size).toBe(8);
  });
});

it.each([
  ['unix:gatehouse.sock', /absolute path of a socket/],
  ['unix:/run/', /absolute path of a socket/],
  [`unix:/${'x'.repeat(120)}`, /at most 103 bytes/],
])('HOST=%s is refused', async (host, line) => {
  const { status, stderr } = await refusedStart({ ...installation.environment, HOST: host });
  expect([status, stderr]).toEqual([1, expect.stringMatching(line)]);
});
