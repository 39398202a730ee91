/** Runs each code block of the documents as a reader would, with the names of a real account instead of `…`. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { sitePages } from '../../scripts/site-pages.mjs';
import { install } from '../../scripts/system-package.mjs';
import { MANAGE_SCOPES } from '../../src/model/manage-token.ts';
import { aLearnedCampaign } from '../../test/support/a-campaign.ts';
import { BIN, ROOT } from '../../test/support/command.ts';
import { startFeedServer, type TestFeedServer } from '../../test/support/feed-server.ts';
import { useFeeds } from '../../test/support/feeds-file.ts';
import { plant, plantTokens } from '../../test/support/plant.ts';
import { type Scene, startScene } from '../../test/support/scene.ts';
import { createInstallation, type Environment, type Installation } from '../../test/support/service.ts';
import { newDatabase } from '../../test/support/shared-servers.ts';
import { withStored } from '../../test/support/stored.ts';
import { type CodeBlock, codeBlocks, commandsOf } from './code-blocks.ts';

const run = promisify(execFile);
const blocks = sitePages()
  .flatMap((group) => group.pages)
  // Its blocks show how the code is built; tests of the dashboard check that.
  .filter((page) => page !== 'dashboard/README.md')
  .flatMap(codeBlocks);
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const EXAMPLE_FILES = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => /\.(?:js|mjs|ts|tsx|py|rb|php|java|go|cs)$/.test(file) && !/node_modules|^test\//.test(file),
  )
  .map((file) => readFileSync(join(ROOT, 'examples', file), 'utf8'));
/** Each has its own check below. */
const CODE = ['js', 'ts', 'tsx', 'vue', 'svelte', 'astro', 'python', 'ruby', 'php', 'java', 'go', 'csharp'];
const LANGUAGES = ['sh', 'json', 'yaml', 'jsonnet', 'ini', 'nginx', 'csv', 'text', ...CODE];
/** Their blocks are run by test/packages/client-package.test.ts or test/clients, or are the examples' own code by test/examples-layers.test.ts. */
const CODE_PAGES = /^(?:client\/README|clients\/\w+\/README|docs\/(?:client|protect-[\w-]+))\.md$/;
/** Their commands are run by test/clients/first-programs.test.ts. */
const CLIENTS = /^clients\/\w+\/README\.md$/;
/** Their blocks of code are run by the last tests here. */
const RUN_BELOW = ['docs/webhooks.md', 'docs/mistakes.md'];

