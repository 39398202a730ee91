/** A feed whose new version changes many verdicts, on running services: it waits, and a person decides. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '../../src/contract/dashboard-account.ts';
import type { AlertPageAnswer } from '../../src/contract/dashboard-alerts.ts';
import type { Intelligence } from '../../src/contract/dashboard-installation.ts';
import { createClient } from './client.ts';
import { startDnsServer, type TestDnsServer } from './dns-server.ts';
import { startFeedServer, type TestFeedServer } from './feed-server.ts';
import { useFeeds } from './feeds-file.ts';
import { type Notified, startNotified } from './notified.ts';
import { type Person, plantPerson, signIn } from './person.ts';
import { type Planted, plant } from './plant.ts';
import { createInstallation, type Installation, type Service, type ServiceProcess } from './service.ts';
import { FEEDS_BUILD } from './small-build.ts';

const PATIENCE_MS = 240_000;
/** Only ends a test that hangs. */
const SOON = { timeout: 150_000, interval: 200 };
const FEED = 'disposable-curated';
/** A mail provider of our customers that no list vouches for. */
const PROVIDER = 'harbour-post-works.net';
const CLEAN = 'trashy-pendulum-mail.com\n';
const POISON = `${CLEAN}${PROVIDER}\n`;
/** Names that have no pattern in common: together these people are no wave. */
const NAMES =
  'anna.keller bwright charlotte dmitri.volkov elena_rossi f.okafor guptapriya hannahschmidt ivanov ' +
  'jmartinez kowalska.maria liwei mohammed.ali nguyenthi olaf oconnor.sean petra.novak quentin rjohnson ' +
  'svensson tanaka.yuki ulrike vega.luis wangfang xavier ygarcia zoe.dubois amelie.laurent brunocosta ' +
  'c.andersson danielle emre.yilmaz fatima gregor.weiss helmi isabel.santos jung kemalpasa larsen mwangi';
const CUSTOMERS = NAMES.split(' ');

