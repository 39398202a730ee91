/** Text from files, from the network and from other people reaches the terminal of whoever runs a command: it never controls it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFeedServer, type TestFeedServer } from '../support/feed-server.ts';
import { useFeeds } from '../support/feeds-file.ts';
import { plant, plantKey } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const ESC = '\u001b';
/** The title of the window, an erased line, a link, C1, a bell, a carriage return, a bidi override, another end of a line. */
const HOSTILE = `x${ESC}]0;owned\u0007${ESC}[2K${ESC}]8;;http://evil.example${ESC}\\y\u009b31m\u009d0;z\u009c\r\u202egpj\u2066\u2028`;
/** Only line ends and tabs may be left. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be left
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

let installation: Installation;
let server: TestFeedServer;
let account: string;
beforeAll(async () => {
  server = await startFeedServer();
  installation = await createInstallation();
  account = (await plant(installation, { name: `firm ${HOSTILE}` })).id;
  await plantKey(installation, account, 'live', { name: `key ${HOSTILE}` });
  await (await installation.start()).stop();
});
afterAll(async () => {
  await installation?.remove();
  await server?.close();
});

async function printed(...args: string[]): Promise<{ status: number | null; text: string }> {
  const { status, stdout, stderr } = await installation.run(...args);
  const text = stdout + stderr;
  expect(text).not.toMatch(CONTROLS);
  return { status, text };
}

function fileOf(name: string, text: string): string {
  const file = join(installation.directory, name);
  writeFileSync(file, text);
  return file;
}

it.each([
  ['a header that has no address', `${HOSTILE},b\n1,2\n`],
  ['a header with another separator', `${HOSTILE};b;c\n1;2;3\n`],
  ['a header in quotes', `"${HOSTILE}","b"\n1,2\n`],
  ['JSON', `${JSON.stringify({ [HOSTILE]: 1 })}\n`],
  ['broken JSON', `{"${HOSTILE}\n`],
  ['verdicts that are none', `email,verdict\njo@example.com,${HOSTILE.replace('\u2028', '')}\n`],
])('mirror shows %s', async (_, text) => {
  await printed('mirror', fileOf('export.csv', text));
});

it('mirror shows the names of columns that it was given, and of a file that is not there', async () => {
  const file = fileOf('good.csv', 'email,verdict\njo@example.com,allow\n');
  expect((await printed('mirror', file, '--columns', `ip=${HOSTILE}`)).status).toBe(1);
  expect((await printed('mirror', `${file}${HOSTILE}`)).status).toBe(1);
  expect((await printed('mirror', file, '--columns', HOSTILE)).status).toBe(2);
});

it.each([
  [['account', 'list']],
  [['key', 'list', '--account', 'ACCOUNT']],
  [['audit', 'list', '--account', 'ACCOUNT']],
])('%j shows names that people chose', async (words) => {
  const args = words.map((word) => (word === 'ACCOUNT' ? account : word));
  for (const form of ['--json', '--text']) await printed(...args, form);
});

it('a name is in one row of a table', async () => {
  const { text } = await printed('account', 'list', '--text');
  const rows = text.split('\n').filter((line) => line.includes(account));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain('x\\u001b]0;owned\\u0007');
});

it('JSON means the same', async () => {
  const { stdout } = await installation.run('account', 'list', '--json');
  expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toContain(`firm ${HOSTILE}`);
});

it.each([
  [[HOSTILE]],
  [['account', HOSTILE]],
  [['account', 'list', `--${HOSTILE}`]],
  [['account', 'create', '--plan', HOSTILE, '--name', 'a']],
  [['key', 'revoke', HOSTILE]],
  [['assess', `${HOSTILE}@example.com`]],
  [['assess', 'jo@example.com', '--ip', HOSTILE]],
  [['list', 'add', '--account', 'ACCOUNT', '--deny', HOSTILE]],
  [['list', 'add', '--account', HOSTILE, '--deny', 'a.example']],
  [['hook', 'create', '--account', 'ACCOUNT', '--provider', HOSTILE, '--name', 'a']],
  [['intel', 'refresh', HOSTILE]],
  [['intel', 'check', HOSTILE]],
  [['intel', 'import', `/tmp/${HOSTILE}`]],
  [['backup', `/nowhere/${HOSTILE}`]],
  [['restore', `/nowhere/${HOSTILE}`]],
  [['restore', '--check', `/nowhere/${HOSTILE}`]],
  [['user', 'link', HOSTILE]],
  [['privacy', 'export', '--account', 'ACCOUNT', '--email', HOSTILE]],
] as const)('the error of %j is one line', async (words) => {
  const args = words.map((word) => (word === 'ACCOUNT' ? account : word));
  const { stdout, stderr } = await installation.run(...args);
  expect(stdout + stderr).not.toMatch(CONTROLS);
  if (stderr.startsWith('gatehouse: ')) expect(stderr.split('\n')).toHaveLength(2);
});

it('what a publisher answers, and a file of feeds, are shown', async () => {
  server.set('list', { status: 302, redirectTo: 'ftp://nowhere/' });
  server.set('noise', { body: `${HOSTILE}\n`.repeat(40) });
  await useFeeds(installation, {
    'disposable-curated': { url: `${server.url}list`, enabled: true },
    'tor-exits': { url: `${server.url}noise`, enabled: true },
  });
  await printed('intel', 'refresh');
  for (const form of ['--json', '--text']) await printed('intel', 'status', form);
  await printed('doctor', '--json');
  const file = fileOf('odd.json', JSON.stringify({ [HOSTILE]: { url: HOSTILE } }));
  installation.environment.GATEHOUSE_FEEDS_FILE = file;
  expect((await printed('intel', 'status')).status).toBe(1);
  expect((await printed('doctor')).text).toContain('feeds');
  delete installation.environment.GATEHOUSE_FEEDS_FILE;
});

it.each(['GATEHOUSE_LOG_LEVEL', 'GATEHOUSE_DNSBL_IP', 'NO_PROXY', 'GATEHOUSE_FEEDS_FILE'])(
  'a value of %s that is quoted in an error is shown',
  async (name) => {
    const { environment } = installation;
    Object.assign(environment, { [name]: HOSTILE, HTTP_PROXY: 'http://127.0.0.1:9' });
    expect((await printed('account', 'list')).status).toBe(1);
    for (const set of [name, 'HTTP_PROXY']) delete environment[set];
  },
);
