/** Waves in the running service: learned behind the commit, stopped from about the tenth member on, again after a kill, and as people decide. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Assessment } from '../src/contract/messages.ts';
import { CAMPAIGN_FACT, type Campaign } from '../src/model/campaign.ts';
import { type Client, createClient } from './support/client.ts';
import { patienceMs } from './support/long-version.ts';
import { plant } from './support/plant.ts';
import { type Scene, startScene } from './support/scene.ts';
import type { ServiceProcess } from './support/service.ts';
import { withStored } from './support/stored.ts';

const PATIENCE = { timeout: patienceMs(30_000), interval: 20 };
/** A wave is known by then. */
const KNOWN = 14;

let scene: Scene;
let client: Client;
beforeAll(async () => {
  scene = await startScene({ process: true });
  client = scene.live;
});
afterAll(async () => {
  client?.close();
  await scene?.end();
});

let sent = 0;
/** A signup of a kit: a name that a program made, an address of a home, at one domain that nobody knew. */
async function member(domain: string): Promise<Assessment> {
  sent += 1;
  const name = BigInt(sent * 2_654_435_761 + 7 ** 14)
    .toString(36)
    .padStart(10, 'k');
  return (await client.assess({ email: `${name}@${domain}`, ip: `79.${192 + (sent % 60)}.${sent % 250}.7` }))
    .json;
}

const campaigns = (account = scene.account.id) =>
  withStored(scene.installation, async (store) => (await store.campaigns(account, { limit: 100 })).campaigns);
const campaignOf = async (domain: string) =>
  (await campaigns()).find(({ scopeText, state }) => scopeText === domain && state === 'open') as Campaign;

/** Whether it carries a campaign, as its stored evidence says. */
const isMember = ({ request_id: id }: Assessment) =>
  withStored(scene.installation, async (store) => {
    const stored = await store.findStored(id, { accountId: scene.account.id, mode: 'live' });
    return stored?.facts.includes(`"${CAMPAIGN_FACT}"`) === true;
  });

/** Sends members until there are enough for a wave, and waits for the campaign. */
async function learnedFrom(domain: string): Promise<Campaign> {
  for (let count = 0; count < KNOWN; count += 1) await member(domain);
  await expect.poll(() => campaignOf(domain), PATIENCE).toBeDefined();
  return campaignOf(domain);
}

it('stops a wave, and goes on with it after a kill', async () => {
  const domain = 'postfarm-one.com';
  const before = await learnedFrom(domain);
  expect(before).toMatchObject({ scope: 'domain', accountId: scene.account.id });
  expect((await member(domain)).verdict).not.toBe('allow');
  await (scene.service as ServiceProcess).kill();
  const service = await scene.installation.spawn();
  client.close();
  client = createClient(service.url, scene.account.live);
  for (let count = 0; count < 5; count += 1) expect((await member(domain)).verdict).not.toBe('allow');
  await expect
    .poll(async () => (await campaignOf(domain)).members, PATIENCE)
    .toBeGreaterThanOrEqual(before.members + 5);
  expect((await campaignOf(domain)).id).toBe(before.id);
});

it('lets in whom a person called our people, and never learns that wave again', async () => {
  const domain = 'postfarm-two.com';
  const { id } = await learnedFrom(domain);
  await scene.installation.json('campaign', 'dismiss', id, '--account', scene.account.id);
  await expect.poll(async () => isMember(await member(domain)), PATIENCE).toBe(false);
  for (let count = 0; count < KNOWN; count += 1) await member(domain);
  // Signups that came before are learned by then.
  await learnedFrom('postfarm-later.com');
  expect(await campaignOf(domain)).toBeUndefined();
  expect(await isMember(await member(domain))).toBe(false);
});

it('tells accounts apart', async () => {
  const other = await plant(scene.installation);
  await learnedFrom('postfarm-three.com');
  const own = client;
  client = own.as(other.live);
  await expect.poll(async () => (await member('postfarm-three.com')).verdict, PATIENCE).toBe('allow');
  client.close();
  client = own;
  expect(await campaigns(other.id)).toEqual([]);
});
