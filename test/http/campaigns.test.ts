/** Waves of signups: what the members of an open campaign get, what reports of them do, and what an erased person leaves of one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Campaign, LearnedCampaign } from '../../src/model/campaign.ts';
import type { HookProvider } from '../../src/model/hook.ts';
import { hexOf, joinKeys } from '../../src/waves/group-key.ts';
import { VICTIMS_MARK } from '../../src/waves/learn-victim.ts';
import { ANY } from '../../src/waves/learning.ts';
import { ACCOUNT, scopeOf } from '../../src/waves/scopes.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { aUsualDomain } from '../support/a-usual-domain.ts';
import { type HookSender, type KeyServer, makeSenders } from '../support/hook-senders.ts';
import { patienceMs } from '../support/long-version.ts';
import { type Planted, plant, plantTokens } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { readDecision, withStored } from '../support/stored.ts';

const HOLDS_WITHIN_MS = patienceMs(1_000);
const DOMAIN = colleague('jo').slice('jo@'.length);
const keyOf = (scope: 'domain' | 'address', text: string) => hexOf(joinKeys(scopeOf(scope, text).key, ANY));
const KEY = keyOf('domain', DOMAIN);
const IP = '203.0.113.77';

let scene: Scene;
let senders: Record<HookProvider, HookSender>;
let keyServer: KeyServer;
let token: string;
/** Each test has its own account. */
const fresh: Planted[] = [];
beforeAll(async () => {
  ({ senders, keyServer } = await makeSenders());
  scene = await startScene({
    async prepare(installation) {
      const [made] = await plantTokens(installation, { scopes: ['hooks:write'] });
      token = made?.text as string;
      for (let count = 0; count < 18; count += 1) fresh.push(await plant(installation));
    },
  });
});
afterAll(async () => {
  await scene?.end();
  await keyServer?.close();
});

async function createHook({ id }: Planted): Promise<{ readonly path: string }> {
  const path = `/v1/manage/accounts/${id}/hooks`;
  const body = { provider: 'supabase', name: 'form', secret: senders.supabase.secret };
  return (await scene.live.send<{ path: string }>({ method: 'POST', path, key: token, body })).json;
}
const newAccount = () => fresh.pop() as Planted;
const open = ({ id }: Planted, fields: Partial<LearnedCampaign> = {}) =>
  withStored(scene.installation, async (store) => {
    // The service ends those to which nobody came for long.
    const since = Date.now() - 600_000;
    const saved = await store.saveLearned(aLearnedCampaign(id, DOMAIN, { key: KEY, since, ...fields }));
    return saved as Campaign;
  });
const find = ({ accountId, id }: Campaign) =>
  withStored(scene.installation, (store) => store.findCampaign(accountId, id));
const assess = async ({ live }: Planted, local = 'jo', ip?: string) =>
  (await scene.live.assess({ email: colleague(local), ...(ip && { ip }) }, live)).json;
const verdictOf = async (account: Planted, local?: string) => (await assess(account, local)).verdict;
const expectSoon = (account: Planted) =>
  expect.poll(() => verdictOf(account), { timeout: HOLDS_WITHIN_MS, interval: 20 });

describe('an open campaign', () => {
  it('challenges its next member and says why, for its account alone', async () => {
    const [account, other] = [newAccount(), newAccount()];
    expect(await verdictOf(account)).toBe('allow');
    const campaign = await open(account);
    await expectSoon(account).toBe('challenge');
    const { request_id, reasons, score } = await assess(account, 'al');
    expect(reasons.map(({ code }: { code: string }) => code)).toContain('velocity_domain');
    expect(score).toBe(40);
    const { evidence, findings } = await readDecision(scene.installation, account.id, request_id);
    expect(evidence.campaign).toMatchObject({ id: campaign.id, members: 10, sure: false });
    expect(findings[0]?.detail).toContain(`member 10 of a wave at ${DOMAIN}: all 10 names look generated`);
    expect(await verdictOf(other)).toBe('allow');
    const again = (await scene.live.get(request_id, account.live)).json;
    expect(again.score).toBe(40);
  });

  it('blocks when it is sure, and lets people in again when it ends', async () => {
    const account = newAccount();
    const campaign = await open(account, { members: 20, decades: 12 });
    await expectSoon(account).toBe('block');
    await withStored(scene.installation, (store) =>
      store.endSilent(campaign.id, { lastAt: campaign.lastAt, at: Date.now() }),
    );
    await expectSoon(account).toBe('allow');
  });

  it('has nobody whom an administrator brings', async () => {
    const account = newAccount();
    await open(account);
    await expectSoon(account).toBe('challenge');
    const brought = { email: colleague('brought'), brought_by: 'admin' as const };
    expect((await scene.live.assess(brought, account.live)).json.verdict).toBe('allow');
  });
});

