/** Nodes with one database: one node at a time updates the feeds, all use the same snapshot, and feeds survive the node that updated them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Intelligence } from '../src/contract/dashboard-installation.ts';
import { readBuildId } from '../src/intel/build-id.ts';
import { versionOf } from '../src/intel/feed-archive.ts';
import { createFeedManager } from '../src/intel/feed-manager.ts';
import { readFeedSettings } from '../src/intel/feed-settings.ts';
import { openIntelRepository } from '../src/store/postgres/intel-repository.ts';
import { migrate } from '../src/store/postgres/migrate.ts';
import { createClient } from './support/client.ts';
import { gatehouse, ROOT } from './support/command.ts';
import { startFeedServer, type TestFeedServer } from './support/feed-server.ts';
import { useFeeds } from './support/feeds-file.ts';
import { type Person, plantPerson, signIn } from './support/person.ts';
import { type Planted, plant } from './support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from './support/service.ts';
import { newDatabase } from './support/shared-servers.ts';
import { FEEDS_BASELINE, FEEDS_BUILD } from './support/small-build.ts';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

interface Node {
  readonly installation: Installation;
  readonly service: ServiceProcess;
  /** Between the node and the database. */
  readonly proxy: TcpProxy;
  /** The active snapshot at its start. */
  readonly initial: string | undefined;
}

const PATIENCE_MS = 180_000;
/** Only ends a test that hangs: three nodes that compile at once are slow on a busy machine. */
const SOON = { timeout: 120_000, interval: 50 };
const FEED = 'disposable-curated';
const NAMES = Array.from({ length: 40 }, (_, at) => `throwaway-${at}.com`);

let server: TestFeedServer;
let database: string;
let nodes: Node[] = [];
let caller: Planted;
const installations: Installation[] = [];
const proxies: TcpProxy[] = [];
const commands: ChildProcess[] = [];
let operator: Person | undefined;

beforeAll(async () => {
  server = await startFeedServer();
  serve('first-throwaway.com');
  server.set('tor', { body: '45.9.30.1\n' });
  database = await newDatabase();
  await migrate(database);
  nodes = await Promise.all([1, 2, 3].map(() => newNode()));
  caller = await plant(at(0).installation);
}, PATIENCE_MS);
afterAll(async () => {
  operator?.close();
  for (const command of commands) command.kill('SIGKILL');
  await Promise.all(installations.map((installation) => installation.remove()));
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await server?.close();
});

/** Forty made-up names, and the given ones. */
const serve = (...domains: string[]) =>
  server.set('domains', { body: `${[...NAMES, ...domains].join('\n')}\n` });
const at = (index: number) => nodes[index] as Node;
/** The snapshot that the node activated last. */
const inForce = ({ service, initial }: Node) =>
  [...service.output().matchAll(/"snapshot":"([0-9a-f]{16})"/g)].at(-1)?.[1] ?? initial;
const statusOf = async ({ installation }: Node) =>
  (
    await installation.json<{ id: string; held: boolean; state: string; entries: number }[]>(
      'intel',
      'status',
    )
  ).find(({ id }) => id === FEED);

async function untilAllHave(before?: string, among = nodes): Promise<string> {
  const ids = () => new Set(among.map(inForce));
  await expect
    .poll(() => ids().size === 1 && !ids().has(undefined) && !ids().has(before as string), SOON)
    .toBe(true);
  return inForce(among[0] as Node) as string;
}

/** A command of the node in a separate process, which a test may freeze or kill. */
function startCommand({ installation }: Node, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(FEEDS_BUILD, 'bin/gatehouse.js'), 'intel', ...args], {
    cwd: ROOT,
    env: installation.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  commands.push(child);
  return child;
}

