/** A newcomer who follows the README of a client to the letter, from an empty folder beside a clone: the program is saved, installed and started, and does what its comments say, also after Gatehouse was stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type CodeBlock, codeBlocks } from '../../examples/test/code-blocks.ts';
import { ROOT } from '../support/command.ts';
import { SYSTEMS } from '../support/debian-suites.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

interface Newcomer {
  readonly client: string;
  /** Language of the block, and the file that the README names. */
  readonly block: string;
  readonly file: string;
  /** For the commands of the README. */
  readonly packages: readonly string[];
  readonly check: string;
  /** Keeps what it installs inside the folder, and away from registries. */
  environment(folder: string): Readonly<Record<string, string>>;
}

const POLL_MS = 100;
const NEWCOMERS: readonly Newcomer[] = [
  {
    client: 'python',
    block: 'python',
    file: 'signup.py',
    packages: ['python3-venv', 'python3-setuptools-whl', 'python3-wheel-whl'],
    check: '/usr/bin/python3 -c "import ensurepip, venv" && ls /usr/share/python-wheels/wheel-*',
    // The wheels fit Debian's own Python, which need not be the first one.
    environment: () => ({
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: '/usr/share/python-wheels',
      PATH: `/usr/bin:${process.env.PATH}`,
    }),
  },
  {
    client: 'go',
    block: 'go',
    file: 'main.go',
    packages: ['golang-go'],
    check: 'go version',
    // Go itself is compiled once.
    environment: () => ({
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      GOCACHE: join(homedir(), '.cache/go-build'),
    }),
  },
  {
    client: 'php',
    block: 'php',
    file: 'signup.php',
    packages: ['php-cli', 'php-curl', 'composer'],
    check: `php -r 'exit(function_exists("curl_init") ? 0 : 1);' && composer --version`,
    environment(folder) {
      writeFileSync(join(folder, 'config.json'), '{ "repositories": { "packagist.org": false } }');
      return { COMPOSER_HOME: folder, COMPOSER_ALLOW_SUPERUSER: '1' };
    },
  },
  {
    client: 'ruby',
    block: 'ruby',
    file: 'signup.rb',
    packages: ['ruby', 'ruby-bundler'],
    check: 'ruby -e "require %(net/http)" && bundle --version',
    environment: () => ({ BUNDLE_SILENCE_ROOT_WARNING: '1' }),
  },
];

const present = SYSTEMS.flatMap((system) =>
  NEWCOMERS.flatMap((newcomer) => {
    const { client, packages, check } = newcomer;
    const runtime = { packages, programs: ['sh'], check: ['-c', check] };
    const shell = system.findProgram(runtime, `clients/${client}/README.md`);
    return shell === undefined
      ? []
      : [{ ...newcomer, system, shell, title: `${client} ${system.name}`.trim() }];
  }),
);

let scene: Scene;
let proxy: TcpProxy;
beforeAll(async () => {
  scene = await startScene();
  proxy = await startTcpProxy(`127.0.0.1:${scene.service.port}`);
});
afterAll(async () => {
  await proxy?.close();
  await scene?.end();
});

describe.each(present)('clients/$title', ({ client, block, file, environment, system, shell }) => {
  it('protects a form', { timeout: 600_000 }, async () => {
    const beside = mkdtempSync(join(system.temporary, 'gatehouse-first-'));
    onTestFinished(() => rmSync(beside, { recursive: true, force: true }));
    const [folder, home] = [join(beside, 'shop'), join(beside, 'home')];
    mkdirSync(folder);
    mkdirSync(home);
    // A copy: what is installed from it may be built in it.
    cpSync(join(ROOT, 'clients'), join(beside, 'gatehouse/clients'), { recursive: true });
    const page = `clients/${client}/README.md`;
    const text = readFileSync(join(ROOT, page), 'utf8');
    expect(text).toContain(`Save it as \`${file}\``);
    const [program, commands, tries] = firstBlocks(page, block);
    const port = await findPort();
    const literally = (line: string) =>
      line
        .replaceAll(':8000', `:${port}`)
        .replace('"8000"', `"${port}"`)
        .replace('http://127.0.0.1:8080', `http://127.0.0.1:${proxy.port}`)
        .replace('sk_test_…', scene.account.test);
    writeFileSync(join(folder, file), `${literally(program.text)}\n`);
    const started = start(shell, literally(commands.text), folder, { HOME: home, ...environment(home) });
    while (!(await isOpen(port))) {
      if (started.hasEnded()) throw new Error(`${page}: its commands ended:\n${started.log()}`);
      await setTimeout(POLL_MS);
    }
    const signups = [...tries.text.matchAll(/^curl -d email=(\S+) (\S+) +# (.+)$/gm)];
    expect(signups).toHaveLength(3);
    const signUp = async (email: string, url: string) => {
      const response = await fetch(literally(url), { method: 'POST', body: new URLSearchParams({ email }) });
      return `${response.status} ${(await response.text()).trim()}`;
    };
    for (const [at, [, email = '', url = '', answer]] of signups.entries())
      expect(await signUp(email, url)).toBe(`${[201, 202, 403][at]} ${answer}`);
    const [, email = '', url = ''] = signups.at(-1) ?? [];
    expect(await signUp('no address', url)).toBe('400 Please check your email address.');
    expect(started.log()).not.toContain('no verdict for a signup');
    proxy.drop();
    onTestFinished(() => proxy.flow());
    expect(text).toContain('stop Gatehouse and send the last one again: `Welcome.`');
    expect(await signUp(email, url)).toBe('201 Welcome.');
    await expect.poll(started.log).toContain('no verdict for a signup');
  });
});

/** The first program of a page, and the two blocks of commands after it. */
function firstBlocks(page: string, language: string): readonly [CodeBlock, CodeBlock, CodeBlock] {
  const blocks = codeBlocks(page);
  const at = blocks.findIndex((each) => each.language === language);
  const [program, commands, tries] = blocks.slice(at);
  if (program === undefined || commands?.language !== 'sh' || tries?.language !== 'sh')
    throw new Error(`${page} has no program with two blocks of commands`);
  return [program, commands, tries];
}

/** Types commands into a shell, which ends with the test and takes all that it started along. */
function start(shell: string, commands: string, cwd: string, environment: object) {
  const child: ChildProcess = spawn(shell, ['-ec', commands], {
    cwd,
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-(child.pid ?? 0));
    await once(child, 'close');
  });
  return { log: () => log, hasEnded: () => child.exitCode !== null || child.signalCode !== null };
}

/** A form that says nothing in the log. */
async function isOpen(port: number): Promise<boolean> {
  try {
    const body = new URLSearchParams({ email: 'jo@example.com' });
    await fetch(`http://127.0.0.1:${port}/signup`, { method: 'POST', body });
    return true;
  } catch {
    return false;
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
