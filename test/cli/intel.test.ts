/** gatehouse intel: the result of each kind of publisher answer, and the rollback. */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandResult, failureOf, gatehouse } from '../support/command.ts';
import { type FeedAnswer, startFeedServer, type TestFeedServer } from '../support/feed-server.ts';
import { useFeeds } from '../support/feeds-file.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { FEEDS_BUILD } from '../support/small-build.ts';
import { withStored } from '../support/stored.ts';

interface Row {
  readonly id: string;
  readonly state: string;
  readonly version: string | null;
  readonly entries: number | null;
  readonly last_refusal: { readonly why: string } | null;
  readonly last_failure: string | null;
  readonly [member: string]: unknown;
}

interface Refreshed {
  readonly feeds: { readonly id: string; readonly outcome: string; readonly why: string | null }[];
  readonly snapshot: string | null;
}

interface Checked {
  readonly snapshot: string;
  readonly listings: {
    readonly source: string;
    readonly entry: string;
    readonly [member: string]: unknown;
  }[];
}

/** A command takes a second or two on a busy machine, and these tests run many. */
const PATIENCE_MS = 180_000;
const NAMES = Array.from({ length: 40 }, (_, at) => `throwaway-${at}.com`);
const DOMAINS = `${NAMES.join('\n')}\n`;
const MORE_DOMAINS = `${DOMAINS}newcomer-mail.com\n`;
const ABUSERS = '45.9.20.1\n45.9.20.2\n45.9.20.64/26\n';

let server: TestFeedServer;
let installation: Installation;
async function open(): Promise<void> {
  server = await startFeedServer();
  installation = await createInstallation({}, FEEDS_BUILD);
  await withStored(installation, async () => {});
  server.set('domains', { body: DOMAINS });
  server.set('abusers', { body: ABUSERS });
  await useFeeds(installation, {
    'disposable-curated': { url: `${server.url}domains`, enabled: true },
    'blocklist-de': { url: `${server.url}abusers`, enabled: true },
  });
}
async function close(): Promise<void> {
  await installation.remove();
  await server.close();
}

const run = (...args: string[]): Promise<CommandResult> =>
  gatehouse(['intel', ...args], installation.environment, FEEDS_BUILD);
async function read<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await run(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
  return JSON.parse(stdout) as T;
}
const refresh = () => read<Refreshed>('refresh');
const outcomes = ({ feeds }: Refreshed) => Object.fromEntries(feeds.map(({ id, outcome }) => [id, outcome]));
async function statusOf(id: string): Promise<Row> {
  return (await read<Row[]>('status')).find((row) => row.id === id) as Row;
}
const sourcesOf = async (what: string) =>
  (await read<Checked>('check', what)).listings.map(({ source }) => source);

describe('refresh', () => {
  beforeEach(open);
  afterEach(close);

  it(
    'fetches enabled feeds, activates them, and fetches nothing twice',
    async () => {
      expect(await statusOf('disposable-curated')).toMatchObject({ state: 'never', version: null });
      const first = await refresh();
      expect(outcomes(first)).toEqual({ 'disposable-curated': 'changed', 'blocklist-de': 'changed' });
      expect(first.snapshot).toMatch(/^[0-9a-f]{16}$/);
      expect(await statusOf('disposable-curated')).toMatchObject({
        state: 'ok',
        version: expect.stringMatching(/^[0-9a-f]{16}$/),
        fetched_at: expect.stringMatching(/Z$/),
        entries: 40,
        age_seconds: expect.any(Number),
        last_refusal: null,
        licence: 'CC0-1.0',
        url: `${server.url}domains`,
      });
      expect(await statusOf('tor-exits')).toMatchObject({ state: 'off' });
      const checked = await read<Checked>('check', 'someone@x.throwaway-7.com');
      expect(checked.listings).toContainEqual(
        expect.objectContaining({ source: 'disposable-curated', entry: 'throwaway-7.com', holds: true }),
      );
      const { listings } = await read<Checked>('check', '45.9.20.70');
      expect(listings).toContainEqual(
        expect.objectContaining({ source: 'blocklist-de', entry: '45.9.20.64/26' }),
      );

      const second = await refresh();
      expect(outcomes(second)).toEqual({ 'disposable-curated': 'unchanged', 'blocklist-de': 'unchanged' });
      expect(second.snapshot).toBeNull();
      expect(server.answered('domains')).toEqual([200, 304]);

      server.set('domains', { body: MORE_DOMAINS, gzip: true });
      expect(outcomes(await read<Refreshed>('refresh', 'disposable-curated'))).toEqual({
        'disposable-curated': 'changed',
      });
      expect(await sourcesOf('newcomer-mail.com')).toEqual(['disposable-curated']);
      expect(server.answered('abusers')).toEqual([200, 304]);
    },
    PATIENCE_MS,
  );

  it(
    'leaves new versions to the service when an option says so',
    async () => {
      const left = await run('refresh', '--compare');
      expect(left).toMatchObject({ status: 0, stderr: expect.stringContaining('not used yet') });
      expect((JSON.parse(left.stdout) as Refreshed).snapshot).toBeNull();
      expect(await sourcesOf('throwaway-7.com')).toEqual([]);
      const used = await run('refresh');
      expect(used.stderr).toContain('verdicts were not compared');
      expect(await sourcesOf('throwaway-7.com')).toEqual(['disposable-curated']);
    },
    PATIENCE_MS,
  );

  it(
    'accepts a version of any size when an option says so',
    async () => {
      await refresh();
      server.set('domains', { body: NAMES.slice(0, 4).join('\n') });
      expect((await run('refresh')).status).toBe(1);
      expect(outcomes(await read<Refreshed>('refresh', 'disposable-curated', '--any-size'))).toEqual({
        'disposable-curated': 'changed',
      });
      expect(await statusOf('disposable-curated')).toMatchObject({ state: 'ok', entries: 4 });
    },
    PATIENCE_MS,
  );

  it('fetches nothing while feeds are off', async () => {
    installation.environment.GATEHOUSE_FEEDS = 'off';
    expect(failureOf(await run('refresh'), 1)).toContain('GATEHOUSE_FEEDS is off');
    expect(server.answered('domains')).toEqual([]);
  });
});

