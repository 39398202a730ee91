/** gatehouse mirror: compares past signups with their verdicts, counts bursts at their time, and stores nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, type CommandResult, failureOf, ROOT } from '../support/command.ts';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { everythingStored } from '../support/stored.ts';

const HEADER = 'email,ip,time,verdict';
const START = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let installation: Installation;
let dns: TestDnsServer;
let account: string;
beforeAll(async () => {
  dns = await startDnsServer();
  installation = await createInstallation({ GATEHOUSE_DNS_SERVERS: dns.address });
  account = (await plant(installation, { thresholds: { challenge: 20, block: 90 } })).id;
  await installation.json('list', 'add', '--account', account, '--deny', 'rival.example');
});
afterAll(async () => {
  await installation?.remove();
  await dns?.close();
});

const fileOf = (name: string, lines: readonly string[]) => {
  const file = join(installation.directory, name);
  writeFileSync(file, [HEADER, ...lines, ''].join('\n'));
  return file;
};
const mirror = (...args: string[]): Promise<CommandResult> => installation.run('mirror', ...args);
const report = async (...args: string[]) => {
  const { status, stdout, stderr } = await mirror(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};
/** Signups of ordinary people from one address. */
const fromOneIp = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, at) => {
    const time = new Date(START + at * everyMs).toISOString();
    return `person${at}@town-${at}.com,79.192.0.1,${time},allow`;
  });

it('shows the matrix, the groups with their reasons, and what was not checked', async () => {
  const file = fileOf('mixed.csv', [
    'ann@harbour.com,79.192.0.1,2026-03-01T09:00:00Z,approve',
    'bob@mailinator.com,79.192.0.2,2026-03-01T10:00:00Z,approve',
    'cat@mailinator.com,79.192.0.3,2026-03-02T10:00:00Z,manual',
    'dan@mailinator.com,79.192.0.4,2026-03-03T10:00:00Z,decline',
    'eve@yopmail.com,52.95.110.1,2026-03-04T10:00:00Z,approve',
  ]);
  const out = join(installation.directory, 'out.csv');
  const args = [file, '--map', 'manual=challenge', '--out', out];
  const json = await report(...args);
  expect(json).toMatchObject({
    rows: 5,
    compared: 5,
    agreed: 2,
    agreement: 0.4,
    matrix: {
      allow: { allow: 1, challenge: 0, block: 2 },
      challenge: { allow: 0, challenge: 0, block: 1 },
      block: { allow: 0, challenge: 0, block: 1 },
    },
    unused: [],
    sorted: false,
    account_id: null,
    thresholds: { challenge: 30, block: 60 },
  });
  expect(json.not_checked.join()).toContain('mail exchange');
  expect(json.disagreements).toHaveLength(3);
  expect(json.disagreements[0]).toMatchObject({
    theirs: 'allow',
    ours: 'block',
    reasons: ['email_disposable'],
    count: 1,
    example: { line: 3, email: 'b***@mailinator.com' },
  });
  expect(json.disagreements[0].example.why.findings[0]).toContain('mailinator.com is on a list');
  const written = readFileSync(out, 'utf8');
  expect(written.match(/\r\n/g)).toHaveLength(4);
  expect(written + JSON.stringify(json)).not.toMatch(/bob@|79\.192|52\.95/);
  expect(written).toContain('AS16509');
  expect(statSync(out).mode & 0o777).toBe(0o600);

  const { stdout } = await mirror(...args, '--text', '--show-addresses');
  expect(stdout).toContain(
    'Of 3 that they allowed, Gatehouse allows 1 (33.3%), challenges 0 (0.0%), blocks 2',
  );
  expect(stdout).toMatch(/^allow +1 +20\.0% +0 +0\.0% +2 +40\.0% +3 +60\.0%$/m);
  expect(stdout).toContain('Example: line 3, bob@mailinator.com, score 85');
  expect(stdout).toContain('Without the finding');
  expect(stdout).toMatch(/5 rows in .* rows\/s\. Nothing was stored or charged\.$/m);
  expect(readFileSync(out, 'utf8')).toContain('bob@mailinator.com,79.192.0.2');
});