describe('three nodes', () => {
  it(
    'fetch once, and all have the same snapshot',
    async () => {
      await untilAllHave();
      expect(server.answered('domains')).toEqual([200]);
      expect(server.answered('tor')).toEqual([200]);
      for (const node of nodes) expect(node.service.output()).not.toContain('"level":"error"');
    },
    PATIENCE_MS,
  );

  it(
    'show the same state of each feed on every node',
    async () => {
      for (const node of nodes) {
        expect(await statusOf(node)).toMatchObject({ state: 'ok', entries: 41 });
        const { snapshot, listings } = await node.installation.json<{ snapshot: string; listings: object[] }>(
          'intel',
          'check',
          'first-throwaway.com',
        );
        expect(listings).toMatchObject([{ source: FEED }]);
        expect(snapshot).toBe(inForce(at(0)));
      }
    },
    PATIENCE_MS,
  );

  it(
    'are refreshed and rolled back from the command line of any node',
    async () => {
      const before = inForce(at(0));
      const other = at(1).installation;
      serve('second-throwaway.com', 'third-throwaway.com');
      const refreshed = await other.json<{ feeds: object[]; snapshot: string }>('intel', 'refresh', FEED);
      expect(refreshed.feeds).toMatchObject([{ id: FEED, outcome: 'changed' }]);
      expect(await untilAllHave(before)).toBe(refreshed.snapshot);
      const back = await at(2).installation.json<{ held: boolean }>('intel', 'rollback', FEED);
      expect(back.held).toBe(true);
      await untilAllHave(refreshed.snapshot);
      expect((await other.run('intel', 'rollback', FEED)).stderr).toContain(
        'there is no earlier good version',
      );
      expect(server.answered('domains')).toEqual([200, 200]);
    },
    PATIENCE_MS,
  );

  it(
    'are refreshed and rolled back from the dashboard of any node',
    async () => {
      const other = at(2);
      const person = await signIn(other.service, await plantPerson(other.installation, 'operator'));
      operator = person;
      const readIntelligence = async () => (await person.get<Intelligence>('/intelligence')).json;
      const feed = async () => (await readIntelligence()).sources.find(({ id }) => id === FEED);
      await expect.poll(async () => (await feed())?.entries, SOON).toBe(41);
      const before = inForce(other);
      serve('third-throwaway.com', 'fourth-throwaway.com', 'fifth-throwaway.com');
      await person.send('POST', '/intelligence/refresh', { ids: [FEED] });
      await expect.poll(async () => (await readIntelligence()).refreshing, SOON).toBe(false);
      expect(await feed()).toMatchObject({ entries: 43, can_roll_back: true });
      const refreshed = await untilAllHave(before);
      const { status } = await person.send('POST', `/intelligence/${FEED}/rollback`);
      expect(status).toBe(200);
      expect(await feed()).toMatchObject({ entries: 41 });
      await untilAllHave(refreshed);
    },
    PATIENCE_MS,
  );

  it(
    'import what another machine exported, whichever node runs the command',
    async () => {
      const before = inForce(at(0));
      const other = at(1).installation;
      const folder = join(other.directory, 'carried');
      const carried = await other.json<{ id: string }[]>('intel', 'export', folder);
      expect(carried.map(({ id }) => id).sort()).toEqual([FEED, 'tor-exits']);
      const file = join(folder, 'tor-exits.feed');
      await writeFile(file, '45.9.30.1\n45.9.30.2\n');
      const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
      const tor = manifest.feeds.find(({ id }: { id: string }) => id === 'tor-exits');
      const changed = { version: versionOf(await readFile(file)), fetched_at: new Date().toISOString() };
      await writeFile(join(folder, 'manifest.json'), JSON.stringify({ feeds: [{ ...tor, ...changed }] }));
      const { feeds } = await other.json<{ feeds: object[] }>('intel', 'import', folder);
      expect(feeds).toContainEqual(expect.objectContaining({ id: 'tor-exits', outcome: 'changed' }));
      await untilAllHave(before);
    },
    PATIENCE_MS,
  );

  it(
    'refuse a poisoned list, compared with the last good version, whichever node fetched that',
    async () => {
      const before = inForce(at(0));
      server.set('domains', { body: NAMES.slice(0, 4).join('\n') });
      const { status, stderr } = await at(2).installation.run('intel', 'refresh', FEED);
      expect(status).toBe(1);
      expect(stderr).toContain('shrank from 41 to 4 entries');
      expect(await statusOf(at(0))).toMatchObject({ state: 'refused', entries: 41 });
      expect(nodes.map(inForce)).toEqual(nodes.map(() => before));
    },
    PATIENCE_MS,
  );

  it(
    'give a late node without data the active snapshot, which it uses from its first answer on',
    async () => {
      const fresh = await newNode(inForce(at(0)));
      const client = createClient(fresh.service.url, caller.live);
      const { json } = await client.assess({ email: 'someone@first-throwaway.com' });
      expect(json.signals.email.disposable).toBe(true);
      client.close();
      expect(await fresh.service.stop()).toBe(0);
    },
    PATIENCE_MS,
  );
});

