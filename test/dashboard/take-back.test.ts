/** Taking back in the dashboard's API: what the preview counts, who is held at the provider, who is only listed, and the undo. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditRow } from '../../src/contract/dashboard-account.ts';
import type {
  ConnectionCheck,
  ConnectionRow,
  TakeBackDetails,
  TakeBackNamed,
  TakeBackPreview,
  TakeBackRow,
} from '../../src/contract/dashboard-take-back.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { type Browser, claimOperator, join } from '../support/browser.ts';
import { problemOf } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type ProviderServer, startProviderServer } from '../support/provider-servers.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const SIGNUPS = 12;
const users = Array.from({ length: SIGNUPS }, () => randomUUID());

let installation: Installation;
let service: Service;
let account: Planted;
let owner: Browser;
let analyst: Browser;
let provider: ProviderServer;
let connection: ConnectionRow;
let ids: string[];

beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_WEBHOOKS_PRIVATE: 'on' });
  account = await plant(installation);
  provider = await startProviderServer('kratos');
  for (const id of users) provider.users.set(id, { state: 'active' });
  // The last two have no user id, the first one was reported as good, and one was stopped.
  const signups = users.map((user, at) =>
    anAssessment({
      accountId: account.id,
      at: Date.now() - 60_000 + at,
      emailDomain: 'farm.example',
      sessionId: at < SIGNUPS - 2 ? user : null,
      verdict: at === 1 ? 'block' : 'allow',
    }),
  );
  // The first start makes the secret.
  await (await installation.start()).stop();
  ids = signups.map(({ requestId }) => requestId);
  await withStored(installation, async (store) => {
    for (const signup of signups) await store.record(signup);
    const report = { requestId: ids[0] as string, note: null, keyId: 'key', at: Date.now() };
    await store.saveFeedback({ ...report, outcome: 'false_positive' });
  });
  service = await installation.start();
  const operator = await claimOperator(service);
  owner = await join(operator, service, { email: 'owner@example.com', account: account.id, role: 'owner' });
  analyst = await join(operator, service, { email: 'an@example.com', account: account.id, role: 'analyst' });
});
afterAll(async () => {
  await provider?.close();
  await installation?.remove();
});

const path = (rest: string) => `/dashboard/api/accounts/${account.id}/${rest}`;
const filter = { domain: 'farm.example' };
const held = () => users.filter((id) => provider.users.get(id)?.state === 'inactive');
const details = async (id: string) =>
  (await analyst.send<TakeBackDetails>('GET', path(`takeback/${id}`))).json;
const until = async (id: string, state: string) =>
  expect.poll(async () => (await details(id)).job.state, { timeout: 60_000 }).toBe(state);

it('connects a provider, without ever showing its secret', async () => {
  const { url, secret } = provider.settings;
  const body = { kind: 'kratos', name: 'shop', url: `${url}/`, secret: 'wrong', session_is_user: true };
  const made = await owner.send<ConnectionRow>('POST', path('connections'), body);
  connection = made.json;
  expect(connection).toMatchObject({ name: 'shop', url, per_second: 10 });
  const check = async () =>
    (await owner.send<ConnectionCheck>('POST', path(`connections/${connection.id}/check`))).json.problem;
  expect(await check()).toContain('Ory did not accept');
  const change = (fields: object) => owner.send('PATCH', path(`connections/${connection.id}`), fields);
  expect(problemOf(await change({ url: 'http://127.0.0.1:9' }))).toMatchObject({ param: 'secret' });
  const changed = await change({ secret, per_second: 100 });
  expect(changed.text).not.toContain(secret);
  expect(await check()).toBeNull();
  const invalid = await owner.send('POST', path('connections'), { ...body, kind: 'keycloak' });
  expect(problemOf(invalid)).toMatchObject({ param: 'client_id' });
});

it('says before what it will do: who got in, who is known, and who is good', async () => {
  const preview = async (fields: object) =>
    (await analyst.send<TakeBackPreview>('POST', path('takeback/preview'), fields)).json;
  const choice = { connection_id: connection.id, filter };
  expect(await preview(choice)).toMatchObject({
    total: SIGNUPS - 2,
    known: SIGNUPS - 4,
    good: 1,
    good_signups: [{ request_id: ids[0] }],
    name: 'domain farm.example',
    partial: false,
  });
  expect(await preview({ ...choice, include_good: true })).toMatchObject({ total: SIGNUPS - 1 });
  expect(await preview({ connection_id: null, request_ids: ids.slice(0, 3) })).toMatchObject({
    total: 1,
    known: 0,
    name: '3 chosen signups',
  });
  expect(held()).toEqual([]);
});

it('holds them, lists those without an id, holds these with ids that a person adds, and undoes all', async () => {
  const started = await analyst.send<TakeBackRow>('POST', path('takeback'), {
    connection_id: connection.id,
    filter,
  });
  const { id } = started.json;
  await until(id, 'done');
  expect((await details(id)).job.counts).toMatchObject({ held: SIGNUPS - 4, missing: 2 });
  expect(held()).toEqual(users.slice(2, SIGNUPS - 2));
  const { text } = await analyst.send('GET', path(`takeback/${id}/accounts.csv`));
  const lines = text.trim().split('\r\n');
  expect(lines).toHaveLength(SIGNUPS - 1);
  expect(lines[0]).toBe('request_id,session_id,user_id,signed_up_at,state,problem');
  expect(lines.at(-1)).toMatch(`${ids.at(-1)},,,`);

  const named = await analyst.send<TakeBackNamed>('POST', path(`takeback/${id}/ids`), {
    ids: [{ request_id: ids.at(-1), user_id: users.at(-1) }],
  });
  expect(named.json).toEqual({ named: 1 });
  await until(id, 'done');
  expect(held()).toContain(users.at(-1));

  const [changed] = held() as [string];
  provider.users.set(changed, { state: 'inactive', state_changed_at: '2020-01-01T00:00:00Z' });
  await analyst.send('POST', path(`takeback/${id}/undo`));
  await until(id, 'done');
  expect((await details(id)).job).toMatchObject({
    phase: 'release',
    counts: { released: SIGNUPS - 4, changed: 1, missing: 1 },
    undo_until: null,
  });
  expect(held()).toEqual([changed]);
  expect(problemOf(await analyst.send('POST', path(`takeback/${id}/undo`)))).toMatchObject({
    code: 'conflict',
  });
  const { json } = await owner.send<{ rows: AuditRow[] }>('GET', path('audit'));
  const actions = json.rows.filter(({ target }) => target === id).map(({ action }) => action);
  expect(actions).toEqual(['takeback.undo', 'takeback.name', 'takeback.export', 'takeback.start']);
});

it('only lists accounts where no provider is chosen', async () => {
  const { json } = await analyst.send<TakeBackRow>('POST', path('takeback'), {
    connection_id: null,
    request_ids: [ids[2]],
  });
  expect(json).toMatchObject({ state: 'done', holds: false, total: 1, undo_until: null });
  expect(problemOf(await analyst.send('POST', path(`takeback/${json.id}/continue`)))).toMatchObject({
    code: 'conflict',
  });
});

it('refuses a connection in use, and says what the provider refused', async () => {
  await owner.send('PATCH', path(`connections/${connection.id}`), { secret: 'wrong' });
  const { json } = await analyst.send<TakeBackRow>('POST', path('takeback'), {
    connection_id: connection.id,
    request_ids: [ids[3]],
  });
  await until(json.id, 'refused');
  expect((await details(json.id)).job.problem).toContain('Ory did not accept');
  await owner.send('PATCH', path(`connections/${connection.id}`), { secret: provider.settings.secret });
  await analyst.send('POST', path(`takeback/${json.id}/continue`));
  await until(json.id, 'done');
  expect(held()).toContain(users[3]);
  expect((await owner.send('DELETE', path(`connections/${connection.id}`))).status).toBe(204);
  expect((await details(json.id)).job).toMatchObject({ connection: null, undo_until: null });
});
