/** Access by a key: both secrets of a rotation, expiry, and allowed addresses of callers behind a trusted proxy. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey, KeyRow } from '../../src/contract/dashboard-account.ts';
import type { SignupGroups } from '../../src/contract/dashboard-signup-counts.ts';
import { createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let owner: Person;
let keys: string;
beforeAll(async () => {
  scene = await startScene({ environment: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' } });
  keys = `/accounts/${scene.account.id}/keys`;
  owner = await signIn(
    scene.service,
    await plantPerson(scene.installation, { account: scene.account.id, role: 'owner' }),
  );
});
afterAll(async () => {
  owner?.close();
  await scene?.end();
});

let names = 0;
async function make(limits: object = {}) {
  names += 1;
  const body = { name: `key ${names}`, mode: 'live', ...limits };
  const { status, json } = await owner.send<CreatedKey>('POST', keys, body);
  expect(status).toBe(200);
  return json;
}
const readKey = async (id: string) =>
  (await owner.get<KeyRow[]>(keys)).json.find((key) => key.id === id) as KeyRow;
async function ask(secret: string, from?: string) {
  const client = createClient(scene.service.url, secret);
  const headers = from === undefined ? {} : { 'x-forwarded-for': from };
  return client.send({ method: 'GET', path: '/v1/usage', headers }).finally(() => client.close());
}
const statuses = (...secrets: string[]) =>
  Promise.all(secrets.map(async (secret) => (await ask(secret)).status));

describe('a rotation', () => {
  const rotate = (id: string, body: object = {}) =>
    owner.send<CreatedKey>('POST', `${keys}/${id}/rotate`, body);

  it('gives the same key a second secret; each use is shown by secret', async () => {
    const made = await make({ thresholds: { challenge: 20, block: 40 }, shadow: true });
    expect((await ask(made.secret)).status).toBe(200);
    const { status, json } = await rotate(made.key.id);
    expect(status).toBe(200);
    expect(json.secret).toMatch(/^sk_live_\w{32}$/);
    const { id, name, thresholds, shadow, created_at } = made.key;
    expect(json.key).toMatchObject({ id, name, thresholds, shadow, created_at, secret_used_at: null });
    const day = Date.parse(json.key.previous_secret?.valid_until ?? '') - Date.now();
    expect(Math.round(day / 60_000)).toBe(24 * 60);
    expect(await statuses(made.secret, json.secret)).toEqual([200, 200]);
    const shown = await readKey(id);
    expect(shown).toMatchObject({ prefix: json.secret.slice(0, 12) });
    expect(shown.previous_secret?.prefix).toBe(made.secret.slice(0, 12));
    for (const at of [shown.secret_used_at, shown.previous_secret?.last_used_at])
      expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() - 10_000);
    // A third secret would be one too many, unless both are refused.
    expect((await rotate(id)).status).toBe(409);
    const last = (await rotate(id, { overlap_seconds: 0 })).json;
    expect(await statuses(made.secret, json.secret, last.secret)).toEqual([401, 401, 200]);
  });

  it('can be ended at once, or taken back, once', async () => {
    const [ended, undone] = [await make(), await make()];
    const [first, second] = [await rotate(ended.key.id), await rotate(undone.key.id)];
    expect((await owner.send('POST', `${keys}/${ended.key.id}/rotate/end`)).status).toBe(200);
    const refused = await ask(ended.secret);
    expect([refused.status, problemOf(refused).code]).toEqual([401, 'token_revoked']);
    expect(refused.text).toContain('was rotated');
    expect((await ask(first.json.secret)).status).toBe(200);
    expect((await owner.send('POST', `${keys}/${ended.key.id}/rotate/undo`)).status).toBe(409);

    expect((await owner.send('POST', `${keys}/${undone.key.id}/rotate/undo`)).status).toBe(200);
    expect(await statuses(undone.secret, second.json.secret)).toEqual([200, 401]);
    expect((await owner.send('POST', `${keys}/${undone.key.id}/rotate/end`)).status).toBe(409);
  });

  it.each([-1, 2_592_001, 1.5, '60'])('refuses an overlap of %j', async (overlap_seconds) => {
    const { key } = await make();
    expect((await rotate(key.id, { overlap_seconds })).status).toBe(400);
    expect((await readKey(key.id)).previous_secret).toBeNull();
  });

  it('counts as one key', async () => {
    const made = await make();
    const { secret } = (await rotate(made.key.id)).json;
    for (const [index, each] of [made.secret, secret, made.secret].entries())
      await scene.live.assess({ email: `jo${index}@two-secrets-harbour.com` }, each);
    const path = `/accounts/${scene.account.id}/assessments/groups?by=key&key=${made.key.id}&period=24h`;
    const { groups } = (await owner.get<SignupGroups>(path)).json;
    expect(groups).toMatchObject([{ value: made.key.id, total: 3, label: made.key.name }]);
  });
});

describe('an expiry', () => {
  it('refuses the key afterwards with a clear error, and can be moved', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const { key, secret } = await make({ expires_at: soon });
    expect(key.expires_at).toBe(soon);
    expect((await ask(secret)).status).toBe(200);
    await expect.poll(async () => (await ask(secret)).status, { timeout: 30_000 }).toBe(401);
    const refused = await ask(secret);
    expect(problemOf(refused).code).toBe('key_expired');
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    await owner.send('PATCH', `${keys}/${key.id}`, { expires_at: null });
    expect((await ask(secret)).status).toBe(200);
  });

  it.each(['2020-01-01T00:00:00Z', 'tomorrow', ''])('refuses %j', async (expires_at) => {
    const answer = await owner.send<{ error: { param: string } }>('POST', keys, {
      name: 'x',
      mode: 'live',
      expires_at,
    });
    expect([answer.status, answer.json.error.param]).toEqual([400, 'expires_at']);
  });
});

describe('allowed ranges', () => {
  it('let in who calls from there, by the rule of trusted proxies, and refuse everybody else with 403', async () => {
    const { key, secret } = await make({
      allowed_ranges: ['203.0.113.9/24', '2001:db8::/32', '203.0.113.0/24'],
    });
    expect(key.allowed_ranges).toEqual(['203.0.113.0/24', '2001:db8::/32']);
    const from = async (ip?: string) => (await ask(secret, ip)).status;
    expect([await from('203.0.113.7'), await from('2001:db8::7')]).toEqual([200, 200]);
    // Only the trusted proxy is believed: what its own caller claims is not.
    expect([await from('198.51.100.1'), await from('203.0.113.7, 198.51.100.1'), await from()]).toEqual([
      403, 403, 403,
    ]);
    const refused = await ask(secret, '198.51.100.1');
    expect(problemOf(refused).code).toBe('ip_not_allowed');
    expect(refused.text).toContain('The API key may not be used from 198.51.100.1.');
    expect(refused.text).toContain('GATEHOUSE_TRUST_PROXY');
    await owner.send('PATCH', `${keys}/${key.id}`, { allowed_ranges: [] });
    expect([await from(), (await readKey(key.id)).allowed_ranges]).toEqual([200, null]);
  });

  it.each([
    [['office']],
    [['203.0.113.0/33']],
    [Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`)],
    ['10.0.0.1'],
  ])('refuse %j', async (allowed_ranges) => {
    const body = { name: 'x', mode: 'live', allowed_ranges };
    expect((await owner.send('POST', keys, body)).status).toBe(400);
  });
});
