/** Memory that a service keeps of snapshots that are no longer active: nothing, however often its feeds change, and whatever was asked meanwhile. */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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

/** Twice two: with a file and a thread that ends after each update, and with a database and one that lives. */
it.each(['SQLite', 'PostgreSQL'])(
  'holds few snapshots after ten updates, on %s',
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
    const largest = async () => {
      const files = (await readdir(folder)).filter((name) => !name.endsWith('.new'));
      const bytes = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
      return Math.max(0, ...bytes.map(Number));
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

    await expect.poll(largest, SOON).toBeGreaterThan(0);
    const atStart = await largest();
    await update(1);
    await expect.poll(largest, SOON).toBeGreaterThan(atStart);
    // The thread that compiles has much in memory for a moment.
    let [before, snapshot] = [-1, 0];
    const settle = async () => {
      [before, snapshot] = [snapshot, (await largest()) - atStart];
      return snapshot === before;
    };
    await expect.poll(settle, SOON).toBe(true);
    for (let round = 2; round <= UPDATES; round += 1) await update(round);
    // Two would be enough; a third one is held since late November 2026, for a cause that is not known yet.
    await expect.poll(largest, SOON).toBeLessThan(atStart + UPDATES * snapshot);
  },
);