describe('a list bombing', () => {
  const SOON = { timeout: HOLDS_WITHIN_MS, interval: 20 };
  const openVictims = (account: Planted) =>
    open(account, {
      key: hexOf(joinKeys(ACCOUNT.key, VICTIMS_MARK)),
      scope: 'account',
      scopeText: '',
      mark: 'victims',
      families: ['names'],
    });
  const verdictOn = async (email: string, { live }: Planted) =>
    (await scene.live.assess({ email }, live)).json.verdict;

  it('challenges its next member and says that no mail is to be sent, again when it is read', async () => {
    const account = newAccount();
    const [, hook] = [await assess(account), await createHook(account)];
    await openVictims(account);
    await expect.poll(() => verdictOn(`noc@${DOMAIN}`, account), SOON).toBe('challenge');
    const sent = await scene.live.assess({ email: `abuse@${DOMAIN}` }, account.live);
    expect(sent.json.signals.email).toHaveProperty('mail_unwanted', true);
    expect(sent.json.reasons.map(({ code }: { code: string }) => code)).toContain('email_reputation');
    const { request_id } = sent.json;
    expect((await scene.live.get(request_id, account.live)).text).toBe(sent.text);
    const { findings } = await readDecision(scene.installation, account.id, request_id);
    expect(findings[0]?.detail).toContain('addresses of strangers, who probably did not sign up themselves');
    // The provider would send the mail: --challenge-as allow does not let it.
    const { headers, body } = await senders.supabase.sign(
      JSON.stringify(senders.supabase.payload({ email: 'j.a.ne.harbour@gmail.com', ip: IP })),
    );
    const answer = await scene.live.send({ method: 'POST', path: hook.path, key: null, headers, body });
    expect({ status: answer.status, body: answer.json }).toEqual(senders.supabase.deny);
  });

  it('has desks, dotted mailboxes and phones as its members, and nobody else', async () => {
    const account = newAccount();
    await openVictims(account);
    const victims = [`abuse@${DOMAIN}`, 'j.a.ne.harbour@gmail.com', '5551234567@vtext.com'];
    const ask = async (email: string) => (await scene.live.assess({ email }, account.live)).json;
    await expect.poll(() => verdictOn(`noc@${DOMAIN}`, account), SOON).toBe('challenge');
    for (const email of victims) {
      const answer = await ask(email);
      expect(answer.signals.email, email).toHaveProperty('mail_unwanted', true);
      expect(answer.verdict, email).toBe('challenge');
    }
    for (const email of [colleague('dee'), 'jane.harbour@gmail.com', `info@${DOMAIN}`]) {
      const answer = await ask(email);
      expect(answer.signals.email, email).not.toHaveProperty('mail_unwanted');
      expect(answer.verdict, email).toBe('allow');
    }
  });

  it('is said of nobody in another wave', async () => {
    const account = newAccount();
    await open(account);
    await expectSoon(account).toBe('challenge');
    const { signals } = await assess(account, 'cy');
    expect(signals.email).not.toHaveProperty('mail_unwanted');
  });
});