describe('an update that hangs', () => {
  it(
    'makes other nodes wait and say so; when its process is killed, they continue at once, with unchanged feeds',
    async () => {
      const before = inForce(at(0));
      serve('sixth-throwaway.com');
      await at(1).installation.json('intel', 'refresh', FEED);
      const refreshed = await untilAllHave(before);
      server.set('domains', { hang: true });
      const requests = server.answered('domains').length;
      const hanging = startCommand(at(0), 'refresh', FEED);
      await expect.poll(() => server.answered('domains').length, SOON).toBe(requests + 1);
      const waiting = startCommand(at(1), 'rollback', FEED, '--json');
      const ended = once(waiting, 'close');
      const printed = { stdout: '', stderr: '' };
      waiting.stdout?.on('data', (text) => (printed.stdout += text));
      waiting.stderr?.on('data', (text) => (printed.stderr += text));
      await expect
        .poll(() => printed.stderr, SOON)
        .toContain('waiting for the feed update of another node or command to end');
      expect(waiting.exitCode).toBeNull();
      hanging.kill('SIGKILL');
      expect(await ended).toEqual([0, null]);
      expect(JSON.parse(printed.stdout)).toMatchObject({ held: true });
      await untilAllHave(refreshed);
    },
    PATIENCE_MS,
  );
});

describe('other nodes continue', () => {
  it(
    'when a node is killed, and when one is frozen, which follows after it continues',
    async () => {
      const [killed, frozen] = nodes.splice(1, 2) as [Node, Node];
      await killed.service.kill();
      process.kill(frozen.service.pid, 'SIGSTOP');
      const before = inForce(at(0));
      // A rollback is remembered: the version that the publisher still has is not accepted again.
      serve('sixth-throwaway.com');
      const { feeds } = await at(0).installation.json<{ feeds: object[] }>('intel', 'refresh', FEED);
      expect(feeds).toMatchObject([{ outcome: 'held' }]);
      serve('seventh-throwaway.com');
      await at(0).installation.json('intel', 'refresh', FEED);
      const after = await untilAllHave(before);
      expect(inForce(frozen)).toBe(before);
      process.kill(frozen.service.pid, 'SIGCONT');
      nodes.push(frozen);
      expect(await untilAllHave(before)).toBe(after);
    },
    PATIENCE_MS,
  );

  it(
    'when a node is cut off from the database: it keeps its snapshot, and follows again afterwards',
    async () => {
      const cut = at(1);
      const before = inForce(cut);
      cut.proxy.drop();
      serve('eighth-throwaway.com');
      await at(0).installation.json('intel', 'refresh', FEED);
      await untilAllHave(before, [at(0)]);
      expect(inForce(cut)).toBe(before);
      cut.proxy.flow();
      await untilAllHave(before);
    },
    PATIENCE_MS,
  );
});

