/** Intelligence in the dashboard: sources are shown, refreshed and rolled back by the feed thread. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type {
  Intelligence,
  MailHostReport,
  SourceLookup,
} from '../../src/contract/dashboard-installation.ts';
import { until } from '../support/expectations.ts';
import { startFeedServer, type TestFeedServer } from '../support/feed-server.ts';
import { useFeeds } from '../support/feeds-file.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

const PATIENCE_MS = 180_000;
const LIST = 'domains?access=OPERATORS-TOKEN';
let server: TestFeedServer;
let scene: Scene;
let operator: Person;
let member: Person;
beforeAll(async () => {
  server = await startFeedServer();
  server.set(LIST, { body: 'first-throwaway.com\nsecond-throwaway.com\n' });
  scene = await startScene({
    prepare: async (installation) => {
      await useFeeds(installation, {
        'disposable-curated': { url: `${server.url}${LIST}`, enabled: true },
      });
    },
  });
  const people = await Promise.all([
    plantPerson(scene.installation, 'operator'),
    plantPerson(scene.installation, { account: scene.account.id, role: 'member' }),
  ]);
  [operator, member] = (await Promise.all(people.map((person) => signIn(scene.service, person)))) as [
    Person,
    Person,
  ];
  await until(
    async () => (await feed())?.state === 'ok' && (await isDisposable('first-throwaway.com')),
    PATIENCE_MS,
  );
}, PATIENCE_MS);
afterAll(async () => {
  operator?.close();
  member?.close();
  await scene?.end();
  await server?.close();
});

const readIntelligence = async () => (await member.get<Intelligence>('/intelligence')).json;
const feed = async () => (await readIntelligence()).sources.find(({ id }) => id === 'disposable-curated');
const check = async (q: string) =>
  (await member.get<SourceLookup>(`/intelligence/check?q=${encodeURIComponent(q)}`)).json;
const isDisposable = async (q: string) =>
  (await check(q)).claims.some(({ fact, holds }) => fact === 'disposable' && holds);

describe('intelligence', () => {
  it('shows each source, feeds first, bundled ones after them', async () => {
    const { snapshot, fetching, sources } = await readIntelligence();
    expect(snapshot).toMatch(/^[0-9a-f]{16}/);
    expect(fetching).toBe(true);
    expect(await feed()).toMatchObject({ state: 'ok', entries: 2, added: null, can_roll_back: false });
    expect(sources.find(({ id }) => id === 'mailchecker')).toMatchObject({
      state: 'bundled',
      says: 'disposable',
    });
    expect(sources.filter(({ state }) => state === 'off').length).toBeGreaterThan(5);
  });

  it('shows the origin of a feed to members, and no value of its query to operators', async () => {
    expect((await feed())?.url).toBe(server.url.replace(/\/$/, ''));
    const { json } = await operator.get<Intelligence>('/intelligence');
    const seen = json.sources.find(({ id }) => id === 'disposable-curated');
    expect(seen?.url).toBe(`${server.url}domains?access=***`);
    expect(JSON.stringify([json, await readIntelligence()])).not.toContain('OPERATORS-TOKEN');
    expect((await readIntelligence()).sources.find(({ id }) => id === 'mailchecker')?.url).toContain(
      '/mailchecker',
    );
  });

  it('checks a domain, an address and an IP, and says so if the text is none of these', async () => {
    expect(await check('jo@mailinator.com')).toMatchObject({ query: 'mailinator.com', kind: 'domain' });
    expect((await check('mailinator.com')).summary[0]).toContain('mailinator.com is disposable by ');
    expect(await check('8.8.8.8')).toMatchObject({ query: '8.8.8.8', kind: 'ip' });
    expect(await check('first-throwaway.com')).toMatchObject({
      claims: [
        { source: 'disposable-curated', fact: 'disposable', entry: 'first-throwaway.com', holds: true },
      ],
    });
    expect((await member.get('/intelligence/check?q=%20')).status).toBe(400);
  });

  it('is refreshed when an operator asks, and rolled back', { timeout: PATIENCE_MS }, async () => {
    const before = (await feed())?.version;
    server.set(LIST, { body: 'second-throwaway.com\nthird-throwaway.com\n' });
    for (const path of ['/intelligence/refresh', '/intelligence/disposable-curated/rollback'])
      expect((await member.send('POST', path)).status).toBe(403);
    const begun = await operator.send<Intelligence>('POST', '/intelligence/refresh', {
      ids: ['disposable-curated'],
    });
    expect(begun.json.refreshing).toBe(true);
    await until(async () => !(await readIntelligence()).refreshing, PATIENCE_MS);
    expect(await feed()).toMatchObject({ entries: 2, added: 1, removed: 1, can_roll_back: true });
    await until(() => isDisposable('third-throwaway.com'), PATIENCE_MS);
    expect(await isDisposable('first-throwaway.com')).toBe(false);
    const folder = join(scene.service.dataDir, 'intel', 'feeds', 'disposable-curated');
    const earlier = join(folder, `${before}.gz`);
    await rename(earlier, `${earlier}.away`);
    const refused = await operator.send('POST', '/intelligence/disposable-curated/rollback');
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`the earlier version ${before} can no longer be read`);
    await rename(`${earlier}.away`, earlier);
    const { json: judged } = await scene.live.assess({ email: 'jo@third-throwaway.com' });
    const detail = await member.get<AssessmentDetail>(
      `/accounts/${scene.account.id}/assessments/${judged.request_id}`,
    );
    expect(detail.json.waterfall[0]?.hits).toMatchObject([
      { source: 'disposable-curated', entry: 'third-throwaway.com', version: (await feed())?.version },
    ]);

    const back = await operator.send<Intelligence>('POST', '/intelligence/disposable-curated/rollback');
    expect(back.status).toBe(200);
    await until(() => isDisposable('first-throwaway.com'), PATIENCE_MS);
    expect(await isDisposable('third-throwaway.com')).toBe(false);
    const again = await operator.send('POST', '/intelligence/disposable-curated/rollback');
    expect(again.status).toBe(409);
    const nobody = await operator.send('POST', '/intelligence/nothing/rollback');
    expect(nobody.status).toBe(404);
    const off = await operator.send('POST', '/intelligence/refresh', { ids: ['tor-exits'] });
    expect(off.status).toBe(400);
  });

  it('quotes the content of a refused or failed feed only to operators', {
    timeout: PATIENCE_MS,
  }, async () => {
    const refresh = async () => {
      await operator.send('POST', '/intelligence/refresh', { ids: ['disposable-curated'] });
      await until(async () => !(await readIntelligence()).refreshing, PATIENCE_MS);
      const seenByOperator = (await operator.get<Intelligence>('/intelligence')).json.sources;
      return [seenByOperator.find(({ id }) => id === 'disposable-curated'), await feed()];
    };
    server.set(LIST, { body: 'SECRET-INTERNAL-TOKEN access_key=abc\n' });
    const [refused, plainly] = await refresh();
    expect(refused?.last_refusal?.why).toContain('SECRET-INTERNAL-TOKEN');
    expect(plainly?.last_refusal?.why).toMatch(/^The publisher’s update did not pass the checks\./);
    server.set(LIST, { redirectTo: `http://169.254.169.254/SECRET` });
    const [failed, shortly] = await refresh();
    expect(failed?.last_failure).toContain('169.254.169.254 at port 80 is not a public address');
    expect(shortly?.last_failure).toMatch(/^The last update could not be fetched\./);
    expect(JSON.stringify(await readIntelligence())).not.toMatch(/SECRET|169\.254/);
  });
});

describe('a mail host', () => {
  const host = async (q: string, person = operator) =>
    person.get<MailHostReport>(`/intelligence/host?q=${encodeURIComponent(q)}`);
  const change = async (path: string, body: object) => {
    const { status, json } = await operator.send<MailHostReport>('POST', `/intelligence/host/${path}`, body);
    expect(status).toBe(200);
    return json;
  };

  it('shows what was seen there; operators can forget or trust it, which is in the audit log', async () => {
    scene.dns.set('mx.one-harbour.com', { a: ['198.51.100.7'] });
    for (const domain of ['mailinator.com', 'yopmail.com', 'bakery-harbour.com']) {
      scene.dns.set(domain, { mx: ['10 mx.one-harbour.com'] });
      await scene.live.assess({ email: `jo@${domain}` });
    }
    await until(async () => (await host('mx2.one-harbour.com')).json.listed === 2);
    await until(async () => (await host('mx.one-harbour.com')).json.addresses[0]?.ordinary === 1);
    const seen = (await host('MX2.One-Harbour.com.')).json;
    expect(seen).toMatchObject({
      host: 'mx2.one-harbour.com',
      remembered_as: '*.one-harbour.com',
      state: 'ordinary',
      listed: 2,
      ordinary: 1,
      accounts: 1,
      listed_domains: ['mailinator.com', 'yopmail.com'],
      ordinary_domains: ['bakery-harbour.com'],
      hosts: ['mx.one-harbour.com'],
      addresses: [{ address: '198.51.100.7', listed: 2, ordinary: 1 }],
      decision: null,
    });
    expect(seen.summary).toContain('2 listed disposable domains and 1 ordinary domain');

    const forgotten = await change('forget', { host: 'mx.one-harbour.com' });
    expect(forgotten).toMatchObject({
      state: 'unknown',
      listed: 0,
      first_seen: null,
      decision: { forgotten: 1, never_flag: false, by: operator.email },
    });
    expect((await host('198.51.100.7')).json).toMatchObject({ listed: 0, decision: { forgotten: 1 } });

    const never = await change('never-flag', { host: 'one-harbour.com', never_flag: true });
    expect(never).toMatchObject({ state: 'never_flagged', decision: { never_flag: true } });
    const again = await change('never-flag', { host: 'one-harbour.com', never_flag: false });
    expect(again).toMatchObject({ state: 'unknown', decision: { never_flag: false } });
    const { rows } = (await operator.get<{ rows: readonly AuditRow[] }>('/operator/audit')).json;
    expect(rows.slice(0, 3).map(({ action, target }) => [action, target])).toEqual([
      ['intelligence.host_judged_again', '*.one-harbour.com'],
      ['intelligence.host_never_flagged', '*.one-harbour.com'],
      ['intelligence.host_forgotten', '*.one-harbour.com'],
    ]);
  });

  it('that is not a host is refused, and members may do none of this', async () => {
    expect((await host('no host')).status).toBe(400);
    expect((await operator.send('POST', '/intelligence/host/forget', { host: '' })).status).toBe(400);
    const google = { host: 'aspmx.l.google.com', never_flag: true };
    for (const path of ['forget', 'never-flag'])
      expect((await operator.send('POST', `/intelligence/host/${path}`, google)).status).toBe(409);
    const undo = { host: 'undecided.example', never_flag: false };
    expect((await operator.send('POST', '/intelligence/host/never-flag', undo)).status).toBe(409);
    expect((await host('aspmx.l.google.com')).json.decision).toBeNull();
    expect((await operator.send('POST', '/intelligence/host/never-flag', { host: 'a.com' })).status).toBe(
      400,
    );
    expect((await host('a.com', member)).status).toBe(403);
    for (const path of ['forget', 'never-flag']) {
      const body = { host: 'a.com', never_flag: true };
      expect((await member.send('POST', `/intelligence/host/${path}`, body)).status).toBe(403);
    }
  });
});
