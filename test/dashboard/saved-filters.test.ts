/** Filters of signups that a person saves: hers alone, with a name each, without addresses, and relative where they are. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SavedFilterRow } from '../../src/contract/dashboard-saved-filters.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let member: Person;
let other: Person;
let filters: string;

interface Refusal {
  readonly error: { readonly code: string; readonly param: string; readonly message: string };
}

beforeAll(async () => {
  scene = await startScene();
  filters = `/accounts/${scene.account.id}/filters`;
  const join = async () =>
    signIn(
      scene.service,
      await plantPerson(scene.installation, { account: scene.account.id, role: 'member' }),
    );
  [member, other] = [await join(), await join()];
});
afterAll(async () => {
  member?.close();
  other?.close();
  await scene?.end();
});

const save = (name: string, query: string, by = member) =>
  by.send<SavedFilterRow & Refusal>('POST', filters, { name, query });
const saved = async (by = member) => (await by.get<SavedFilterRow[]>(filters)).json;

it('are saved, renamed and removed by their owner, and seen by nobody else', async () => {
  const { status, json } = await save('Blocked this week', 'verdict=block&period=7d&mode=test');
  // Live or sandbox is chosen beside it; what is relative stays relative.
  expect([status, json.query]).toEqual([200, 'period=7d&verdict=block']);
  expect(await saved()).toEqual([{ id: json.id, name: 'Blocked this week', query: json.query }]);
  expect(await saved(other)).toEqual([]);
  const path = `${filters}/${json.id}`;
  expect((await other.send('PATCH', path, { name: 'theirs' })).status).toBe(404);
  expect((await other.send('DELETE', path)).status).toBe(404);
  expect((await member.send('PATCH', path, { name: 'Blocked' })).status).toBe(200);
  expect((await saved()).map(({ name }) => name)).toEqual(['Blocked']);
  expect((await member.send('DELETE', path)).status).toBe(204);
  expect(await saved()).toEqual([]);
});

it('have a name of up to 60 characters, each once', async () => {
  const first = await save('one', 'country=DE');
  const second = await save('x'.repeat(60), 'country=FR');
  expect([first.status, second.status]).toEqual([200, 200]);
  expect((await save('y'.repeat(61), 'country=FR')).json.error).toMatchObject({ param: 'name' });
  expect((await save(' ', 'country=FR')).json.error).toMatchObject({ param: 'name' });
  expect([(await save('one', 'country=FR')).status, (await save('one', 'country=FR', other)).status]).toEqual(
    [409, 200],
  );
  const renamed = await member.send<Refusal>('PATCH', `${filters}/${second.json.id}`, { name: 'one' });
  expect([renamed.status, renamed.json.error.param]).toEqual([409, 'name']);
});

it('are filters that the list of signups knows, and have no address in them', async () => {
  expect((await save('empty', 'mode=live')).json.error).toMatchObject({ param: 'query' });
  expect((await save('unknown', 'colour=red')).json.error).toMatchObject({ param: 'colour' });
  expect((await save('not a country', 'country=Narnia')).json.error).toMatchObject({ param: 'country' });
  const long = `session_id=${'x'.repeat(5_000)}`;
  expect((await save('long', long)).json.error).toMatchObject({ param: 'query' });
  const inSession = await save('session', 'session_id=jane.doe%40example.com');
  expect(inSession.json.error).toMatchObject({ param: 'query', message: expect.stringContaining('address') });
  expect((await save('jane@example.com', 'country=DE')).json.error).toMatchObject({ param: 'name' });
});

it('are at most 50 for each person', async () => {
  const before = (await saved()).length;
  for (let at = before; at < 50; at += 1) expect((await save(`number ${at}`, 'country=DE')).status).toBe(200);
  const { status, json } = await save('one more', 'country=DE');
  expect([status, json.error.message]).toEqual([409, 'You have 50 saved filters.']);
});