describe('the code blocks', () => {
  let scene: Scene;
  let feeds: TestFeedServer;
  let folder: string;
  let token: string;
  /** Page → the environment that its commands need. */
  const environments: Record<string, Environment> = {};
  const others: Installation[] = [];
  beforeAll(async () => {
    [feeds, scene] = await Promise.all([
      startFeedServer(),
      startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' } }),
    ]);
    folder = join(scene.installation.directory, 'reader');
    token = (await plantTokens(scene.installation, { scopes: MANAGE_SCOPES }))[0]?.text as string;
    mkdirSync(folder);
    // `npx gatehouse-server` is the package; the shell of these tests finds the build under its name.
    const npx = `#!/bin/sh\n[ "$1" = gatehouse-server ] && shift && exec "${process.execPath}" "${BIN}" "$@"\n`;
    writeFileSync(join(folder, 'npx'), npx, { mode: 0o755 });
    // The list of users that a reader has.
    writeFileSync(join(folder, 'users.csv'), 'email\nann@harbour.com\nbob@mailinator.com\n');
    environments['docs/feeds.md'] = await withTwoVersions();
    environments['docs/upgrade.md'] = (await stopped()).environment;
    // Entries that other pages put on lists stop everyday people, and the test of this page says so.
    environments['docs/policy.md'] = (await stopped()).environment;
    const { GATEHOUSE_DNS_SERVERS = '' } = scene.installation.environment;
    environments['docs/backup.md'] = { ...(await stopped()).environment, GATEHOUSE_DNS_SERVERS };
  });
  afterAll(async () => {
    await Promise.all([scene?.end(), feeds?.close(), ...others.map((other) => other.remove())]);
  });

  it('are in languages that the tests check', () => {
    const unknown = blocks.filter(({ language }) => !LANGUAGES.includes(language));
    expect(unknown.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  });

  it.each(blocksIn('sh').filter(({ page }) => !CLIENTS.test(page)))('$page:$line runs', async (block) => {
    const commands = commandsOf(block);
    expect(commands.length).toBeGreaterThan(0);
    for (const { text } of commands) {
      const script = /^npm run (\S+)/.exec(text)?.[1];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    }
    const runnable = commands.filter(({ notRun }) => notRun === undefined);
    for (const { text } of runnable)
      expect(text).toMatch(/^(?:(?:GATEHOUSE_DATA_DIR=\S+ )?npx gatehouse-server|curl|umask|sqlite3|cp) /);
    if (runnable.length === 0) return;
    writeSample(block);
    if (block.text.includes('sqlite3 ')) programOf('sqlite3', 'sqlite3');
    const script = ['set -e', ...runnable.map(({ text }) => text)].join('\n');
    const { stdout } = await run('bash', ['-c', await withNames(script)], {
      cwd: folderOf(block),
      env: {
        ...scene.installation.environment,
        ...environments[block.page],
        PATH: `${folder}:${process.env.PATH}`,
        GATEHOUSE_URL: scene.service.url,
        GATEHOUSE_KEY: scene.account.live,
        GATEHOUSE_TOKEN: token,
      },
    });
    const next = blocks[blocks.indexOf(block) + 1];
    if (next?.page !== block.page || next.section !== block.section) return;
    if (next.language === 'text') expect(squeeze(stdout)).toContain(squeeze(next.text));
    if (next.language === 'json') expect(shapeOf(JSON.parse(stdout))).toEqual(shapeOf(JSON.parse(next.text)));
  });

  it.each(blocksIn('yaml'))('$page:$line is YAML', ({ text }) => {
    expect(parseDocument(text, { strict: true }).errors).toEqual([]);
  });

  it.each(blocksIn('jsonnet'))('$page:$line makes the body of a hook', async ({ text }) => {
    const program = programOf('jsonnet', 'jsonnet');
    const context = JSON.stringify({
      identity: { traits: { email: 'jo@example.com' }, metadata_admin: { plan: 'pro' } },
      request_headers: { 'True-Client-Ip': ['203.0.113.7'] },
    });
    const { stdout } = await run(program, ['--tla-code', `ctx=${context}`, '-e', text]);
    expect(JSON.parse(stdout)).toEqual({
      email: 'jo@example.com',
      ip: '203.0.113.7',
      metadata_admin: { plan: 'pro' },
      brought_by: null,
    });
  });

  it.each(blocksIn('nginx'))('$page:$line is accepted by nginx', async ({ text }) => {
    const program = programOf('nginx', 'nginx-light');
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-nodes', '-subj', '/CN=hooks.example.com', '-keyout', key, '-out', certificate];
    await run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      ...subject,
    ]);
    const tls = `ssl_certificate ${certificate}; ssl_certificate_key ${key};`;
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, `events {}\npid ${folder}/nginx.pid;\nhttp {\n${tls}\n${text}\n}\n`);
    const { stderr } = await run(program, ['-t', '-c', file]);
    expect(stderr).toContain('test is successful');
  });

  it.each(blocksIn('json'))('$page:$line is JSON', ({ text }) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(blocksIn(...CODE))('$page:$line is code that a test runs', ({ page, text }) => {
    if (CODE_PAGES.test(page) || RUN_BELOW.includes(page)) return;
    expect(EXAMPLE_FILES.some((file) => squeeze(file).includes(squeeze(text)))).toBe(true);
  });

  it('docs/webhooks.md: takes what Standard Webhooks signed, and nothing else', async () => {
    const file = join(folder, 'is-from-gatehouse.mjs');
    writeFileSync(file, codeOf('docs/webhooks.md'));
    const { isFromGatehouse } = (await import(file)) as {
      isFromGatehouse(secret: string, headers: Record<string, string>, body: string): boolean;
    };
    const [secret, other] = ['whsec_c2VjcmV0LW9mLXRlc3Rz', 'whsec_b3RoZXItc2VjcmV0LXg='];
    const body = '{"type":"alert.opened"}';
    const headersOf = (at: Date, ...secrets: string[]) => ({
      'webhook-id': 'evt_1',
      'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
      'webhook-signature': secrets.map((each) => new Webhook(each).sign('evt_1', at, body)).join(' '),
    });
    const now = new Date();
    const isTaken = (headers: Record<string, string>, text = body) => isFromGatehouse(secret, headers, text);
    expect([isTaken(headersOf(now, secret)), isTaken(headersOf(now, other, secret))]).toEqual([true, true]);
    expect(isTaken(headersOf(now, other))).toBe(false);
    expect(isTaken(headersOf(now, secret), `${body} `)).toBe(false);
    expect(isTaken(headersOf(new Date(now.getTime() - 600_000), secret))).toBe(false);
    expect(isTaken({})).toBe(false);
  });

  it('docs/mistakes.md: shows a link to somebody who was stopped', async () => {
    const { Gatehouse } = await import('../../client/src/gatehouse.ts');
    const gatehouse = new Gatehouse({ key: scene.account.live, url: scene.service.url });
    let appealUrl = '';
    const show = (page: { readonly appealUrl: string }) => {
      appealUrl = page.appealUrl;
    };
    const names = ['gatehouse', 'request', 'email', 'showStoppedPage'];
    const call = new Function(...names, `return (async () => {${codeOf('docs/mistakes.md')}})();`);
    await call(gatehouse, new Request('https://shop.example/'), 'x@mailinator.com', show);
    expect(appealUrl).toMatch(/\/appeal\/#\S+$/);
    appealUrl = '';
    await call(gatehouse, new Request('https://shop.example/'), 'walter.brandt@gmx.de', show);
    expect(appealUrl).toBe('');
  });

  /** An installation that fetched each feed twice, so that it can roll back. */
  async function withTwoVersions(): Promise<Environment> {
    const installation = await stopped();
    await useFeeds(installation, {
      'tor-exits': { url: `${feeds.url}tor` },
      'vpn-ipv4': { url: `${feeds.url}vpn` },
    });
    for (const last of [59, 60]) {
      feeds.set('tor', {
        body: linesOf(last * 10, (index) => `185.220.${100 + (index >> 8)}.${index & 255}`),
      });
      feeds.set('vpn', {
        body: linesOf(last * 100, (index) => `45.${index >> 8}.${index & 255}.0/24`),
      });
      await installation.json('intel', 'refresh');
    }
    return installation.environment;
  }

  /** An installation that has run once. */
  async function stopped(): Promise<Installation> {
    const installation = await createInstallation();
    others.push(installation);
    await plant(installation);
    await (await installation.start()).stop();
    return installation;
  }

  /** Replaces placeholders of a page with names of this installation. */
  async function withNames(script: string): Promise<string> {
    const { installation, service, account, live } = scene;
    const names: [string, () => string | Promise<string>][] = [
      ['/somewhere/else/', () => `${folder}/`],
      ['acc_…', () => account.id],
      ['dst_…', () => newDestination(installation, account.id)],
      ['cmp_…', () => newCampaign(installation, account.id)],
      ['key_…', async () => (await installation.key(account.id, 'live')).id],
      ['sk_live_…', () => account.live],
      ['sk_test_…', () => account.test],
      ['req_…', async () => (await live.assess({ email: 'jo@example.com' })).json.request_id],
      ['http://127.0.0.1:8080', () => service.url],
      ['postgres://gatehouse:…@db.internal/gatehouse', newDatabase],
      ['req_01k0…', async () => (await live.assess({ email: 'jo@gmial.com' })).json.request_id],
      ['gct.01k0…', async () => (await live.assess({ email: 'jo@gmial.com' })).json.challenge?.token ?? ''],
    ];
    for (const [name, value] of names)
      if (script.includes(name)) script = script.replaceAll(name, await value());
    expect(script).not.toContain('…');
    return script;
  }

  /** The CSV or YAML block just before a command is the file that the command names. */
  /** A page about an installation calls its data folder `data`. */
  function folderOf({ page }: CodeBlock): string {
    const own = environments[page]?.GATEHOUSE_DATA_DIR;
    return own === undefined ? folder : dirname(own);
  }

  function writeSample(block: CodeBlock): void {
    const before = blocks[blocks.indexOf(block) - 1];
    const name = /(\S+\.(?:csv|yaml))\b/.exec(block.text)?.[1];
    if (before?.page === block.page && name?.endsWith(`.${before.language}`))
      writeFileSync(join(folderOf(block), name), before.text);
  }
});