/** @param databaseOf a database for two nodes; `undefined`: one service on SQLite */
export function describeWaitingFeed(name: string, databaseOf?: () => Promise<string>): void {
  describe(`a feed that would stop many customers, ${name}`, () => {
    let server: TestFeedServer;
    let dns: TestDnsServer;
    let notified: Notified;
    let installation: Installation;
    let service: ServiceProcess;
    let account: Planted;
    /** The second node. */
    let other: { readonly installation: Installation; readonly service: Service } | undefined;
    let operator: Person;
    let member: Person;

    beforeAll(async () => {
      [server, dns, notified] = await Promise.all([startFeedServer(), startDnsServer(), startNotified()]);
      dns.fallback = { mx: ['10 aspmx.l.google.com'] };
      server.set('list', { body: CLEAN });
      const database = await databaseOf?.();
      const settings = {
        GATEHOUSE_DNS_SERVERS: dns.address,
        ...notified.settings,
        ...(database !== undefined && { DATABASE_URL: database }),
      };
      const newNode = async () => {
        const node = await createInstallation(settings, FEEDS_BUILD);
        await useFeeds(node, { [FEED]: { url: `${server.url}list`, enabled: true, everyHours: 0.0003 } });
        return node;
      };
      installation = await newNode();
      account = await plant(installation);
      service = await installation.spawn();
      if (database !== undefined) {
        const second = await newNode();
        other = { installation: second, service: await second.start() };
      }
      await signInBoth();
      await installation.run('user', 'verify', member.email);
      await notified.listen(member, account.id, ['alert.opened', 'alert.closed'], member.email);
    }, PATIENCE_MS);
    afterAll(async () => {
      operator?.close();
      member?.close();
      await other?.installation.remove();
      await installation?.remove();
      await Promise.all([server?.close(), dns?.close(), notified?.close()]);
    });

    const node = () => other?.service ?? service;
    async function signInBoth(): Promise<void> {
      const people = await Promise.all([
        plantPerson(installation, 'operator'),
        plantPerson(installation, { account: account.id, role: 'owner' }),
      ]);
      [operator, member] = (await Promise.all(people.map((person) => signIn(node(), person)))) as [
        Person,
        Person,
      ];
    }
    async function feed(reader = operator) {
      const { json } = await reader.get<Intelligence>('/intelligence');
      const found = json.sources.find(({ id }) => id === FEED);
      if (found === undefined) throw new Error(`no feed ${FEED}`);
      return found;
    }
    async function isDisposable(domain: string, at: Service = service): Promise<boolean> {
      const client = createClient(at.url, account.live);
      try {
        const { json } = await client.assess({ email: `jo@${domain}` });
        return json.signals.email.disposable;
      } finally {
        client.close();
      }
    }
    const everywhere = async (expected: boolean) => {
      for (const at of [service, node()])
        await expect.poll(() => isDisposable(PROVIDER, at), SOON).toBe(expected);
    };
    /** A folder as `intel export` writes it. */
    async function writeBundle(list: string): Promise<string> {
      const folder = join(installation.directory, 'stick');
      await mkdir(folder, { recursive: true });
      const version = createHash('sha256').update(list).digest('hex').slice(0, 16);
      const entry = { id: FEED, version, fetched_at: new Date().toISOString() };
      await writeFile(join(folder, `${FEED}.feed`), list);
      await writeFile(join(folder, 'manifest.json'), JSON.stringify({ feeds: [entry] }));
      return folder;
    }
    const decide = async (choice: 'use' | 'keep') =>
      operator.send<Intelligence>(
        'POST',
        `/intelligence/${FEED}/${choice}?version=${encodeURIComponent((await feed()).state_version)}`,
      );

    it('is used at first, whatever it says', { timeout: PATIENCE_MS }, async () => {
      await expect.poll(async () => (await feed()).state, SOON).toBe('ok');
      await expect.poll(() => isDisposable('trashy-pendulum-mail.com'), SOON).toBe(true);
      const client = createClient(service.url, account.live);
      for (const [at, customer] of CUSTOMERS.entries()) {
        const ip = `79.${at + 192}.${at * 5}.7`;
        const { status } = await client.assess({ email: `${customer}@${PROVIDER}`, ip });
        expect(status).toBe(200);
      }
      client.close();
    });

    it('waits: the version before it stays in use, and its signups are shown to operators', {
      timeout: PATIENCE_MS,
    }, async () => {
      const { version } = await feed();
      server.set('list', { body: POISON });
      await expect.poll(async () => (await feed()).state, SOON).toBe('waiting');
      const waiting = await feed();
      expect(waiting).toMatchObject({ version, review: { decision: 'none', entries: 2, milder: 0 } });
      expect(waiting.review?.stricter).toBeGreaterThanOrEqual(CUSTOMERS.length);
      expect(waiting.review?.judged).toBeGreaterThanOrEqual(CUSTOMERS.length);
      const [example] = waiting.review?.examples ?? [];
      expect(example).toMatchObject({ account_id: account.id, old_verdict: 'allow' });
      const detail = await operator.get(`/accounts/${account.id}/assessments/${example?.request_id}`);
      expect(detail.status).toBe(200);
      expect(await feed(member)).toMatchObject({ state: 'waiting', review: null });
      await everywhere(false);
    });

    it('opens an alert that says how many', { timeout: PATIENCE_MS }, async () => {
      const alerts = async (reader: Person) =>
        (await reader.get<AlertPageAnswer>(`/accounts/${account.id}/alerts`)).json.data.filter(
          ({ kind }) => kind === 'feed',
        );
      await expect.poll(async () => (await alerts(operator)).length, SOON).toBe(1);
      const [alert] = await alerts(operator);
      expect(alert?.title).toBe(`An update of the feed ${FEED} waits for you`);
      expect(alert?.text).toMatch(
        /^With it, \d+ of \d+ signups of the last 7 days would get another verdict/,
      );
      expect(await alerts(member)).toEqual([]);
    });

    it('tells it by webhook and by e-mail, once each', { timeout: PATIENCE_MS }, async () => {
      const title = `An update of the feed ${FEED} waits for you`;
      await expect.poll(() => notified.webhooks.length, SOON).toBe(1);
      const [event = ''] = notified.webhooks;
      expect(JSON.parse(event)).toMatchObject({
        type: 'alert.opened',
        data: { kind: 'feed', subject: FEED },
      });
      expect(event).toContain(title);
      await expect.poll(() => notified.mails.length, SOON).toBe(1);
      const mail = notified.mails[0]?.text.replaceAll(/=?\r\n/g, '') ?? '';
      expect(notified.mails[0]?.to).toEqual([member.email]);
      expect(mail.replaceAll(' ', '')).toContain(title.replaceAll(' ', ''));
      // Neither says whose signups: all accounts get it.
      expect(event).not.toContain('req_');
      expect(mail).not.toContain('req_');
    });

    it('still waits after a kill', { timeout: PATIENCE_MS }, async () => {
      const before = await feed();
      await service.kill();
      service = await installation.spawn();
      if (other === undefined) await signInBoth();
      await expect.poll(async () => (await feed()).state, SOON).toBe('waiting');
      expect((await feed()).review).toEqual(before.review);
      await everywhere(false);
    });

    it('is used when an operator says so, and not by anybody else', { timeout: PATIENCE_MS }, async () => {
      for (const choice of ['use', 'keep'])
        expect((await member.send('POST', `/intelligence/${FEED}/${choice}`)).status).toBe(403);
      const { status, json } = await decide('use');
      expect([status, json]).toEqual([200, expect.anything()]);
      expect(await feed()).toMatchObject({ state: 'ok', entries: 2, review: { decision: 'used' } });
      await everywhere(true);
      expect((await decide('use')).status).toBe(409);
    });

    it('is taken back by keeping the old one, from the command line', { timeout: PATIENCE_MS }, async () => {
      const row = await installation.json<object>('intel', 'keep', FEED);
      expect(row).toMatchObject({ id: FEED, entries: 1 });
      await expect.poll(async () => (await feed()).review?.decision, SOON).toBe('kept');
      await everywhere(false);
      // The publisher still has it: that asks nobody again.
      const answers = server.answered('list').length;
      await expect.poll(() => server.answered('list').length, SOON).toBeGreaterThan(answers + 2);
      expect(await feed()).toMatchObject({ entries: 1, review: { decision: 'kept' } });
      expect((await feed()).state).not.toBe('waiting');
      expect((await installation.run('intel', 'keep', FEED)).stderr).toContain('no version waits');
    });

    it('is used from the command line, too, and both are in the audit log', {
      timeout: PATIENCE_MS,
    }, async () => {
      await installation.json('intel', 'use', FEED);
      await everywhere(true);
      const { json } = await operator.get<{ rows: readonly AuditRow[] }>('/operator/audit');
      const actions = json.rows.map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining(['intelligence.use', 'intelligence.keep']));
    });

    it('ends with the next version of the publisher', { timeout: PATIENCE_MS }, async () => {
      await decide('keep');
      await everywhere(false);
      server.set('list', { body: `${CLEAN}another-pendulum-mail.com\n` });
      await expect.poll(async () => (await feed()).entries, SOON).toBe(2);
      await expect.poll(() => isDisposable('another-pendulum-mail.com', node()), SOON).toBe(true);
      expect(await feed()).toMatchObject({ state: 'ok', review: null });
      expect(await isDisposable(PROVIDER)).toBe(false);
    });

    it('is compared before a command uses it, where it is to be', { timeout: PATIENCE_MS }, async () => {
      // The publisher is away, so that nothing but the command brings a version.
      server.set('list', { status: 503 });
      await expect.poll(async () => (await feed()).state, SOON).toBe('failed');
      const folder = await writeBundle(POISON);
      const imported = await installation.run('intel', 'import', folder, '--compare');
      expect(imported).toMatchObject({ status: 0, stderr: expect.stringContaining('not used yet') });
      await expect.poll(async () => (await feed()).state, SOON).toBe('waiting');
      await everywhere(false);
      await decide('keep');
      const another = await writeBundle(`${CLEAN}a-third-pendulum-mail.com\n`);
      const used = await installation.run('intel', 'import', another);
      expect(used).toMatchObject({ status: 0, stderr: expect.stringContaining('not compared') });
    });
  });
}
