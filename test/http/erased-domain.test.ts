/** After an erasure nothing names the person's own domain or their list entries: not in the file or the tables, not after later signups, a restart or a restore. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PersonCounts } from '../../src/contract/dashboard-privacy.ts';
import { gatehouse } from '../support/command.ts';
import { until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { createInstallation } from '../support/service.ts';
import { everythingStored } from '../support/stored.ts';

const OWN = 'doe-familienname.com';
const REASONS = ['anna doe phoned', 'her earlier entry', 'for her news'];
const TRACES = [OWN, ...REASONS];
/** A firm with two signups in the account, and a domain of two accounts. */
const FIRM = 'acme-werkzeuge.com';
const BOTH = 'zwei-konten.com';

let scene: Scene;
let owner: Person;
let second: string;
let lists: string;
beforeAll(async () => {
  scene = await startScene({
    rdap: true,
    prepare: async (installation) => {
      second = (await plant(installation)).live;
    },
  });
  const { installation, service, account, dns, rdap } = scene;
  lists = `/accounts/${account.id}/lists`;
  for (const [at, domain] of [OWN, FIRM, BOTH].entries()) {
    dns.set(domain, { mx: [`10 mx.${domain}`] });
    dns.set(`mx.${domain}`, { a: [`45.33.32.${at + 1}`] });
    rdap.set(domain, { registered: '2004-05-06T00:00:00Z' });
  }
  owner = await signIn(service, await plantPerson(installation, { account: account.id, role: 'owner' }));
});
afterAll(async () => {
  owner?.close();
  await scene?.end();
});

const assess = async (email: string, key = scene.account.live) => {
  const response = await fetch(`${scene.service.url}/v1/assess`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  expect(response.status).toBe(200);
};
const stored = async (texts: readonly string[], { installation } = scene) => {
  const everything = await everythingStored(installation);
  return texts.filter((text) => everything.some((part) => part.includes(text)));
};
/**
 * Written a moment after the answer: the record of the host by its name and by its address.
 * @param again another signup: what DNS answers too late for one is known to the next
 */
const areRemembered = (domains: readonly string[], again?: () => Promise<void>) =>
  until(async () => {
    await again?.();
    const everything = Buffer.concat(await everythingStored(scene.installation)).toString('latin1');
    return domains.every(
      (domain) =>
        everything.includes(`host-record:*.${domain}`) &&
        everything.includes(`mail-host-address:mx.${domain}`),
    );
  });

it('is gone from everything that is stored, and what others used stays', async () => {
  for (const email of [`anna@${OWN}`, `anna+news@${OWN}`, `jo@${FIRM}`, `al@${FIRM}`, `anna@${BOTH}`])
    await assess(email);
  await assess(`mo@${BOTH}`, second);
  await owner.send('POST', lists, { action: 'deny', value: `anna@${OWN}`, reason: REASONS[1] });
  const [entry] = (await owner.get<{ id: string }[]>(lists)).json;
  await owner.send('DELETE', `${lists}/${entry?.id}`);
  await owner.send('POST', lists, { action: 'allow', value: `anna@${OWN}`, reason: REASONS[0] });
  await owner.send('POST', lists, {
    action: 'allow',
    value: `anna+news@${OWN}`,
    exact: true,
    reason: REASONS[2],
  });
  await areRemembered([OWN, FIRM, BOTH]);
  expect(await stored(TRACES)).toEqual(TRACES);

  // Both addresses of the mailbox are kept once they are learned.
  const search = `/accounts/${scene.account.id}/privacy/search`;
  await until(async () => {
    const { json } = await owner.send<PersonCounts>('POST', search, { email: `anna@${OWN}` });
    return json.mailbox_addresses === 2;
  });

  const erase = (email: string) =>
    owner.send<{ assessments: number }>('POST', `/accounts/${scene.account.id}/privacy/erase`, { email });
  expect((await erase(`anna@${OWN}`)).json).toMatchObject({ assessments: 2, list_entries: 2 });
  await until(async () => (await stored(TRACES)).length === 0);
  // One of two people of the firm: its domain stays. The observations of the other account stay for a domain of both.
  expect((await erase(`jo@${FIRM}`)).json).toMatchObject({ assessments: 1 });
  expect((await erase(`anna@${BOTH}`)).json).toMatchObject({ assessments: 1 });
  expect(await stored([FIRM, BOTH])).toEqual([FIRM, BOTH]);
  const { rows } = (
    await owner.get<{ rows: { action: string; detail: string }[] }>(`/accounts/${scene.account.id}/audit`)
  ).json;
  expect(rows.filter(({ action }) => action === 'privacy.erase').map(({ detail }) => detail)).toEqual([
    '1 assessments, 0 list entries',
    '1 assessments, 0 list entries',
    '2 assessments, 2 list entries, 2 mailbox addresses, 4 entries of this log',
  ]);
});

it.runIf(process.env.GATEHOUSE_TEST_ON === 'servers')(
  'is gone from another node, which had it in memory and writes the same record again',
  async () => {
    const node = await scene.installation.start({
      GATEHOUSE_DATA_DIR: `${scene.installation.directory}/node`,
    });
    const there = async (email: string) => {
      const response = await fetch(`${node.url}/v1/assess`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${scene.account.live}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email }),
      });
      expect(response.status).toBe(200);
    };
    await there(`anna@${OWN}`);
    await areRemembered([OWN]);
    await owner.send('POST', `/accounts/${scene.account.id}/privacy/erase`, { email: `anna@${OWN}` });
    expect(await stored(TRACES)).toEqual([]);
    scene.dns.set('nebenan.com', { mx: ['10 mx.nebenan.com'] });
    scene.dns.set('mx.nebenan.com', { a: ['45.33.32.1'] });
    await areRemembered(['nebenan.com'], () => there('li@nebenan.com'));
    expect(await stored(TRACES)).toEqual([]);
    await node.stop();
    expect(await stored(TRACES)).toEqual([]);
  },
);