it('writes what was decided of every signup, by its line, with masked addresses', async () => {
  const file = fileOf('decided.csv', [
    'ann@harbour.com,79.192.0.1,2026-03-01T09:00:00Z,approve',
    'eve@yopmail.com,52.95.110.1,2026-03-04T10:00:00Z,approve',
    'bob@mailinator.com,79.192.0.2,2026-03-01T10:00:00Z,decline',
    'not an address,79.192.0.3,2026-03-05T10:00:00Z,approve',
  ]);
  const decisions = join(installation.directory, 'decisions.csv');
  await report(file, '--decisions', decisions);
  expect(readFileSync(decisions, 'utf8').trim().split('\r\n')).toEqual([
    'line,time,email,ip,theirs,verdict,score,reasons,detectors',
    '2,2026-03-01T09:00:00Z,a***@harbour.com,,allow,allow,0,,',
    '4,2026-03-01T10:00:00Z,b***@mailinator.com,,block,block,85,email_disposable,disposable_domain:85',
    '3,2026-03-04T10:00:00Z,e***@yopmail.com,,allow,block,89,email_disposable ip_hosting,disposable_domain:85 hosting:28',
  ]);
  expect(statSync(decisions).mode & 0o777).toBe(0o600);
  await report(file, '--decisions', decisions, '--show-addresses');
  expect(readFileSync(decisions, 'utf8')).toContain('bob@mailinator.com,79.192.0.2,block');
});

it('judges with other weights, and refuses a detector that does not exist', async () => {
  const file = fileOf('weights.csv', [
    'eve@yopmail.com,52.95.110.1,2026-03-04T10:00:00Z,approve',
    'ann@harbour.com,52.95.110.1,2026-03-04T10:00:00Z,approve',
  ]);
  const decisions = join(installation.directory, 'weights-decisions.csv');
  const weights = ['--weight', 'disposable_domain=0', '--weight', 'hosting=31'];
  const json = await report(file, '--decisions', decisions, ...weights);
  expect(json.changed_weights).toEqual({ disposable_domain: 0, hosting: 31 });
  expect(json.matrix.allow).toEqual({ allow: 0, challenge: 2, block: 0 });
  expect(readFileSync(decisions, 'utf8').match(/,hosting:31\r/g)).toHaveLength(2);
  for (const [weight, status, problem] of [
    ['nothing=1', 1, 'there is no detector nothing'],
    ['hosting=101', 2, 'It must be like hosting=10'],
    ['hosting', 2, 'It must be like hosting=10'],
  ] as const)
    expect(await mirror(file, '--weight', weight)).toMatchObject({
      status,
      stderr: expect.stringContaining(problem),
    });
});

it('prints what docs/migrating.md shows', async () => {
  const guide = readFileSync(join(ROOT, 'docs/migrating.md'), 'utf8');
  const blockOf = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';
  const file = join(installation.directory, 'signups.csv');
  writeFileSync(file, blockOf('csv'));
  expect(blockOf('sh')).toContain("mirror signups.csv --map 'manual review=challenge' --text");
  const { stdout } = await mirror(file, '--map', 'manual review=challenge', '--text');
  expect(stdout).toContain(blockOf('text'));
});

describe('velocity at the time of each signup', () => {
  it('detects a past burst, and none if the same signups are spread out', async () => {
    const [burst, spread] = [
      await report(fileOf('burst.csv', fromOneIp(24, MINUTE))),
      await report(fileOf('spread.csv', fromOneIp(12, 2 * DAY))),
    ];
    expect(burst.disagreements[0]).toMatchObject({ theirs: 'allow', reasons: ['velocity_ip'] });
    expect(burst.matrix.allow).toMatchObject({ allow: 19, challenge: 5, block: 0 });
    expect(spread.matrix.allow.allow).toBe(12);
  });

  it('is the same for a file in another order, which is sorted', async () => {
    const inOrder = await report(fileOf('in-order.csv', fromOneIp(12, MINUTE)));
    const reversed = await report(fileOf('reversed.csv', fromOneIp(12, 2 * MINUTE).reverse()));
    expect(reversed.sorted).toBe(true);
    expect(reversed.matrix).toEqual(inOrder.matrix);
  });

  it('is unknown without times', async () => {
    const file = join(installation.directory, 'untimed.csv');
    writeFileSync(file, `mail,their decision\n${'x@harbour.com,ok\n'.repeat(20)}`);
    const json = await report(file, '--columns', 'email=mail,verdict=Their Decision');
    const columns = { email: 'mail', ip: null, time: null, verdict: 'their decision' };
    expect(json).toMatchObject({ columns, without_time: 20, agreed: 20 });
    const names = ['email=mail,verdict=Their Decision', '--text'];
    const { stdout } = await mirror(file, '--columns', ...names);
    expect(stdout).toContain('No column for ip and time was found: name it with --columns ip=NAME.');
  });
});