/** One installation for all cases: a rejected update changes nothing, so each case starts the same. */
describe('the last good version stays active when the publisher sends', () => {
  beforeAll(async () => {
    await open();
    await refresh();
  });
  afterAll(close);

  it.each<[string, 'domains' | 'abusers', FeedAnswer, 'refused' | 'failed', string]>([
    ['HTML instead of a list', 'domains', { body: '<html>\n<p>Log in</p>\n' }, 'refused', 'cannot be read'],
    ['an empty answer', 'domains', { body: '' }, 'refused', 'empty'],
    ['gmail.com among the disposable', 'domains', { body: `${DOMAINS}gmail.com\n` }, 'refused', 'gmail.com'],
    [
      'a list cut to a tenth',
      'domains',
      { body: NAMES.slice(0, 4).join('\n') },
      'refused',
      'shrank from 40 to 4',
    ],
    ['0.0.0.0/0', 'abusers', { body: `${ABUSERS}0.0.0.0/0\n` }, 'refused', '0.0.0.0/0'],
    ['8.8.8.8', 'abusers', { body: `${ABUSERS}8.8.8.8\n` }, 'refused', '8.8.8.8'],
    ['a private range', 'abusers', { body: `${ABUSERS}10.1.0.0/16\n` }, 'refused', '10.1.0.0/16'],
    ['a broken connection', 'domains', { body: MORE_DOMAINS, truncated: true }, 'failed', ''],
    ['an error', 'domains', { status: 500 }, 'failed', '500'],
    ['an endless answer', 'domains', { endless: true }, 'failed', 'larger than 64 MiB'],
  ])(
    '%s',
    async (_, path, answer, outcome, why) => {
      server.set('domains', { body: DOMAINS });
      server.set('abusers', { body: ABUSERS });
      server.set(path, answer);
      const { status, stdout, stderr } = await run('refresh');
      const id = path === 'domains' ? 'disposable-curated' : 'blocklist-de';
      expect(status).toBe(1);
      expect(stderr).toContain(`gatehouse: 1 of 2 feeds are not up to date: ${id} ${outcome}`);
      const { feeds, snapshot } = JSON.parse(stdout) as Refreshed;
      const expected = { id, outcome, why: expect.stringContaining(why) };
      expect(feeds).toContainEqual(expect.objectContaining(expected));
      expect(snapshot).toBeNull();
      const row = await statusOf(id);
      expect(row).toMatchObject({ state: outcome, entries: path === 'domains' ? 40 : 3 });
      expect(outcome === 'refused' ? row.last_refusal?.why : row.last_failure).toContain(why);
    },
    PATIENCE_MS,
  );

  it('all of these, and the snapshot is unchanged', async () => {
    expect(await sourcesOf('throwaway-7.com')).toEqual(['disposable-curated']);
    expect(await sourcesOf('gmail.com')).not.toContain('disposable-curated');
    expect(await sourcesOf('8.8.8.8')).not.toContain('blocklist-de');
  });
});

describe('rollback', () => {
  beforeEach(open);
  afterEach(close);

  it(
    'returns to the previous version, and keeps it until the publisher has a new one',
    async () => {
      await refresh();
      const { version } = await statusOf('disposable-curated');
      expect(failureOf(await run('rollback', 'disposable-curated'), 1)).toContain('no earlier good version');
      server.set('domains', { body: MORE_DOMAINS });
      await refresh();
      expect(await sourcesOf('newcomer-mail.com')).toEqual(['disposable-curated']);
      expect(await read<Row>('rollback', 'disposable-curated')).toMatchObject({
        version,
        entries: 40,
        held: true,
      });
      expect(await sourcesOf('newcomer-mail.com')).toEqual([]);
      expect(outcomes(await refresh())).toMatchObject({ 'disposable-curated': 'held' });
      server.set('domains', { body: MORE_DOMAINS, validators: false });
      expect(outcomes(await refresh())).toMatchObject({ 'disposable-curated': 'held' });
      expect(await sourcesOf('newcomer-mail.com')).toEqual([]);
      server.set('domains', { body: `${MORE_DOMAINS}another-mail.com\n` });
      expect(outcomes(await refresh())).toMatchObject({ 'disposable-curated': 'changed' });
      expect(await sourcesOf('newcomer-mail.com')).toEqual(['disposable-curated']);
      expect(await statusOf('disposable-curated')).toMatchObject({ held: false });
    },
    PATIENCE_MS,
  );
});

