/** The command line as such: help for every command, and one line and a status for every wrong use. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runCli } from '../../src/cli/cli.ts';
import { failureOf, gatehouse, ROOT } from '../support/command.ts';
import { createInstallation } from '../support/service.ts';

const COMMANDS: Record<string, readonly string[]> = {
  start: [],
  'account create': ['--name', '--plan', '--monthly-quota', '--rps'],
  'account set': ['--plan', '--overage', '--challenge', '--block', '--monthly-quota', '--rps', '--name'],
  'account list': [],
  'key create': ['--account', '--mode', '--name', '--challenge', '--block'],
  'key set': ['--challenge', '--block', '--name'],
  'key revoke': [],
  'key list': ['--account'],
  'list add': ['--account', '--allow', '--deny', '--reason', '--author', '--expires', '--wide'],
  'list remove': ['--account'],
  'list show': ['--account'],
  'policy export': ['--account'],
  'policy test': ['--cases', '--cases-only', '--junit'],
  'policy apply': ['--yes', '--prune'],
  'intel status': [],
  'intel refresh': ['--any-size'],
  'intel import': [],
  'intel export': [],
  'intel check': [],
  'intel rollback': [],
  'intel use': [],
  'intel keep': [],
  'recall run': ['--account'],
  'recall show': ['--account'],
  'recall list': ['--account', '--verdict', '--cause'],
  'recall dismiss': ['--account'],
  'user link': ['--new-operator'],
  'user list': [],
  assess: ['--ip', '--explain'],
  mirror: ['--columns', '--map', '--threshold-for-scores', '--account', '--dns', '--show-addresses', '--out'],
  scan: ['--columns', '--dns', '--html', '--show-addresses'],
  migrate: ['--to'],
  openapi: [],
};
const ACCOUNT = ['account', 'create', '--name', 'x'];
const LIST = ['list', 'add', '--account', 'acc_x'];
const KEY = ['key', 'create', '--account', 'acc_x', '--name', 'x'];

/** Commands only print, so the tests capture their streams. */
let printed: { stdout: string; stderr: string };
beforeEach(() => {
  printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += text;
      return true;
    });
  }
});
afterEach(() => vi.restoreAllMocks());

/** Parsing needs no separate process; the effects of commands are tested in one. */
async function run(...args: string[]) {
  const status = await runCli(args);
  return { status, ...printed };
}

describe('--help', () => {
  it.each(Object.entries(COMMANDS))(
    'of %s names its options, --json among them',
    async (command, options) => {
      const { status, stdout, stderr } = await run(...command.split(' '), '--help');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain(`Usage: gatehouse ${command}`);
      for (const option of [...options, '--json', '--help']) expect(stdout).toContain(option);
    },
  );

  it.each([
    ['', ['start', 'account', 'key', 'list', 'intel', 'user', 'assess', 'migrate', 'openapi']],
    ['account', ['create', 'set', 'list']],
    ['key', ['create', 'set', 'revoke', 'list']],
    ['list', ['add', 'remove', 'show']],
    ['intel', ['status', 'refresh', 'import', 'export', 'check', 'rollback', 'use', 'keep']],
    ['recall', ['run', 'show', 'list', 'dismiss']],
    ['user', ['link', 'list']],
  ])('of gatehouse %s names its commands', async (group, commands) => {
    const { status, stdout } = await run(...group.split(' ').filter(Boolean), '--help');
    expect(status).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });
});

it('--version prints the version alone', async () => {
  const { status, stdout } = await run('--version');
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
});

