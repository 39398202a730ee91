/** The settings of an account: its time zone reaches every session, the audit log and the command line. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditRow, Session } from '../../src/contract/dashboard-account.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let owner: Person;
let path: string;

beforeAll(async () => {
  scene = await startScene();
  path = `/accounts/${scene.account.id}`;
  const person = await plantPerson(scene.installation, { account: scene.account.id, role: 'owner' });
  owner = await signIn(scene.service, person);
});
afterAll(async () => {
  owner?.close();
  await scene?.end();
});

const zoneOf = async () => (await owner.get<Session>('/session')).json.accounts[0]?.time_zone;

it('has UTC first, then the zone that an owner sets, with one entry in the audit log', async () => {
  expect(await zoneOf()).toBe('UTC');
  for (const _ of [1, 2]) {
    const { status, json } = await owner.send('PATCH', `${path}/settings`, { time_zone: 'europe/berlin' });
    expect([status, json]).toEqual([200, { time_zone: 'Europe/Berlin' }]);
  }
  expect(await zoneOf()).toBe('Europe/Berlin');
  const { json } = await owner.get<{ rows: AuditRow[] }>(`${path}/audit`);
  const changes = json.rows.filter(({ action }) => action === 'account_changed');
  expect(changes.map(({ detail }) => detail)).toEqual(['time zone UTC → Europe/Berlin']);
});

it('refuses what is no time zone, and keeps the one it has', async () => {
  for (const time_zone of ['Europe/Nowhere', '+02:00', 'x', ''])
    expect((await owner.send('PATCH', `${path}/settings`, { time_zone })).status, time_zone).toBe(400);
  expect(await zoneOf()).toBe('Europe/Berlin');
});
