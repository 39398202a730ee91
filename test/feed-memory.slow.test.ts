/** Memory that a service keeps of snapshots that are no longer active: nothing, however often its feeds change, and whatever was asked meanwhile. */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../src/store/postgres/migrate.ts';
import { createClient } from './support/client.ts';
import { ROOT } from './support/command.ts';
import { startDnsServer } from './support/dns-server.ts';
import { startFeedServer } from './support/feed-server.ts';
import { useFeeds } from './support/feeds-file.ts';
import { plantPerson, signIn } from './support/person.ts';
import { plant } from './support/plant.ts';
import { createInstallation } from './support/service.ts';
import { newDatabase } from './support/shared-servers.ts';
import { FEEDS_BUILD } from './support/small-build.ts';

const PATIENCE_MS = 240_000;
const SOON = { timeout: 120_000, interval: 200 };
const UPDATES = 10;
const SIGNUPS = 12;
/** Look-ups on the dashboard, in the round `@`. */
const LOOK_UPS = [
  '/intelligence',
  '/intelligence/check?q=seen-in-round-@.com',
  '/mail-hosts?q=mx.host-of-@.com',
];
/** Names, so many that a snapshot is far larger than all other buffers that come and go. */
const NAMES = Array.from({ length: 40_000 }, (_, at) => `throwaway-name-${at}.com`);

/** A snapshot has more, and nothing else of a thread grows by so much. */
const NAMES_BYTES = NAMES.join('').length;
/** Reads of what each thread has, further apart than two writes. */
const READS = { count: 6, everyMs: 600 };

/** The least that each thread has within some seconds: one that compiles has much in memory for a moment. */
async function leastOf(
  read: () => Promise<ReadonlyMap<string, number>>,
): Promise<ReadonlyMap<string, number>> {
  const least = new Map<string, number>();
  for (let time = 0; time < READS.count; time += 1) {
    for (const [thread, bytes] of await read())
      least.set(thread, Math.min(bytes, least.get(thread) ?? bytes));
    await sleep(READS.everyMs);
  }
  return least;
}

/** Both stores: with a file, and with a database. */
it.each(['SQLite', 'PostgreSQL'])(
  'holds no earlier snapshot after ten updates, on %s',
  { timeout: PATIENCE_MS },
  async (store) => {
    const [server, dns] = await Promise.all([startFeedServer(), startDnsServer()]);
    onTestFinished(() => Promise.all([server.close(), dns.close()]).then(() => {}));
    const settings = { GATEHOUSE_DNS_SERVERS: dns.address };
    const database = store === 'SQLite' ? undefined : await newDatabase();
    if (database !== undefined) await migrate(database);
    const installation = await createInstallation(
      { ...settings, ...(database !== undefined && { DATABASE_URL: database }) },
      FEEDS_BUILD,
    );
    onTestFinished(() => installation.remove());
    const [caller, operator] = [await plant(installation), await plantPerson(installation, 'operator')];
    await useFeeds(installation, {
      'disposable-curated': { url: `${server.url}list`, enabled: true, everyHours: 0.0003 },
    });
    const folder = join(installation.directory, 'buffers');
    await mkdir(folder);
    const service = await installation.spawn({
      GATEHOUSE_TEST_BUFFERS: folder,
      NODE_OPTIONS: `--expose-gc --require ${resolve(ROOT, 'test/support/buffers-of-threads.cjs')}`,
    });
    const client = createClient(service.url, caller.live);
    onTestFinished(() => client.close());
    const person = await signIn(service, operator);
    onTestFinished(() => person.close());
    const assess = async (domain: string) =>
      (await client.assess({ email: `jo@${domain}`, ip: '8.8.8.8' })).json.signals.email.disposable;
    /** Bytes of buffers by thread. */
    const buffers = async (): Promise<ReadonlyMap<string, number>> => {
      const threads = (await readdir(folder)).filter((name) => !name.endsWith('.new'));
      const read = async (name: string) =>
        [name, Number(await readFile(join(folder, name), 'utf8').catch(() => '0'))] as const;
      return new Map(await Promise.all(threads.map(read)));
    };

    /** Activates another snapshot, and asks of it what services remember. */
    async function update(round: number): Promise<void> {
      const listed = `newest-throwaway-${round}.com`;
      server.set('list', { body: [...NAMES, listed, ''].join('\n') });
      await expect.poll(() => assess(listed), SOON).toBe(true);
      const domain = `seen-in-round-${round}.com`;
      dns.set(domain, { mx: [`10 mx.host-of-${round}.com`] });
      dns.set(`mx.host-of-${round}.com`, { a: ['198.41.0.4'] });
      // The host's addresses are looked up after an answer: only later ones stay the same.
      for (let time = 0; time < SIGNUPS; time += 1) {
        await assess(domain);
        await person.get(LOOK_UPS[time % LOOK_UPS.length]?.replace('@', String(round)) ?? '/');
      }
    }

    await update(1);
    const first = await leastOf(buffers);
    for (let round = 2; round <= UPDATES; round += 1) await update(round);
    // A thread that starts later, such as the one that learns of waves, holds nothing of an earlier update.
    const growth = async () => {
      const now = await buffers();
      return Math.max(...[...first].map(([thread, bytes]) => (now.get(thread) ?? 0) - bytes));
    };
    expect([...first.values()].filter((bytes) => bytes > NAMES_BYTES).length).toBeGreaterThan(0);
    await expect.poll(growth, SOON).toBeLessThan(NAMES_BYTES);
  },
);
