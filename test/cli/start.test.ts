/** gatehouse start: the first start and its keys, later starts, and what prevents a start. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { setupLink } from '../support/browser.ts';
import { createClient } from '../support/client.ts';
import { failureOf, gatehouse, ROOT, refusedStart } from '../support/command.ts';
import { HANG_MS } from '../support/long-version.ts';
import { spawnService } from '../support/running-service.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';

const KEY = /sk_(live|test)_[0-9A-Za-z]{27,}/g;
const SECRET = /sk_(?:live|test)_|\/setup#/;
const BIN = resolve(ROOT, 'bin/gatehouse.js');
const sh = (command: string) => promisify(execFile)('sh', ['-c', command]);

const installations: Installation[] = [];
const install = async (environment?: Environment): Promise<Installation> => {
  const installation = await createInstallation(environment);
  installations.push(installation);
  return installation;
};
afterEach(async () => {
  for (const installation of installations.splice(0)) await installation.remove();
});

async function takePort() {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const address = taken.address();
  return { taken, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

/** A port below those that the system gives away by itself: a service of another test cannot get it in the meantime. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const taken = createServer().listen(port, '127.0.0.1');
    const isFree = await once(taken, 'listening').then(
      () => true,
      () => false,
    );
    await new Promise((done) => taken.close(done));
    if (isFree) return port;
  }
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

/** Waits for the port, for logs that do not say when the service listens; then stops the service. */
async function outputUntilReady(args: readonly string[], environment: Environment): Promise<string> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'exit');
  const ready = `http://127.0.0.1:${environment.PORT}/readyz`;
  await expect.poll(() => statusOf(ready), { timeout: HANG_MS }).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  return output;
}

const firstKeys = (dataDir: string) => readFile(join(dataDir, 'first-keys.txt'), 'utf8');

