/** Three nodes and one database: one node fetches, all judge by the same snapshot, and the feeds outlive whoever keeps them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Intelligence } from '../src/contract/dashboard/installation.ts';
import { BASELINE_FILE } from '../src/intel/baseline.ts';
import { createSnapshotShelf } from '../src/intel/refresh/snapshot-shelf.ts';
import { migrate } from '../src/store/postgres/migrate.ts';
import { openSharedFolders } from '../src/store/postgres/shared/shared-folders.ts';
import { startFeedServer, type TestFeedServer } from './support/feed-server.ts';
import { useFeeds } from './support/feeds-file.ts';
import { type Person, plantPerson, signIn } from './support/person.ts';
import { createDatabase } from './support/postgres-server.ts';
import { createInstallation, type Installation, type Service } from './support/service.ts';

/** One node: a data folder of its own, as on a machine of its own. */
interface Node {
  readonly installation: Installation;
  service: Service;
}

const PATIENCE_MS = 120_000;
const SOON_MS = 15_000;
const FEED = 'disposable-curated';

let server: TestFeedServer;
let database: string;
let nodes: Node[];
let operator: Person;

beforeAll(async () => {
  server = await startFeedServer();
  serve('first-throwaway.com', 'second-throwaway.com');
  server.set('tor', { body: '45.9.30.1\n' });
  database = await createDatabase(inject('postgresUrl'));
  await migrate(database);
  const installations = await Promise.all([1, 2, 3].map(() => createInstallation({ DATABASE_URL: database })));
  for (const installation of installations) {
    await useFeeds(installation, {
      [FEED]: { url: `${server.url}domains`, enabled: true },
      'tor-exits': { url: `${server.url}tor`, enabled: true },
    });
  }
  nodes = await Promise.all(
    installations.map(async (installation) => ({ installation, service: await installation.start() })),
  );
}, PATIENCE_MS);
afterAll(async () => {
  operator?.close();
  await Promise.all((nodes ?? []).map(({ installation }) => installation.remove()));
  await server?.close();
});

const serve = (...domains: string[]) => server.set('domains', { body: `${domains.join('\n')}\n` });
const at = (index: number) => nodes[index] as Node;
const shelfOf = ({ installation }: Node) =>
  createSnapshotShelf(join(installation.environment.GATEHOUSE_DATA_DIR as string, 'intel'));
/** What the node said took over last. */
const inForce = ({ service }: Node) =>
  [...service.output().matchAll(/"snapshot":"([0-9a-f]{16})"/g)].at(-1)?.[1];
const leads = ({ service }: Node) => service.output().includes('this node keeps the feeds for all');
const leader = () => nodes.findIndex(leads);

async function untilAllHave(other?: string, among = nodes): Promise<string> {
  await expect
    .poll(() => new Set(among.map(inForce)).size === 1 && ![undefined, other].includes(inForce(among[0] as Node)), {
      timeout: SOON_MS,
    })
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

  it('show the same of each feed, whichever is asked', async () => {
    for (const { installation } of nodes) {
      const rows = await installation.json<{ id: string; state: string; entries: number }[]>('intel', 'status');
      expect(rows.find(({ id }) => id === FEED)).toMatchObject({ state: 'ok', entries: 2 });
      const { snapshot, listings } = await installation.json<{ snapshot: string; listings: object[] }>(
        'intel',
        'check',
        'first-throwaway.com',
      );
      expect(listings).toMatchObject([{ source: FEED }]);
      expect(snapshot).toBe(inForce(at(0)));
    }
  }, PATIENCE_MS);

  it('refresh and roll back through the one that leads, from the command line of another', async () => {
    const before = inForce(at(0));
    const other = at((leader() + 1) % 3).installation;
    serve('second-throwaway.com', 'third-throwaway.com');
    const refreshed = await other.json<{ feeds: object[]; snapshot: string }>('intel', 'refresh', FEED);
    expect(refreshed.feeds).toMatchObject([{ id: FEED, outcome: 'changed' }]);
    expect(await untilAllHave(before)).toBe(refreshed.snapshot);
    const back = await other.json<{ held: boolean }>('intel', 'rollback', FEED);
    expect(back.held).toBe(true);
    await untilAllHave(refreshed.snapshot);
    expect((await other.run('intel', 'rollback', FEED)).stderr).toContain('there is no earlier good version');
    expect(server.answered('domains')).toEqual([200, 200]);
  }, PATIENCE_MS);
});
