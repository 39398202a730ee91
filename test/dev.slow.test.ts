/** `npm run dev`: runs a copy of the sources, shows a change of the service and of a page, and ends everything at Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from './support/command.ts';
import { until } from './support/expectations.ts';

const COPIED = ['dashboard', 'demo', 'package.json', 'scripts', 'src', 'tsconfig.json'];
const LINKED = ['dist', 'node_modules'];

let folder: string;
let dev: ChildProcess;
let output = '';
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'));
  const filter = (path: string) => !path.endsWith('node_modules');
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter });
  for (const path of LINKED) symlinkSync(join(ROOT, path), join(folder, path));
  // A group of its own, as a terminal gives to each command.
  dev = spawn('npm', ['run', 'dev', '--', '--port', '0', '--assessments', '100'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const part of [dev.stdout, dev.stderr])
    part?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await until(() => dev.exitCode !== null || /Stop +Ctrl-C/.test(output));
  url = /Open +(\S+)/.exec(output)?.[1] as string;
});

afterAll(() => {
  if (dev?.pid !== undefined && dev.exitCode === null && dev.signalCode === null)
    process.kill(-dev.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string) => (await fetch(new URL(path, url))).text();

function edit(path: string, from: string, to: string): void {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

it('says what to open, and how to sign in there', async () => {
  expect(await get('/')).toContain('<div id="root"></div>');
  const [, email] = /Sign in as +(\S+),/.exec(output) ?? [];
  const [, password] = /Password +(\S+)/.exec(output) ?? [];
  const answer = await fetch(new URL('/dashboard/auth/sign-in/email', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Gatehouse': 'dashboard', Origin: new URL(url).origin },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
});

it('starts the service again with what was changed', async () => {
  expect(await get('/healthz')).toBe('{"status":"ok"}');
  edit('src/http/health.ts', '{"status":"ok"}', '{"status":"changed"}');
  await expect.poll(() => get('/healthz')).toBe('{"status":"changed"}');
  expect(output).toContain('src/http/health.ts changed');
});

it('keeps the service while a file has a mistake, and says where', async () => {
  edit('src/http/health.ts', '{"status":"changed"}', '{"status":"mended"}');
  edit('src/http/health.ts', 'const OK = 200;', 'const OK = ;');
  await expect.poll(() => output).toMatch(/dev: src\/http\/health\.ts: .*\n[\s\S]*health\.ts:\d+/);
  expect(await get('/healthz')).toBe('{"status":"changed"}');
  edit('src/http/health.ts', 'const OK = ;', 'const OK = 200;');
  await expect.poll(() => get('/healthz')).toBe('{"status":"mended"}');
});

it('serves a page as it was changed', async () => {
  edit('dashboard/src/main.tsx', 'The page has no #root.', 'Changed.');
  await expect.poll(() => get('/src/main.tsx')).toContain('Changed.');
});

it('ends everything at Ctrl-C', async () => {
  const { pid } = JSON.parse(readFileSync(join(folder, 'dev-data/data/service.json'), 'utf8')) as {
    pid: number;
  };
  const ended = once(dev, 'exit');
  process.kill(-(dev.pid as number), 'SIGINT');
  await ended;
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  await expect(get('/')).rejects.toThrow();
});