it('does not come back with later signups at the same mail host, or after a restart', async () => {
  // Its mail is at the address of the erased domain's host, which memory may still know.
  scene.dns.set('spaeter.com', { mx: ['10 mx.spaeter.com'] });
  scene.dns.set('mx.spaeter.com', { a: ['45.33.32.1'] });
  await areRemembered(['spaeter.com'], () => assess('li@spaeter.com'));
  expect(await stored(TRACES)).toEqual([]);
  await scene.service.stop();
  expect(await stored(TRACES)).toEqual([]);
  const again = await scene.installation.start();
  await again.stop();
  expect(await stored(TRACES)).toEqual([]);
});

it('is gone after a restore of an older backup, too', async () => {
  const { installation } = scene;
  if (installation.environment.DATABASE_URL !== undefined) return;
  const older = await createInstallation({ GATEHOUSE_DNS_SERVERS: scene.dns.address });
  const account = await plant(older);
  const service = await older.start();
  for (const domain of [OWN, FIRM]) {
    const response = await fetch(`${service.url}/v1/assess`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${account.live}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `anna@${domain}` }),
    });
    expect(response.status).toBe(200);
  }
  await until(
    async () => (await stored([`host-record:*.${OWN}`], { ...scene, installation: older })).length === 1,
  );
  const backup = `${older.directory}/older.backup`;
  expect((await older.run('backup', backup)).status).toBe(0);
  await service.stop();
  await older.json('privacy', 'erase', '--account', account.id, '--email', `anna@${OWN}`, '--yes');
  expect(await stored([OWN], { ...scene, installation: older })).toEqual([]);
  const list = `${older.environment.GATEHOUSE_DATA_DIR}/erasures.jsonl`;
  const restored = { ...older.environment, GATEHOUSE_DATA_DIR: `${older.directory}/restored` };
  const run = await gatehouse(['restore', backup, '--erasures', list, '--json'], restored);
  expect(JSON.parse(run.stdout)).toMatchObject({ erased_again: 1 });
  const there = { ...scene, installation: { ...older, environment: restored } };
  expect(await stored([OWN], there)).toEqual([]);
  expect(await stored([FIRM], there)).toEqual([FIRM]);
  await older.remove();
});
