/** Three nodes and one database: one node fetches, all judge by the same snapshot, and the feeds outlive whoever keeps them. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Intelligence } from '../src/contract/dashboard-installation.ts';
import { BASELINE_FILE } from '../src/intel/baseline.ts';
import { versionOf } from '../src/intel/feeds/archive.ts';
import { readFeedSettings } from '../src/intel/feeds/feed-settings.ts';
import { createFeedManager, intelFolder } from '../src/intel/refresh/feed-manager.ts';
import { createSnapshotRepository } from '../src/intel/refresh/snapshot-repository.ts';
import { createSharedFeeds } from '../src/intel/sharing/shared-feeds.ts';
import { migrate } from '../src/store/postgres/migrate.ts';
import { openSharedFolders } from '../src/store/postgres/shared/shared-folders.ts';
import { startFeedServer, type TestFeedServer } from './support/feed-server.ts';
import { useFeeds } from './support/feeds-file.ts';
import { type Person, plantPerson, signIn } from './support/person.ts';
import { createInstallation, type Installation, type Service } from './support/service.ts';
import { newDatabase } from './support/shared-servers.ts';

interface Node {
  readonly installation: Installation;
  readonly service: Service;
}

const PATIENCE_MS = 120_000;
const SOON_MS = 15_000;
const FEED = 'disposable-curated';

let server: TestFeedServer;
let database: string;
let nodes: Node[];
const installations: Installation[] = [];
let operator: Person | undefined;

beforeAll(async () => {
  server = await startFeedServer();
  serve('first-throwaway.com', 'second-throwaway.com');
  server.set('tor', { body: '45.9.30.1\n' });
  database = await newDatabase();
  await migrate(database);
  nodes = await Promise.all([1, 2, 3].map(newNode));
}, PATIENCE_MS);
afterAll(async () => {
  operator?.close();
  await Promise.all(installations.map((installation) => installation.remove()));
  await server?.close();
});

const serve = (...domains: string[]) => server.set('domains', { body: `${domains.join('\n')}\n` });
const at = (index: number) => nodes[index] as Node;
const shelfOf = ({ installation }: Node) =>
  createSnapshotRepository(join(installation.environment.GATEHOUSE_DATA_DIR as string, 'intel'));
/** What the node said took over last. */
const inForce = ({ service }: Node) =>
  [...service.output().matchAll(/"snapshot":"([0-9a-f]{16})"/g)].at(-1)?.[1];
const leads = ({ service }: Node) =>
  [...service.output().matchAll(/this node (keeps|no longer keeps) the feeds/g)].at(-1)?.[1] === 'keeps';
const leader = () => nodes.findIndex(leads);

async function untilAllHave(other?: string, among = nodes): Promise<string> {
  await expect
    .poll(
      () => new Set(among.map(inForce)).size === 1 && ![undefined, other].includes(inForce(among[0] as Node)),
      {
        timeout: SOON_MS,
      },
    )
    .toBe(true);
  return inForce(among[0] as Node) as string;
}