describe('a node of another release', () => {
  it(
    'starts from the current feeds, and shares neither a snapshot nor its fetches with the others',
    async () => {
      const before = inForce(at(0));
      const feeds = readFeedSettings(at(0).installation.environment.GATEHOUSE_FEEDS_FILE);
      const { scope } = await readBuildId(FEEDS_BASELINE, feeds);
      const repository = openIntelRepository({ url: database, build: 'next', scope: `${scope} next` });
      const manager = createFeedManager({
        repository,
        baselineFile: FEEDS_BASELINE,
        feeds,
        clock: Date.now,
        random: Math.random,
        onDamage: () => {},
      });
      const status = async () => (await manager.status()).find(({ id }) => id === FEED);
      expect(await status()).toMatchObject({ entries: 41, canRollBack: true });
      expect(await repository.snapshots.current()).toBeUndefined();
      const fetched = server.answered('domains').length;
      serve('released-throwaway.com', 'of-the-next-throwaway.com');
      const publication = await manager.tryRound(async (round) => {
        await round.refresh(feeds.filter(({ id }) => id === FEED));
        return (await round.publish()) ?? 'nothing';
      });
      // The snapshot contains the other feed, which was not fetched.
      expect(publication).toMatchObject({ feeds: 2 });
      expect(server.answered('domains')).toHaveLength(fetched + 1);
      expect((await repository.snapshots.current())?.id).not.toBe(before);
      expect(await status()).toMatchObject({ entries: 42 });
      expect(await statusOf(at(0))).toMatchObject({ entries: 41 });
      // Each of them noticed the round, and found nothing to do.
      await at(0).installation.json('intel', 'refresh', 'tor-exits');
      expect(nodes.map(inForce)).toEqual(nodes.map(() => before));
      await repository.close();
    },
    PATIENCE_MS,
  );
});

describe('an installation that moves to a database', () => {
  it(
    'takes the versions and rollbacks of its feeds with it',
    async () => {
      const url = await newDatabase();
      await migrate(url);
      const installation = await newInstallation();
      const { DATABASE_URL: _, ...alone } = installation.environment;
      await plant({ ...installation, environment: alone });
      const run = async (environment: Record<string, string>, ...args: string[]) => {
        const { status, stdout, stderr } = await gatehouse(
          ['intel', ...args, '--json'],
          environment,
          FEEDS_BUILD,
        );
        expect({ status, stderr }).toMatchObject({ status: 0 });
        return JSON.parse(stdout);
      };
      serve('own-throwaway.com');
      await run(alone, 'refresh', FEED);
      serve('own-throwaway.com', 'poisoned-throwaway.com');
      await run(alone, 'refresh', FEED);
      await run(alone, 'rollback', FEED);
      const shared = { ...alone, DATABASE_URL: url };
      const { feeds } = await run(shared, 'refresh', FEED);
      expect(feeds).toMatchObject([{ id: FEED, outcome: 'held' }]);
      const { listings } = await run(shared, 'check', 'poisoned-throwaway.com');
      expect(listings).toEqual([]);
    },
    PATIENCE_MS,
  );
});

/** With its own data folder, as on its own machine. */
async function newInstallation(proxy?: TcpProxy): Promise<Installation> {
  const url = new URL(database);
  if (proxy !== undefined) url.host = `127.0.0.1:${proxy.port}`;
  const installation = await createInstallation({ DATABASE_URL: url.href }, FEEDS_BUILD);
  installations.push(installation);
  await useFeeds(installation, {
    [FEED]: { url: `${server.url}domains`, enabled: true },
    'tor-exits': { url: `${server.url}tor`, enabled: true },
  });
  return installation;
}

async function newNode(initial?: string): Promise<Node> {
  const proxy = await startTcpProxy(new URL(database).host);
  proxies.push(proxy);
  const installation = await newInstallation(proxy);
  return { installation, service: await installation.spawn(), proxy, initial };
}
