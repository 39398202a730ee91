/** A user who was removed from their last account may still sign in, but reads nothing of the installation: tried on every route of the dashboard. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { registeredRoutes } from '../support/registered-routes.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const API = '/dashboard/api';
/** Routes that concern the person alone, and whether the service has an operator, which anybody may ask. */
const OWN: Readonly<Record<string, number>> = {
  'GET /first-start': 200,
  'GET /session': 200,
  'GET /sessions': 200,
  'DELETE /sessions': 204,
};

let installation: Installation;
let [ours, theirs] = ['', ''];
let operator: Person;
let member: Person;
let removed: Person;
/** Was a member before signing in, and signed in before being removed. */
let signedInBefore: Person;

beforeAll(async () => {
  installation = await createInstallation();
  ours = (await plant(installation, { name: 'ours' })).id;
  theirs = (await plant(installation, { name: 'theirs' })).id;
  const access = { account: ours, role: 'member' } as const;
  const [boss, stays, leaves] = await Promise.all([
    plantPerson(installation, 'operator'),
    plantPerson(installation, access),
    plantPerson(installation, access),
  ]);
  const service = await installation.start();
  operator = await signIn(service, boss);
  member = await signIn(service, stays);
  signedInBefore = await signIn(service, leaves);
  const membership = { user_id: leaves.id, account_id: ours };
  expect((await operator.send('DELETE', '/operator/memberships', membership)).status).toBe(204);
  removed = await signIn(service, leaves);
});
afterAll(async () => {
  for (const person of [operator, member, removed, signedInBefore]) person?.close();
  await installation?.remove();
});

const routes = (await registeredRoutes())
  .filter(({ path }) => path.startsWith(`${API}/`))
  .map(({ method, path }) => ({ method, path: path.slice(API.length) }));

it('knows the routes', () => {
  expect(routes.length).toBeGreaterThan(50);
  const names = routes.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(OWN).filter((name) => !names.includes(name))).toEqual([]);
});

it.each(routes)('$method $path answers nothing', async ({ method, path }) => {
  const own = OWN[`${method} ${path}`];
  for (const account of [ours, theirs]) {
    const at = `${path.replace(':account', account).replaceAll(/:\w+/g, 'none')}?account=${account}&q=mailinator.com`;
    const { status, text } =
      method === 'GET' ? await removed.get(at) : await removed.send(method as 'POST', at, {});
    if (own === undefined) expect([400, 401, 403, 404, 409, 429]).toContain(status);
    else expect(status).toBe(own);
    expect(text).not.toMatch(/"(?:snapshot|sources|listings|ours|theirs)"/);
  }
});

it('leaves them their name and an empty list of accounts', async () => {
  const { json } = await removed.get<Session>('/session');
  expect(json).toMatchObject({ accounts: [], distrusted: [] });
});

it('refuses the page of the intelligence to them alone', async () => {
  for (const path of ['/intelligence', '/intelligence/check?q=mailinator.com']) {
    expect((await removed.get(path)).status).toBe(403);
    expect([401, 403]).toContain((await signedInBefore.get(path)).status);
    for (const person of [operator, member]) expect((await person.get(path)).status).toBe(200);
  }
});