describe('three nodes', () => {
  it('have one fetch, and all the same snapshot, each on its own shelf', async () => {
    const id = await untilAllHave();
    expect(server.answered('domains')).toEqual([200]);
    expect(server.answered('tor')).toEqual([200]);
    expect(nodes.filter(leads)).toHaveLength(1);
    for (const node of nodes) expect((await shelfOf(node).current())?.id).toBe(id);
    for (const node of nodes) expect(node.service.output()).not.toContain('"level":50');
  });

  it(
    'show the same of each feed, whichever is asked',
    async () => {
      const look = async ({ installation }: Node) => {
        const rows = await installation.json<{ id: string; state: string; entries: number }[]>(
          'intel',
          'status',
        );
        expect(rows.find(({ id }) => id === FEED)).toMatchObject({ state: 'ok', entries: 2 });
        const { snapshot, listings } = await installation.json<{ snapshot: string; listings: object[] }>(
          'intel',
          'check',
          'first-throwaway.com',
        );
        expect(listings).toMatchObject([{ source: FEED }]);
        expect(snapshot).toBe(inForce(at(0)));
      };
      await Promise.all(nodes.map(look));
    },
    PATIENCE_MS,
  );

  it(
    'refresh and roll back through the one that leads, from the command line of another',
    async () => {
      const before = inForce(at(0));
      const other = at((leader() + 1) % 3).installation;
      serve('second-throwaway.com', 'third-throwaway.com');
      const refreshed = await other.json<{ feeds: object[]; snapshot: string }>('intel', 'refresh', FEED);
      expect(refreshed.feeds).toMatchObject([{ id: FEED, outcome: 'changed' }]);
      expect(await untilAllHave(before)).toBe(refreshed.snapshot);
      const back = await other.json<{ held: boolean }>('intel', 'rollback', FEED);
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
    'are refreshed and rolled back from the dashboard of any of them',
    async () => {
      const other = at((leader() + 1) % 3);
      const person = await signIn(other.service, await plantPerson(other.installation, 'operator'));
      operator = person;
      const look = async () => (await person.get<Intelligence>('/intelligence')).json;
      const feed = async () => (await look()).sources.find(({ id }) => id === FEED);
      await expect.poll(async () => (await feed())?.entries, { timeout: SOON_MS }).toBe(2);
      const before = inForce(other);
      serve('third-throwaway.com', 'fourth-throwaway.com', 'fifth-throwaway.com');
      await person.send('POST', '/intelligence/refresh', { ids: [FEED] });
      await expect.poll(async () => (await look()).refreshing, { timeout: SOON_MS }).toBe(false);
      expect(await feed()).toMatchObject({ entries: 3, can_roll_back: true });
      const refreshed = await untilAllHave(before);
      const { status } = await person.send('POST', `/intelligence/${FEED}/rollback`);
      expect(status).toBe(200);
      expect(await feed()).toMatchObject({ entries: 2 });
      await untilAllHave(refreshed);
    },
    PATIENCE_MS,
  );

  it(
    'take in what another machine exported, through whichever node the command runs on',
    async () => {
      const before = inForce(at(0));
      const other = at((leader() + 2) % 3).installation;
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
    'let a node that has nothing judge by the bundled snapshot, and by the shared one in moments',
    async () => {
      const id = inForce(at(0));
      const fresh = await newNode();
      await untilAllHave(undefined, [fresh]);
      expect(inForce(fresh)).toBe(id);
      await fresh.service.stop();
    },
    PATIENCE_MS,
  );
});

describe('another node takes over with every feed as it was', () => {
  it.each(['killed', 'frozen'])(
    'when the one that led is %s',
    async (how) => {
      const [dead] = nodes.splice(leader(), 1) as [Node];
      const [before, fetched] = [inForce(at(0)), server.answered('domains').length];
      if (how === 'killed') await dead.service.kill();
      else process.kill(dead.service.pid, 'SIGSTOP');
      const started = Date.now();
      await expect.poll(leader, { timeout: 20_000 }).toBeGreaterThan(-1);
      expect(Date.now() - started).toBeLessThan(15_000);

      // A rollback is remembered: what the publisher still has stays held, and nothing was fetched for the change of leader.
      const [row] = await at(0).installation.json<{ id: string; held: boolean }[]>('intel', 'status');
      expect(row).toMatchObject({ id: FEED, held: true });
      expect(server.answered('domains')).toHaveLength(fetched);
      expect(nodes.map(inForce)).toEqual(nodes.map(() => before));

      serve('third-throwaway.com', `${how}-throwaway.com`);
      await at(0).installation.json('intel', 'refresh', FEED);
      const after = await untilAllHave(before);
      await at(0).installation.json('intel', 'rollback', FEED);
      await untilAllHave(after);
      if (how === 'frozen') {
        process.kill(dead.service.pid, 'SIGCONT');
        // It follows the one that leads now, and does not bring its own back.
        await expect
          .poll(() => dead.service.output(), { timeout: SOON_MS })
          .toContain('this node no longer keeps the feeds');
        serve('third-throwaway.com', 'thawed-throwaway.com');
        const before = inForce(dead);
        await dead.installation.json('intel', 'refresh', FEED);
        const refreshed = await untilAllHave(before, [...nodes, dead]);
        await dead.installation.json('intel', 'rollback', FEED);
        await untilAllHave(refreshed, [...nodes, dead]);
      }
      nodes.push(how === 'frozen' ? dead : await newNode());
    },
    PATIENCE_MS,
  );
});

describe('a node of another release', () => {
  it('starts from the feeds as they are, leads beside the others, and shares no snapshot with them', async () => {
    const before = inForce(at(0));
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-release-'));
    const folders = openSharedFolders({ url: database });
    const feeds = readFeedSettings(at(0).installation.environment.GATEHOUSE_FEEDS_FILE);
    const keeper = createFeedManager({
      dataDir,
      baselineFile: BASELINE_FILE,
      feeds,
      clock: Date.now,
      random: Math.random,
      onDamage: () => {},
    });
    const shared = createSharedFeeds({
      folders,
      base: '0123456789abcdef',
      folder: intelFolder(dataDir),
      keeper,
      leading: 'always',
      clock: Date.now,
      carryOut: () => () => Promise.reject(new Error('nobody asks')),
      onLead: () => {},
      onFault: () => {},
    });
    await shared.poll();
    expect(shared.leads()).toBe(true);
    expect(await keeper.shelf.current()).toBeUndefined();
    expect((await keeper.status()).find(({ id }) => id === FEED)).toMatchObject({ held: true, entries: 2 });
    const fetched = server.answered('domains').length;
    serve('third-throwaway.com', 'released-throwaway.com');
    const publication = await shared.whileLeading(async () => {
      await keeper.refresh(feeds.filter(({ id }) => id === FEED));
      return keeper.publish();
    });
    // Everything a leader needs came over: the other feed is in it, and was not fetched.
    expect(publication?.feeds).toBe(2);
    expect(publication?.id).not.toBe(before);
    expect(shared.isInForce(publication?.id as string)).toBe(true);
    expect(server.answered('domains')).toHaveLength(fetched + 1);
    await setTimeout(3_000);
    expect(nodes.map(inForce)).toEqual(nodes.map(() => before));
    await shared.close();
    await rm(dataDir, { recursive: true });
  });
});

/** With a data folder of its own, as on a machine of its own. */
async function newNode(): Promise<Node> {
  const installation = await createInstallation({ DATABASE_URL: database });
  installations.push(installation);
  await useFeeds(installation, {
    [FEED]: { url: `${server.url}domains`, enabled: true },
    'tor-exits': { url: `${server.url}tor`, enabled: true },
  });
  return { installation, service: await installation.start() };
}