async function newDestination(installation: Installation, accountId: string): Promise<string> {
  const url = 'https://hooks.shop.example/gatehouse';
  const added = await installation.json(
    'webhook',
    'add',
    '--account',
    accountId,
    '--name',
    'fraud team',
    '--url',
    url,
  );
  return (added as { id: string }).id;
}

async function newCampaign(installation: Installation, accountId: string): Promise<string> {
  const campaign = aLearnedCampaign(accountId, 'postfarm.example');
  await withStored(installation, (store) => store.saveLearned(campaign));
  return campaign.id;
}

/** Installs it first if it is missing. */
function programOf(name: string, packageName: string): string {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
  const there = () => folders.map((path) => join(path, name)).find((path) => existsSync(path));
  const why = there() === undefined ? install(packageName) : undefined;
  return there() ?? expect.fail(`install ${packageName}: ${why}`);
}

/** The one block of code of a page. */
function codeOf(page: string): string {
  const [block, ...others] = blocksIn(...CODE).filter((each) => each.page === page);
  if (block === undefined || others.length > 0) throw new Error(`${page} has not exactly one block of code`);
  return block.text;
}

function blocksIn(...languages: string[]): CodeBlock[] {
  return blocks.filter(({ language }) => languages.includes(language));
}

function linesOf(count: number, toLine: (index: number) => string): string {
  return `${Array.from({ length: count }, (_, index) => toLine(index)).join('\n')}\n`;
}

/** Names of members and types of values, which a reader may rely on. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