describe('reports of its members', () => {
  it('end it when two were good customers; the same report twice is one', async () => {
    const account = newAccount();
    const campaign = await open(account);
    await expectSoon(account).toBe('challenge');
    const [one, two] = [await assess(account, 'one'), await assess(account, 'two')];
    const report = (request_id: string, outcome = 'false_positive', headers = {}) =>
      scene.live.send({
        method: 'POST',
        path: '/v1/feedback',
        body: { request_id, outcome },
        key: account.live,
        headers,
      });
    for (const _ of [1, 2]) await report(one.request_id);
    expect(await find(campaign)).toMatchObject({ goodReports: 1, state: 'open' });
    await report(two.request_id, 'false_negative');
    expect(await find(campaign)).toMatchObject({ goodReports: 1, fraudReports: 1 });
    for (const _ of [1, 2]) await report(two.request_id, 'false_positive', { 'idempotency-key': 'again' });
    expect(await find(campaign)).toMatchObject({
      goodReports: 2,
      fraudReports: 0,
      ended: { reason: 'good_reports' },
    });
    await expectSoon(account).toBe('allow');
    await report(two.request_id, 'false_negative');
    await expectSoon(account).toBe('challenge');
  });

  it('are nothing for a signup that belongs to none', async () => {
    const account = newAccount();
    const { request_id } = await assess(account);
    const campaign = await open(account);
    await scene.live.feedback({ request_id, outcome: 'false_positive' }, account.live);
    expect(await find(campaign)).toMatchObject({ goodReports: 0 });
  });
});

describe('an erased member', () => {
  it('leaves no address in the campaign that is named after it', async () => {
    const account = newAccount();
    const fields = { scope: 'address', scopeText: IP, key: keyOf('address', IP) } as const;
    const campaign = await open(account, fields);
    const other = await open(account, { ...fields, scopeText: '198.51.100.1', key: 'b'.repeat(16) });
    await assess(account, 'zoe', IP);
    const person = ['--account', account.id, '--email', colleague('zoe')];
    await scene.installation.json('privacy', 'erase', ...person, '--yes');
    expect(await find(campaign)).toMatchObject({ scopeText: '', state: 'open' });
    expect(await find(other)).toMatchObject({ scopeText: '198.51.100.1' });
  });
});

it('is counted in the metrics', async () => {
  const { text } = await scene.live.send({ path: '/metrics' });
  expect(text).toMatch(/^gatehouse_campaigns_open [1-9]/m);
  expect(text).toMatch(/^gatehouse_campaign_members_total\{outcome="stopped"\} [1-9]/m);
});

describe('a usual domain', () => {
  const since = Date.now() - 60 * 86_400_000;
  /** Signups of people with student numbers, from as many networks, and the words about the last one. */
  async function crowd({ id, live }: Planted) {
    const answers = [];
    for (let number = 0; number < 20; number += 1) {
      const email = colleague(`s${2_500_000 + number}`);
      answers.push((await scene.live.assess({ email, ip: `81.2.${number}.9` }, live)).json);
    }
    const last = answers.at(-1);
    const { evidence, findings } = await readDecision(scene.installation, id, last?.request_id ?? '');
    const challenged = answers.filter(({ verdict }) => verdict !== 'allow').length;
    return { challenged, email: evidence.email, words: findings.map(({ detail }) => detail).join('; ') };
  }

  it('lets many of its people in at once, and says who came before; another account knows nothing of them', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const row = aUsualDomain(account.id, DOMAIN, { since, lastAt: Date.now() });
    await withStored(scene.installation, (store) => store.saveUsualDomain(row));
    const known = async () => {
      const { request_id } = await assess(account);
      return (await readDecision(scene.installation, account.id, request_id)).evidence.email.usualPeople;
    };
    await expect.poll(known, { timeout: HOLDS_WITHIN_MS, interval: 20 }).toBe(218);
    const here = await crowd(account);
    expect(here).toMatchObject({ challenged: 0, email: { standing: 'usual', usualSince: since } });
    expect(here.words).toContain('218 people of this domain came before, since ');
    const elsewhere = await crowd(other);
    expect(elsewhere.challenged).toBeGreaterThan(0);
    expect(elsewhere.email).toMatchObject({ standing: '', usualPeople: 0 });
  });
});
