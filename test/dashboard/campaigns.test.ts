/** Waves of signups in the dashboard's API: who sees them, their members, a decision and its undoing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditRow } from '../../src/contract/dashboard-account.ts';
import type { CampaignDetail, CampaignPageAnswer } from '../../src/contract/dashboard-campaigns.ts';
import type { Campaign } from '../../src/model/campaign.ts';
import { hexOf, joinKeys } from '../../src/waves/group-key.ts';
import { ANY } from '../../src/waves/learning.ts';
import { scopeOf } from '../../src/waves/scopes.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { type Browser, claimOperator, join } from '../support/browser.ts';
import { createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { colleague } from '../support/scene.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const DOMAIN = colleague('jo').slice('jo@'.length);
const KEY = hexOf(joinKeys(scopeOf('domain', DOMAIN).key, ANY));

let installation: Installation;
let service: Service;
let account: Planted;
let campaign: Campaign;
let owner: Browser;
let member: Browser;
beforeAll(async () => {
  installation = await createInstallation();
  account = await plant(installation);
  service = await installation.start();
  const operator = await claimOperator(service);
  owner = await join(operator, service, { email: 'owner@example.com', account: account.id, role: 'owner' });
  member = await join(operator, service, { email: 'm@example.com', account: account.id, role: 'member' });
  campaign = (await withStored(installation, (store) =>
    store.saveLearned(
      aLearnedCampaign(account.id, DOMAIN, { key: KEY, openedAt: Date.now() - 60_000, lastAt: Date.now() }),
    ),
  )) as Campaign;
});
afterAll(() => installation?.remove());

const API = '/dashboard/api';
const path = (rest = '') => `${API}/accounts/${account.id}/campaigns${rest}`;
const list = async (state: string) =>
  (await member.send('GET', path(`?state=${state}`))).json as unknown as CampaignPageAnswer;
const detail = async () =>
  (await member.send('GET', path(`/${campaign.id}`))).json as unknown as CampaignDetail;
const decide = (browser: Browser, body: object) =>
  browser.send('POST', path(`/${campaign.id}/decision`), body);

it('shows an open wave with the signups that were judged as its members', async () => {
  const client = createClient(service.url, account.live);
  const verdictOf = async (local: string) => (await client.assess({ email: colleague(local) })).json.verdict;
  await expect.poll(() => verdictOf('first'), { interval: 20 }).toBe('challenge');
  const last = (await client.assess({ email: colleague('last') })).json.request_id;
  await client.assess({ email: 'jo@elsewhere-works.com' });
  client.close();
  expect((await list('open')).data).toMatchObject([{ id: campaign.id, place: DOMAIN }]);
  const { members, partial } = await detail();
  expect(members[0]).toMatchObject({ request_id: last, verdict: 'challenge' });
  expect(members.every(({ domain }) => domain === DOMAIN)).toBe(true);
  expect(partial).toBe(false);
});

it('lets owners decide, not members, and takes a decision back', async () => {
  expect(problemOf(await decide(member, { action: 'confirm' })).status).toBe(403);
  const before = (await detail()).campaign;
  const confirmed = await decide(owner, { action: 'confirm', note: 'seen before' });
  expect(confirmed.json).toMatchObject({ decision: 'confirmed', sure: true, note: 'seen before' });
  expect((await decide(owner, { action: 'dismiss' })).json).toMatchObject({ state: 'ended' });
  expect((await list('open')).data).toEqual([]);
  expect((await list('ended')).data).toMatchObject([{ decision: 'dismissed' }]);
  const reopened = (await decide(owner, { action: 'reopen' })).json as unknown as typeof before;
  // The learner may count the signups of before meanwhile.
  const { members, stopped, let_in, last_at } = reopened;
  expect(reopened).toEqual({ ...before, members, stopped, let_in, last_at });
  expect(members).toBeGreaterThanOrEqual(before.members);
  expect(problemOf(await decide(owner, { action: 'burn' }))).toMatchObject({ param: 'action' });
  const log = await owner.send('GET', `${API}/accounts/${account.id}/audit`);
  const rows = (log.json as unknown as { rows: readonly AuditRow[] }).rows;
  const ours = rows.filter(({ action }) => action.startsWith('campaign.'));
  expect(ours.map(({ action, by }) => [action, by.startsWith('owner@example.com')])).toEqual([
    ['campaign.reopen', true],
    ['campaign.dismiss', true],
    ['campaign.confirm', true],
  ]);
});