describe('the first start', () => {
  it('writes keys and a working curl line to a file that only its owner can read, and no key to the log', async () => {
    const installation = await install();
    const service = await installation.spawn();
    const written = await firstKeys(service.dataDir);
    const [live, sandbox] = [/sk_live_\w+/.exec(written)?.[0], /sk_test_\w+/.exec(written)?.[0]] as [
      string,
      string,
    ];
    for (const name of ['first-keys.txt', 'setup-link.txt']) {
      const file = join(service.dataDir, name);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(service.output()).toContain(`"file":"${file}"`);
    }
    expect(service.output()).toContain(
      'assessments are kept for 365 days; IPs and addresses in them for 90 days',
    );
    const curl = written.split('\n').find((line) => line.trim().startsWith('curl ')) as string;
    expect(curl).toContain(live);
    expect(curl).toContain(service.url);
    // A write may be late on a busy machine: then nothing is stored or charged.
    let answer = JSON.parse((await sh(curl)).stdout);
    while (answer.error?.code === 'internal_error') answer = JSON.parse((await sh(curl)).stdout);
    expect(answer).toMatchObject({ verdict: 'block', ip_provided: true, ip_status: 'ok' });
    expect(answer.reasons[0]).toEqual({ code: 'email_disposable', signal: 'email' });

    const client = createClient(service.url, live);
    expect((await client.get(answer.request_id)).status).toBe(200);
    expect((await client.usage()).json).toMatchObject({ plan: 'business', assessments_used: 1 });
    expect((await client.assess({ email: 'challenge@example.com' }, sandbox)).json.score).toBe(45);
    client.close();
    expect(await installation.json('account', 'list')).toMatchObject([{ name: 'default', plan: 'business' }]);

    expect(await service.stop()).toBe(0);
    const second = await installation.spawn();
    expect(await firstKeys(service.dataDir)).toBe(written);
    expect(second.output()).not.toContain('are kept for');
    const again = createClient(second.url, live);
    expect((await again.get(answer.request_id)).json).toEqual(answer);
    again.close();
    expect(await second.stop()).toBe(0);
    expect(service.output() + second.output()).not.toMatch(SECRET);
  });

  it('ends with the `npm start` that started it', async () => {
    const { environment } = await install();
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    const holder = join(environment.GATEHOUSE_DATA_DIR as string, 'service.json');
    const listening = () => JSON.parse(readFileSync(holder, 'utf8')) as { pid: number; url: string };
    await expect.poll(() => existsSync(holder) && listening().url, { timeout: HANG_MS }).toMatch(/^http:/);
    const { pid } = listening();
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    await expect
      .poll(() => existsSync(`/proc/${pid}`) || existsSync(holder), { timeout: HANG_MS })
      .toBe(false);
  });

  it('on all addresses prints the address of this machine, like `user link`', async () => {
    const installation = await install({ HOST: '0.0.0.0' });
    const service = await installation.start();
    expect(await firstKeys(service.dataDir)).toContain(`curl -s http://127.0.0.1:${service.port}/v1/assess`);
    expect(setupLink(service)).toContain(`http://127.0.0.1:${service.port}/setup#`);
    const { link } = await installation.json<{ link: string }>('user', 'link');
    expect(link).toContain(`http://127.0.0.1:${service.port}/setup#`);
  });

  it('prints the place of the keys at every log level, and with --json first, in one line', async () => {
    const { environment } = await install({ GATEHOUSE_LOG_LEVEL: 'silent', PORT: String(await freePort()) });
    const folder = environment.GATEHOUSE_DATA_DIR as string;
    const lines = (await outputUntilReady(['start', '--json'], environment)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        account_id: expect.stringMatching(/^acc_/),
        keys_file: join(folder, 'first-keys.txt'),
        setup_link_file: join(folder, 'setup-link.txt'),
      },
      { level: 'info', file: join(folder, 'first-keys.txt') },
      { level: 'info', file: join(folder, 'setup-link.txt') },
    ]);
    expect(lines.join()).not.toMatch(SECRET);
  });

  it('uses the live key of GATEHOUSE_BOOTSTRAP_KEY, which later starts ignore', async () => {
    const installation = await install();
    const file = join(installation.directory, 'key');
    const key = `sk_live_${randomBytes(20).toString('hex')}`;
    await writeFile(file, `${key}\n`);
    const service = await installation.start({ GATEHOUSE_BOOTSTRAP_KEY_FILE: file });
    const client = createClient(service.url, key);
    expect((await client.usage()).status).toBe(200);
    const written = await firstKeys(service.dataDir);
    expect(written).toContain('GATEHOUSE_BOOTSTRAP_KEY');
    expect(written).not.toContain('sk_live_');
    client.close();
    await service.stop();
    const other = `sk_live_${randomBytes(20).toString('hex')}`;
    const second = await installation.start({ GATEHOUSE_BOOTSTRAP_KEY: other });
    const [used, unused] = [createClient(second.url, key), createClient(second.url, other)];
    expect([(await used.usage()).status, (await unused.usage()).status]).toEqual([200, 401]);
    for (const each of [used, unused]) each.close();
    expect(service.output() + second.output()).not.toMatch(SECRET);
  });

  it.concurrent.for(['SIGTERM', 'SIGINT'] as const)(
    'that gets %s during the start keeps the keys, and stops cleanly',
    { timeout: 90_000 },
    async (signal, { expect, onTestFinished }) => {
      const servers = { PORT: String(await freePort()), REDIS_URL: 'redis://127.0.0.1:9' };
      const { environment, remove } = await createInstallation(servers);
      onTestFinished(remove);
      const child = spawn(process.execPath, [BIN, 'start'], {
        cwd: ROOT,
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const ended = once(child, 'exit');
      // It listens, and waits for the shared counters.
      const url = `http://127.0.0.1:${servers.PORT}`;
      await expect.poll(() => statusOf(`${url}/healthz`), { timeout: HANG_MS }).toBe(200);
      expect(await statusOf(`${url}/readyz`)).toBe(503);
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect((await firstKeys(environment.GATEHOUSE_DATA_DIR as string)).match(KEY)).toHaveLength(3);
    },
  );

  it('that cannot listen ends with status 1 and one line, and keeps the keys for the next start', async () => {
    const { taken, port } = await takePort();
    const installation = await install();
    const failed = await gatehouse(['start'], { ...installation.environment, PORT: String(port) });
    taken.close();
    const service = await installation.spawn();
    expect((await firstKeys(service.dataDir)).match(KEY)).not.toBeNull();
    expect(failureOf(failed, 1)).toContain(String(port));
  }, 240_000);
});

