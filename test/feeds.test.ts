/** The service keeps its feeds up to date: from the first start on, with bad publishers, and after damage. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'vitest';
import { createClient } from './support/client.ts';
import { startFeedServer } from './support/feed-server.ts';
import { useFeeds } from './support/feeds-file.ts';
import { plant } from './support/plant.ts';
import { createInstallation, type Service } from './support/service.ts';
import { FEEDS_BUILD } from './support/small-build.ts';

const PATIENCE_MS = 180_000;
/** Only ends a test that hangs: each round compiles a snapshot. */
const SOON = { timeout: 120_000, interval: 400 };
const ID = 'disposable-curated';
const DOMAIN = 'swinging-pendulum-mail.com';
const LATER = 'late-pendulum-mail.com';

/** Each test has its own, because tests wait for publishers concurrently. */
async function begin({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const server = await startFeedServer();
  onTestFinished(() => server.close());
  server.set('list', { body: `${DOMAIN}\n` });
  const installation = await createInstallation({}, FEEDS_BUILD);
  onTestFinished(() => installation.remove());
  const account = await plant(installation);
  await useFeeds(installation, { [ID]: { url: `${server.url}list`, enabled: true, everyHours: 0.0003 } });
  return {
    server,
    installation,
    async isDisposable(service: Service, domain: string): Promise<boolean> {
      const client = createClient(service.url, account.live);
      try {
        const { json } = await client.assess({ email: `someone@${domain}` });
        return json.signals.email.disposable;
      } finally {
        client.close();
      }
    },
  };
}

async function metric(service: Service, name: string): Promise<number> {
  const client = createClient(service.url);
  try {
    const { text } = await client.send({ path: '/metrics' });
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  } finally {
    client.close();
  }
}

describe.concurrent('a service', () => {
  it(
    'serves while its first feeds are being fetched, and then uses them',
    async ({ expect, onTestFinished }) => {
      const { server, installation, isDisposable } = await begin({ onTestFinished });
      server.set('list', { hang: true });
      const service = await installation.start();
      expect(await isDisposable(service, DOMAIN)).toBe(false);
      expect(await isDisposable(service, 'mailinator.com')).toBe(true);
      expect(await service.stop()).toBe(0);
      server.set('list', { body: `${DOMAIN}\n` });
      const again = await installation.start();
      await expect.poll(() => isDisposable(again, DOMAIN), SOON).toBe(true);
      expect(await metric(again, `gatehouse_feed_entries{feed="${ID}"}`)).toBe(1);
      // The next start needs no publisher: it begins with the compiled snapshot.
      expect(await again.stop()).toBe(0);
      server.set('list', { status: 500 });
      expect(await isDisposable(await installation.start(), DOMAIN)).toBe(true);
    },
    PATIENCE_MS,
  );

  it(
    'keeps the last good version when a publisher is compromised, and says why',
    async ({ expect, onTestFinished }) => {
      const { server, installation, isDisposable } = await begin({ onTestFinished });
      const service = await installation.start();
      await expect.poll(() => isDisposable(service, DOMAIN), SOON).toBe(true);
      server.set('list', { body: `${LATER}\ngmail.com\n` });
      const refusals = `gatehouse_feed_refusals_total{feed="${ID}"}`;
      await expect.poll(() => metric(service, refusals), SOON).toBeGreaterThan(0);
      await expect.poll(() => metric(service, `gatehouse_feed_ok{feed="${ID}"}`), SOON).toBe(0);
      expect(service.output()).toMatch(
        /"level":"warn"[^\n]*gmail\.com[^\n]*"msg":"a feed update was rejected"/,
      );
      expect(await isDisposable(service, LATER)).toBe(false);
      expect(await isDisposable(service, DOMAIN)).toBe(true);
      const rows = await installation.json<{ id: string; state: string }[]>('intel', 'status');
      expect(rows.find(({ id }) => id === ID)).toMatchObject({ state: 'refused', entries: 1 });

      server.set('list', { body: `${LATER}\n${DOMAIN}\n` });
      await expect.poll(() => isDisposable(service, LATER), SOON).toBe(true);
    },
    PATIENCE_MS,
  );

  it(
    'without a network warns once for all feeds, however often it tries',
    async ({ expect, onTestFinished }) => {
      const { server, installation } = await begin({ onTestFinished });
      server.set('list', { status: 500 });
      const unreachable = { url: `${server.url}list`, enabled: true, everyHours: 0.0003 };
      await useFeeds(installation, { [ID]: unreachable, 'disposable-mx': unreachable });
      const service = await installation.start();
      const failures = 'gatehouse_feed_fetches_total{feed="disposable-mx",outcome="failed"}';
      await expect.poll(() => metric(service, failures), SOON).toBeGreaterThan(2);
      const warnings = service.output().match(/"level":"warn"[^\n]*could not be fetched[^\n]*/g);
      expect(warnings).toEqual([expect.stringContaining('2 feeds could not be fetched')]);
      expect(warnings?.[0]).toContain('the publisher answered 500');
    },
    PATIENCE_MS,
  );

  it(
    'follows the command line, even when it fetches nothing itself',
    async ({ expect, onTestFinished }) => {
      const { server, installation, isDisposable } = await begin({ onTestFinished });
      const service = await installation.start({ GATEHOUSE_FEEDS: 'off' });
      await installation.json('intel', 'refresh');
      await expect.poll(() => isDisposable(service, DOMAIN), SOON).toBe(true);
      server.set('list', { body: `${LATER}\n` });
      await installation.json('intel', 'refresh');
      await expect.poll(() => isDisposable(service, LATER), SOON).toBe(true);
      await installation.json('intel', 'rollback', ID);
      await expect.poll(() => isDisposable(service, LATER), SOON).toBe(false);
      expect(await isDisposable(service, DOMAIN)).toBe(true);
    },
    PATIENCE_MS,
  );

  it(
    'starts with a damaged snapshot, and builds a new one',
    async ({ expect, onTestFinished }) => {
      const { installation, isDisposable } = await begin({ onTestFinished });
      await installation.json('intel', 'refresh');
      const snapshots = join(installation.environment.GATEHOUSE_DATA_DIR as string, 'intel', 'snapshots');
      for (const file of await readdir(snapshots))
        await writeFile(join(snapshots, file), 'GHINTEL\nnonsense');
      const service = await installation.start();
      expect(await isDisposable(service, 'mailinator.com')).toBe(true);
      expect(service.output()).toMatch(/"level":"error"[^\n]*cannot be used/);
      await expect.poll(() => isDisposable(service, DOMAIN), SOON).toBe(true);
    },
    PATIENCE_MS,
  );
});