describe('wrong usage is one line on standard error and status 2', () => {
  it.each<[string[], string]>([
    [['nonsense'], 'nonsense'],
    [['acount', 'list'], 'acount'],
    [['account', 'nonsense'], 'nonsense'],
    [['key', 'nonsense'], 'nonsense'],
    [['--nonsense'], '--nonsense'],
    [['start', 'now'], 'start'],
    [['account', 'create', '--plan', 'free'], '--name'],
    [ACCOUNT, '--plan'],
    [[...ACCOUNT, '--plan', 'gold'], 'gold'],
    [['account', 'create', '--name', '  ', '--plan', 'free'], '--name'],
    [['account', 'create', '--name', 'a\nb', '--plan', 'free'], '--name'],
    [['account', 'create', '--name', 'x'.repeat(101), '--plan', 'free'], '--name'],
    [[...ACCOUNT, '--plan', 'free', '--rps', '0'], '--rps'],
    [[...ACCOUNT, '--plan', 'free', '--rps', '1.5'], '--rps'],
    [[...ACCOUNT, '--plan', 'free', '--monthly-quota', '-1'], '--monthly-quota'],
    [[...ACCOUNT, '--plan', 'free', '--monthly-quota', '1e3'], '--monthly-quota'],
    [[...ACCOUNT, '--plan', 'free', '--monthly-quota', ''], '--monthly-quota'],
    [['account', 'set'], 'id'],
    [['account', 'set', 'acc_x', '--overage', 'maybe'], 'maybe'],
    [['account', 'set', 'acc_x', '--challenge', '0'], '--challenge'],
    [['account', 'set', 'acc_x', '--block', '101'], '--block'],
    [['account', 'set', 'acc_x', 'acc_y'], 'set'],
    [['account', 'list', '--all'], '--all'],
    [['key', 'create', '--mode', 'live', '--name', 'x'], '--account'],
    [KEY, '--mode'],
    [['key', 'create', '--account', 'acc_x', '--mode', 'live'], '--name'],
    [[...KEY, '--mode', 'prod'], 'prod'],
    [['key', 'set'], 'id'],
    [['key', 'set', 'key_x', '--block', 'many'], '--block'],
    [['key', 'revoke'], 'id'],
    [['key', 'revoke', 'key_x', 'key_y'], 'revoke'],
    [['key', 'list'], '--account'],
    [['list', 'add', '--deny', 'example.com'], '--account'],
    [LIST, '--allow'],
    [[...LIST, '--allow', 'example.com', '--deny', 'example.com'], '--deny'],
    [[...LIST, '--deny', 'nonsense'], 'nonsense'],
    [[...LIST, '--deny', '203.0.113.7/24'], '203.0.113.0/24'],
    [[...LIST, '--deny', '10.0.0.1'], 'public'],
    [[...LIST, '--deny', 'UK'], 'GB'],
    [[...LIST, '--deny', 'example.com', '--expires', 'soon'], '--expires'],
    [[...LIST, '--deny', 'example.com', '--expires', '2020-01-01'], '--expires'],
    [[...LIST, '--deny', 'example.com', '--expires', '2999-02-30'], '--expires'],
    [[...LIST, '--deny', 'example.com', '--reason', 'a\nb'], '--reason'],
    [['list', 'remove', '--account', 'acc_x'], 'entry'],
    [['list', 'remove', 'lst_x'], '--account'],
    [['list', 'show'], '--account'],
    [['intel', 'status', 'now'], 'status'],
    [['intel', 'import'], 'dir'],
    [['intel', 'export'], 'dir'],
    [['intel', 'check'], 'what'],
    [['intel', 'rollback'], 'id'],
    [['intel', 'use'], 'id'],
    [['intel', 'keep'], 'id'],
    [['intel', 'rollback', 'a', 'b'], 'rollback'],
    [['policy', 'test'], 'file'],
    [['policy', 'apply'], 'file'],
    [['policy', 'export', 'a.yaml', 'b.yaml'], 'export'],
    [['user', 'link', 'jo@example.com', '--new-operator'], '--new-operator'],
    [['user', 'list', 'all'], 'list'],
    [['assess'], 'email'],
    [['assess', 'jo@example.com', 'al@example.com'], 'assess'],
    [['assess', 'jo@example.com', '--verbose'], '--verbose'],
    [['assess', 'jo@example.com', '--ip'], '--ip'],
    [['openapi', 'yaml'], 'openapi'],
  ])('gatehouse %j', async (args, named) => {
    expect(failureOf(await run(...args), 2)).toContain(named);
  });

  it.each([
    [[], 'gatehouse --help'],
    [['account'], 'gatehouse account --help'],
    [['key'], 'gatehouse key --help'],
    [['list'], 'gatehouse list --help'],
    [['policy'], 'gatehouse policy --help'],
    [['intel'], 'gatehouse intel --help'],
    [['user'], 'gatehouse user --help'],
    [['help', 'nonsense'], 'gatehouse --help'],
  ])('gatehouse %j, without a command, names the help that lists the commands', async (args, help) => {
    expect(failureOf(await run(...args), 2)).toBe(`a command is missing; \`${help}\` shows them`);
  });

  it('which does not repeat the password of a database', async () => {
    const { status, stderr } = await run('migrate', '--to', 'mysql://gatehouse:hunter2@db/gatehouse');
    expect(status).toBe(2);
    expect(stderr).toContain('--to must be a URL like postgres://');
    expect(stderr).not.toContain('hunter2');
  });

  it('also for the shell', async () => {
    const { environment, remove } = await createInstallation();
    expect(failureOf(await gatehouse(['nonsense'], environment), 2)).toContain('nonsense');
    await remove();
  });
});

describe('output that its reader has closed', () => {
  it('does not stop the command, and causes no message', async () => {
    const child = spawn(process.execPath, [resolve(ROOT, 'bin/gatehouse.js'), '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    expect([await once(child, 'close'), output]).toEqual([[0, null], '']);
  });
});