describe('export and import', () => {
  beforeEach(open);
  afterEach(close);

  it(
    'bring feeds to a machine without a network, with the same checks',
    async () => {
      await refresh();
      const folder = join(installation.directory, 'stick');
      const carried = await read<{ id: string; version: string }[]>('export', folder);
      expect(carried.map(({ id }) => id).toSorted()).toEqual(['blocklist-de', 'disposable-curated']);

      const apart = await createInstallation(
        { GATEHOUSE_FEEDS_FILE: installation.environment.GATEHOUSE_FEEDS_FILE as string },
        FEEDS_BUILD,
      );
      await withStored(apart, async () => {});
      const there = (...args: string[]) => apart.run('intel', ...args);
      const imported = await there('import', folder);
      expect(imported.status).toBe(0);
      expect(outcomes(JSON.parse(imported.stdout) as Refreshed)).toEqual({
        'disposable-curated': 'changed',
        'blocklist-de': 'changed',
      });
      const known = JSON.parse((await there('check', 'throwaway-7.com')).stdout) as Checked;
      expect(known.listings).toMatchObject([{ source: 'disposable-curated' }]);

      // A bundle that was changed on the way is rejected, and so is one that the gate would reject.
      await writeFile(join(folder, 'disposable-curated.feed'), `${DOMAINS}gmail.com\n`);
      const tampered = await there('import', folder);
      expect(tampered.status).toBe(1);
      expect(tampered.stderr).toContain('disposable-curated failed');
      const manifest = join(folder, 'manifest.json');
      const version = createHash('sha256').update(`${DOMAINS}gmail.com\n`).digest('hex').slice(0, 16);
      const text = await readFile(manifest, 'utf8');
      const old = carried.find(({ id }) => id === 'disposable-curated')?.version as string;
      await writeFile(manifest, text.replaceAll(old, version));
      expect((await there('import', folder)).stderr).toContain('disposable-curated refused');
      await rm(manifest);
      expect(failureOf(await there('import', folder), 1)).toContain('manifest.json is missing');
      await apart.remove();
    },
    PATIENCE_MS,
  );
});

describe('check', () => {
  beforeEach(open);
  afterEach(close);

  it('knows the bundled sources without any feed, and says so if no source lists the value', async () => {
    expect(await sourcesOf('gmail.com')).toContain('consumer');
    expect(await sourcesOf('no-list-knows-this-name.com')).toEqual([]);
    expect(failureOf(await run('check', 'what is this'), 1)).toContain('not an IP address');
  });
});

describe('a feed that does not exist', () => {
  beforeEach(open);
  afterEach(close);

  it('is reported in one line', async () => {
    expect(failureOf(await run('refresh', 'nonsense'), 1)).toContain('no feed nonsense');
    expect(failureOf(await run('refresh', 'tor-exits'), 1)).toContain('tor-exits is disabled');
    expect(failureOf(await run('rollback', 'nonsense'), 1)).toContain('no feed nonsense');
  });
});

describe('a mail host', () => {
  beforeEach(open);
  afterEach(close);

  it('is shown, forgotten and trusted by its owner’s name; help says what follows', {
    timeout: PATIENCE_MS,
  }, async () => {
    const host = { host: 'mx7.example.net', remembered_as: '*.example.net' };
    expect(await read('host', 'mx7.example.net')).toMatchObject({
      ...host,
      state: 'unknown',
      decision: null,
    });
    expect(await read('forget-host', 'mx7.example.net')).toMatchObject({
      ...host,
      decision: { forgotten: 1, never_flag: false, by: expect.stringMatching(/^command line \(.+@.+\)$/) },
    });
    const trusted = await read<{ state: string; summary: string }>('trust-host', 'mx1.example.net');
    expect(trusted).toMatchObject({ state: 'never_flagged', decision: { never_flag: true, forgotten: 1 } });
    expect(await read('trust-host', 'example.net', '--undo')).toMatchObject({ state: 'unknown' });
    const undone = await run('trust-host', 'other.example.org', '--undo');
    expect(undone.stderr).toContain('Nothing to undo');
    expect(JSON.parse(undone.stdout)).toMatchObject({ decision: null });
    expect((await run('forget-host', 'aspmx.l.google.com')).stderr).toContain('never flagged anyway');
    expect(await read('host', 'aspmx.l.google.com')).toMatchObject({ state: 'shared', decision: null });
    expect(failureOf(await run('host', 'no host'), 1)).toContain('not a host name or an IP address');
    const help = (await run('forget-host', '--help')).stdout;
    expect(help).toContain('within a second');
    expect(help).toContain('never_flagged (never flagged)');
    expect(help).toContain('gatehouse intel forget-host mx.example.net');
  });
});