describe('a start that fails', () => {
  it.each([
    ['PORT', 'http'],
    ['GATEHOUSE_DNS_SERVERS', 'dns.example.com'],
    ['GATEHOUSE_TRUST_PROXY', 'proxy'],
  ])('names the setting and the value: %s=%s', async (name, value) => {
    const { environment } = await install();
    const line = failureOf(await refusedStart({ ...environment, [name]: value }), 1);
    expect(line).toMatch(new RegExp(`^${name} must be .*${value}`));
  });

  it('prints one line for a folder that cannot be created, and for a file that is not a database', async () => {
    const { environment, directory } = await install();
    const file = resolve(directory, 'gatehouse.db');
    await writeFile(file, 'this is no database, whatever its name may say');
    const failure = async (GATEHOUSE_DATA_DIR: string) =>
      failureOf(await refusedStart({ ...environment, GATEHOUSE_DATA_DIR }), 1);
    expect(await failure(`${file}/data`)).toMatch(/^cannot make the data folder \(GATEHOUSE_DATA_DIR\): /);
    expect(await failure(directory)).toContain(file);
  });

  it('names DATABASE_URL, its host and the reason, but no password', async () => {
    const { environment } = await install();
    const DATABASE_URL = 'postgres://me:hush@127.0.0.1:9/x';
    const line =
      'DATABASE_URL: cannot use the database 127.0.0.1:9/x: connect ECONNREFUSED 127.0.0.1:9; start PostgreSQL there, or set the right host and port in the URL (5432 is usual)';
    expect(failureOf(await refusedStart({ ...environment, DATABASE_URL }), 1)).toBe(line);
    for (const command of [
      ['account', 'list'],
      ['intel', 'status'],
    ])
      expect(failureOf(await gatehouse(command, { ...environment, DATABASE_URL }), 1)).toBe(line);
  });

  it('fails every other command that needs the setting in the same way', async () => {
    const { environment } = await install();
    const commands = [
      ['account', 'list'],
      ['assess', 'jo@example.com'],
    ];
    for (const command of commands) {
      const line = failureOf(await gatehouse(command, { ...environment, GATEHOUSE_DNS_SERVERS: 'x' }), 1);
      expect(line).toMatch(/^GATEHOUSE_DNS_SERVERS must be .*"x"/);
    }
  });
});

describe('SIGHUP', () => {
  it('does not end the service, and is a line in its log', async () => {
    const installation = await install();
    const service = await installation.spawn();
    for (let at = 1; at <= 2; at += 1) {
      process.kill(service.pid, 'SIGHUP');
      await expect
        .poll(() => service.output().split('SIGHUP reads the log level').length - 1, { timeout: HANG_MS })
        .toBe(at);
      expect(await statusOf(`${service.url}/readyz`)).toBe(200);
    }
    expect(await service.stop()).toBe(0);
  });

  it('does not end a start either', async () => {
    const { environment } = await install({ GATEHOUSE_MISSPELT: 'on' });
    const child = spawn(process.execPath, [BIN, 'start'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        // The first line, before anything is opened.
        if (output === '') child.kill('SIGHUP');
        const isListening = (all: string) => all.includes('"msg":"listening"');
        if (!isListening(output) && isListening(output + text)) child.kill('SIGTERM');
        output += text;
      });
    expect(await ended).toEqual([0, null]);
    expect(output).toContain('unknown setting, ignored');
    expect(output).toContain('"msg":"listening"');
  });
});

describe('a start in a folder without an installation', () => {
  it('says loudly, with its path, that a new one begins, and later no more', async () => {
    const { environment, directory, remove } = await createInstallation({ GATEHOUSE_LOG_LEVEL: 'error' });
    const { GATEHOUSE_DATA_DIR: _, ...rest } = environment;
    const start = () =>
      spawnService({ ...rest, GATEHOUSE_LOG_LEVEL: 'info' }, [process.execPath, BIN], directory);
    const first = await start();
    expect(first.output()).toContain(
      `there is no installation in ${join(directory, 'data')}: a new one begins there`,
    );
    expect(first.output()).toContain('GATEHOUSE_DATA_DIR');
    await first.stop();
    const second = await start();
    expect(second.output()).not.toContain('there is no installation');
    await second.stop();
    await remove();
  });

  it('with --text logs lines for people, also where the output is no terminal', async () => {
    const { environment } = await install({ PORT: String(await freePort()) });
    const output = await outputUntilReady(['start', '--text'], environment);
    expect(output).toMatch(/^\d\d:\d\d:\d\d info {2}listening {2}url=http:/m);
    expect(output).not.toMatch(SECRET);
  });
});

describe('a start with a misspelt setting', () => {
  it('continues, and one line of the log says which setting may be meant', async () => {
    const installation = await install();
    const service = await installation.spawn({ GATEHOUSE_FEED: 'off', GATEHOUSE_SERVICE_HOST: '10.0.0.7' });
    const warnings = service.output().match(/"level":"warn"[^\n]*unknown setting[^\n]*/g);
    expect(warnings).toEqual([expect.stringContaining('GATEHOUSE_FEED (GATEHOUSE_FEEDS?)"')]);
  });
});

describe('from the repository root', () => {
  it('npx gatehouse openapi prints the committed document', async () => {
    const { environment } = await install();
    const env = { ...environment, HOME: process.env.HOME ?? ROOT };
    const { stdout } = await promisify(execFile)('npx', ['--no', 'gatehouse', 'openapi'], { cwd: ROOT, env });
    expect(stdout).toBe(readFileSync(resolve(ROOT, 'openapi.json'), 'utf8'));
  });
});
