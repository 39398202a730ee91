/** gatehouse campaign: waves are shown and decided about beside a running service, which follows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Campaign } from '../../src/model/campaign.ts';
import { hexOf, joinKeys } from '../../src/waves/group-key.ts';
import { ANY } from '../../src/waves/learning.ts';
import { scopeOf } from '../../src/waves/scopes.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { patienceMs } from '../support/long-version.ts';
import { type Planted, plant } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const HOLDS_WITHIN_MS = patienceMs(1_000);
const DOMAIN = colleague('jo').slice('jo@'.length);
const KEY = hexOf(joinKeys(scopeOf('domain', DOMAIN).key, ANY));

interface Row {
  readonly id: string;
  readonly state: string;
  readonly sure: boolean;
  readonly decision: string | null;
  readonly summary: string;
  readonly note: string | null;
  readonly odds: string;
}

let scene: Scene;
let account: Planted;
let campaign: Campaign;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      account = await plant(installation);
      campaign = (await withStored(installation, (store) =>
        store.saveLearned(aLearnedCampaign(account.id, DOMAIN, { key: KEY })),
      )) as Campaign;
    },
  });
});
afterAll(() => scene?.end());

const run = <T = Row>(name: string, ...args: string[]) =>
  scene.installation.json<T>('campaign', name, '--account', account.id, ...args);
const expectSoon = () =>
  expect.poll(async () => (await scene.live.assess({ email: colleague('jo') }, account.live)).json.verdict, {
    timeout: HOLDS_WITHIN_MS,
    interval: 20,
  });

it('shows, confirms, dismisses, ends and reopens a wave, and the service follows', async () => {
  await expectSoon().toBe('challenge');
  const [listed] = await run<Row[]>('list');
  expect(listed).toMatchObject({ id: campaign.id, state: 'open', sure: false });
  expect(listed?.summary).toContain(`a wave at ${DOMAIN}: all 9 names look generated`);
  expect(await run('show', campaign.id)).toMatchObject({ ...listed, odds: '1 in a billion' });

  const confirmed = await run('confirm', campaign.id, '--note', 'seen before');
  expect(confirmed).toMatchObject({ sure: true, decision: 'confirmed', note: 'seen before' });
  await expectSoon().toBe('block');
  expect(await run('dismiss', campaign.id)).toMatchObject({ state: 'ended', decision: 'dismissed' });
  await expectSoon().toBe('allow');
  expect(await run<Row[]>('list')).toEqual([]);
  expect((await run<Row[]>('list', '--all')).map(({ id }) => id)).toEqual([campaign.id]);
  expect(await run('reopen', campaign.id)).toMatchObject({ state: 'open', decision: null, note: null });
  await expectSoon().toBe('challenge');
  expect(await run('end', campaign.id)).toMatchObject({ state: 'ended', decision: null });
  await expectSoon().toBe('allow');
});

it('names what it does not find', async () => {
  for (const name of ['show', 'end', 'confirm', 'dismiss', 'reopen'])
    await expect(run(name, 'cmp_none')).rejects.toThrow(/no wave cmp_none; `gatehouse campaign list/);
});

it('is in the audit log, with who did it and why', async () => {
  const { entries } = await withStored(scene.installation, (store) =>
    store.auditEntries(account.id, null, 10),
  );
  const ours = entries.filter(({ action }) => action.startsWith('campaign.'));
  expect(ours.map(({ action, detail }) => [action, detail])).toEqual([
    ['campaign.end', ''],
    ['campaign.reopen', ''],
    ['campaign.dismiss', ''],
    ['campaign.confirm', 'seen before'],
  ]);
  expect(ours.every(({ by, target }) => by.startsWith('command line (') && target === campaign.id)).toBe(
    true,
  );
});