it('reports unusable rows with their lines, and continues', async () => {
  const file = fileOf('bad.csv', [
    'ann@harbour.com,,2026-03-01T09:00:00Z,grey',
    'nobody,,2026-03-01T09:00:00Z,allow',
    'ann@harbour.com,10.1,2026-03-01T09:00:00Z,allow',
    'ann@harbour.com,,soon,allow',
    'ann@harbour.com,,2126-03-01,allow',
    'ann@harbour.com',
    'ann@harbour.com,,2026-03-01T09:00:00Z,allow',
  ]);
  const { rows, compared, unused } = await report(file);
  expect([rows, compared]).toEqual([7, 1]);
  const lines = unused.map(({ first }: { first: { line: number }[] }) => first.map(({ line }) => line));
  expect(new Set(lines.flat())).toEqual(new Set([2, 3, 4, 5, 6, 7]));
  expect(JSON.stringify(unused)).toContain('"value":"grey"');
  expect(JSON.stringify(unused)).not.toContain('nobody');
});

it('fails in one line if nothing can be compared', async () => {
  expect(failureOf(await mirror(join(installation.directory, 'none.csv')), 1)).toContain('ENOENT');
  expect(failureOf(await mirror(fileOf('empty.csv', [])), 1)).toContain('no signups');
  const scores = fileOf('scores.csv', ['ann@harbour.com,,2026-03-01,87']);
  expect(failureOf(await mirror(scores), 1)).toContain('--threshold-for-scores');
  expect((await report(scores, '--threshold-for-scores', '75,90')).matrix.challenge.allow).toBe(1);
  expect(failureOf(await mirror(scores, '--columns', 'email=x'), 1)).toContain('no column “x”');
  expect(failureOf(await mirror(scores, '--account', 'acc_none'), 1)).toContain('no account acc_none');
  expect(failureOf(await mirror(scores, '--map', 'x'), 2)).toContain('their value=allow');
});

it('uses the rules of an account, and does not change its installation', async () => {
  const before = await everythingStored(installation);
  const file = fileOf('account.csv', [
    'ann@rival.example,,2026-03-01T09:00:00Z,allow',
    'bob@mailinator.com,,2026-03-01T10:00:00Z,block',
  ]);
  const json = await report(file, '--account', account);
  expect(json).toMatchObject({ account_id: account, thresholds: { challenge: 20, block: 90 } });
  expect(json.matrix).toMatchObject({ allow: { block: 1 }, block: { challenge: 1 } });
  expect(json.disagreements[0].example.why.findings[0]).toContain('Block list');
  expect((await report(file, '--account', account, '--block', '70')).matrix.block.block).toBe(1);
  expect(await everythingStored(installation)).toEqual(before);
});

it('looks up the mail exchange only with --dns', async () => {
  dns.set('no-mail-harbour.com', { mx: ['0 .'] });
  const file = fileOf('dns.csv', ['ann@no-mail-harbour.com,,2026-03-01T09:00:00Z,block']);
  expect((await report(file)).matrix.block.allow).toBe(1);
  expect(dns.queries('no-mail-harbour.com')).toBe(0);
  const withDns = await report(file, '--dns');
  expect(withDns.matrix.block.allow).toBe(0);
  expect(withDns.disagreements[0]?.reasons ?? ['email_deliverability']).toEqual(['email_deliverability']);
  expect(withDns.not_checked.join()).not.toContain('mail exchange');
  expect(dns.queries('no-mail-harbour.com')).toBeGreaterThan(0);
});

it('follows a stream until a signal, and prints what was compared', async () => {
  const out = join(installation.directory, 'followed.csv');
  const args = [BIN, 'mirror', '-', '--columns', 'verdict=policy.action', '--out', out];
  const child = spawn(process.execPath, args, { env: installation.environment });
  const ended = once(child, 'close');
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  for (const email of ['ann@harbour.com', 'bob@mailinator.com'])
    child.stdin.write(`${JSON.stringify({ email, policy: { action: 'allow' } })}\n`);
  await expect.poll(() => existsSync(out) && readFileSync(out, 'utf8')).toContain('mailinator.com');
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(JSON.parse(shown)).toMatchObject({ rows: 2, compared: 2, agreed: 1, without_time: 0 });
});
