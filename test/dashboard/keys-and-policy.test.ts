/** Changes by owners in the dashboard take effect in the API within a second, and are in the audit log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AuditRow,
  CreatedKey,
  KeyRow,
  ListEntryRow,
  PolicyPage,
  PolicyVersion,
} from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type { HookRow, HookSecret } from '../../src/contract/dashboard-hooks.ts';
import { until } from '../support/expectations.ts';
import { actorName, authorName, type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let owner: Person;
let member: Person;
let account: string;
beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  const people = await Promise.all([
    plantPerson(scene.installation, { account: scene.account.id, role: 'owner' }),
    plantPerson(scene.installation, { account: scene.account.id, role: 'member' }),
  ]);
  [owner, member] = (await Promise.all(people.map((person) => signIn(scene.service, person)))) as [
    Person,
    Person,
  ];
});
afterAll(async () => {
  owner?.close();
  member?.close();
  await scene?.end();
});

let signups = 0;
/** A signup whose only finding is its + tag, which weighs 6. */
const assessAlias = async (key = scene.account.live) => {
  signups += 1;
  return (await scene.live.assess({ email: `jo+tag@alias-harbour-${signups}.com` }, key)).json;
};
const audited = async (action: string) => {
  const { json } = await owner.get<{ rows: AuditRow[] }>(`${account}/audit`);
  return json.rows.filter((row) => row.action === action);
};
const page = async () => (await owner.get<PolicyPage>(`${account}/policy`)).json;

describe('keys', () => {
  it('created here work at once, are shown once, and are refused once revoked', async () => {
    const made = await owner.send<CreatedKey>('POST', `${account}/keys`, { name: 'web shop', mode: 'live' });
    expect(made.status).toBe(200);
    const { key, secret } = made.json;
    expect(key).toMatchObject({ name: 'web shop', mode: 'live', thresholds: null, revoked_at: null });
    expect(secret.startsWith(key.prefix)).toBe(true);
    expect((await scene.live.assess({ email: 'jo@key-harbour.com' }, secret)).status).toBe(200);

    const listed = await owner.get<KeyRow[]>(`${account}/keys`);
    expect(listed.text).not.toContain(secret.slice(14));
    const row = listed.json.find(({ id }) => id === key.id);
    expect(Date.parse(row?.last_used_at ?? '')).toBeGreaterThan(Date.now() - 10_000);

    const renamed = await owner.send<KeyRow>('PATCH', `${account}/keys/${key.id}`, { name: 'shop 2' });
    expect(renamed.json.name).toBe('shop 2');
    const revoked = await owner.send<KeyRow>('POST', `${account}/keys/${key.id}/revoke`);
    expect(revoked.json.revoked_at).not.toBeNull();
    const refused = await scene.live.assess({ email: 'jo@key-harbour.com' }, secret);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('token_revoked');
    expect((await owner.send('POST', `${account}/keys/${key.id}/revoke`)).status).toBe(409);
    expect(await audited('key.create')).toMatchObject([
      { by: actorName(owner), target: 'live key web shop' },
    ]);
    expect(await audited('key.revoke')).toHaveLength(1);
  });

  it.each([
    [{ mode: 'live' }, 'name'],
    [{ name: '', mode: 'live' }, 'name'],
    [{ name: 'a', mode: 'prod' }, 'mode'],
    [{ name: 'a', mode: 'live', thresholds: { challenge: 70, block: 60 } }, 'challenge'],
    [{ name: 'a', mode: 'live', thresholds: { challenge: 0, block: 60 } }, 'challenge'],
  ])('that are invalid are refused: %j', async (body, param) => {
    const { status, json } = await owner.send<{ error: { param: string } }>('POST', `${account}/keys`, body);
    expect(status).toBe(400);
    expect(json.error.param).toBe(param);
  });
});

describe('thresholds', () => {
  it('changed here change the next verdict, for the account and for one key', async () => {
    expect(await assessAlias()).toMatchObject({ score: 6, verdict: 'allow' });
    const strict = { challenge: 5, block: 80 };
    const set = await owner.send<PolicyPage>('PUT', `${account}/thresholds`, strict);
    expect(set.json).toMatchObject({ thresholds: strict, own_thresholds: true });
    expect(await assessAlias()).toMatchObject({ score: 6, verdict: 'challenge' });

    const { key, secret } = (
      await owner.send<CreatedKey>('POST', `${account}/keys`, { name: 'hard', mode: 'live' })
    ).json;
    await owner.send('PUT', `${account}/keys/${key.id}/thresholds`, { challenge: 1, block: 6 });
    const blocked = await assessAlias(secret);
    expect(blocked.verdict).toBe('block');
    const detail = await owner.get<AssessmentDetail>(`${account}/assessments/${blocked.request_id}`);
    expect(detail.json.thresholds).toEqual({ challenge: 1, block: 6 });

    // An empty body and `null` both remove the thresholds.
    await owner.send('PUT', `${account}/keys/${key.id}/thresholds`, 'null');
    expect((await assessAlias(secret)).verdict).toBe('challenge');
    await owner.send('PUT', `${account}/thresholds`);
    expect(await page()).toMatchObject({
      thresholds: { challenge: 30, block: 60 },
      own_thresholds: false,
    });
    expect((await assessAlias()).verdict).toBe('allow');
    expect((await audited('thresholds.set')).length).toBe(4);
  });
});

describe('a policy', () => {
  it('saved here applies to the next signup; earlier signups keep their version', async () => {
    const before = await assessAlias();
    const change = { weights: { plus_alias: 40, tor_exit: 48 }, note: 'tags are how we are farmed' };
    const saved = await owner.send<PolicyVersion>('POST', `${account}/policy`, change);
    expect(saved.status).toBe(200);
    expect(saved.json).toMatchObject({
      weights: { plus_alias: 40 },
      author: authorName(owner),
      note: change.note,
    });
    const after = await assessAlias();
    expect(after).toMatchObject({ score: 40, verdict: 'challenge' });

    const versionOf = async ({ request_id }: { request_id: string }) =>
      (await owner.get<AssessmentDetail>(`${account}/assessments/${request_id}`)).json.policy;
    expect(await versionOf(after)).toBe(saved.json.version);
    expect(await versionOf(before)).toBe('default-2');

    const shown = await page();
    expect(shown.current).toBe(saved.json.version);
    expect(shown.detectors.find(({ detector }) => detector === 'plus_alias')).toMatchObject({
      weight: 40,
      default_weight: 6,
      max_weight: 100,
    });
    const more = await owner.send<PolicyVersion>('POST', `${account}/policy`, {
      weights: { role_account: 0 },
      note: '',
    });
    expect(more.json.weights).toEqual({ plus_alias: 40, role_account: 0 });
    const back = { weights: { plus_alias: 6, role_account: 8 }, note: 'back' };
    await owner.send('POST', `${account}/policy`, back);
    expect((await page()).versions.map(({ weights }) => weights)).toEqual([
      {},
      { plus_alias: 40, role_account: 0 },
      { plus_alias: 40 },
    ]);
    expect(await assessAlias()).toMatchObject({ score: 6 });
    expect(await versionOf(after)).toBe(saved.json.version);
  });

  it.each([
    { weights: { nonsense: 4 } },
    { weights: { vpn: 101 } },
    { weights: { vpn: -1 } },
    { weights: { disposable_mx: 60 } },
    {},
  ])('that is invalid is refused: %j', async (body) => {
    const { status, json } = await owner.send<{ error: { param: string } }>(
      'POST',
      `${account}/policy`,
      body,
    );
    expect(status).toBe(400);
    expect(json.error.param).toBe('weights');
  });
});

describe('lists', () => {
  it('from here decide the next signup', async () => {
    const entry = await owner.send<ListEntryRow>('POST', `${account}/lists`, {
      action: 'deny',
      value: 'List-Harbour.com',
      reason: 'chargebacks',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(entry.json).toMatchObject({
      kind: 'domain',
      value: 'list-harbour.com',
      author: authorName(owner),
    });
    const assess = async () => (await scene.live.assess({ email: 'jo@list-harbour.com' })).json;
    await until(async () => (await assess()).verdict === 'block');
    const { request_id } = await assess();
    const detail = await owner.get<AssessmentDetail>(`${account}/assessments/${request_id}`);
    expect(detail.json).toMatchObject({
      list: { id: entry.json.id, action: 'deny', value: 'list-harbour.com', reason: 'chargebacks' },
      waterfall: [{ detector: 'deny_list', contribution: 100 }],
    });
    expect(detail.json.flips).toHaveLength(1);

    expect((await owner.get<ListEntryRow[]>(`${account}/lists`)).json).toHaveLength(1);
    expect((await owner.send('DELETE', `${account}/lists/${entry.json.id}`)).status).toBe(204);
    expect((await owner.send('DELETE', `${account}/lists/${entry.json.id}`)).status).toBe(404);
    await until(async () => (await assess()).verdict === 'allow');
    expect((await audited('list.deny')).length + (await audited('list.remove')).length).toBe(2);
  });

  it.each([
    [{ action: 'deny', value: 'not anything!', reason: 'x' }, 'value'],
    [{ action: 'ban', value: 'a.com', reason: 'x' }, 'action'],
    [{ action: 'deny', value: 'a.com', reason: ' ' }, 'reason'],
    [{ action: 'allow', value: 'AS64500', reason: 'x' }, 'confirm'],
    [{ action: 'deny', value: 'co.uk', reason: 'x' }, 'confirm'],
    [{ action: 'deny', value: 'github.io', reason: 'x', confirm: 'github' }, 'confirm'],
    [{ action: 'allow', value: 'gmail.com', reason: 'x' }, 'confirm'],
    [{ action: 'deny', value: 'fr', reason: 'x', confirm: 'DE' }, 'confirm'],
    [{ action: 'deny', value: 'a.com', reason: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ action: 'deny', value: 'a.com', reason: 'x', expires_at: '2999-02-30T00:00:00Z' }, 'expires_at'],
  ])('refuse invalid input: %j', async (body, param) => {
    const { status, json } = await owner.send<{ error: { param: string } }>('POST', `${account}/lists`, body);
    expect(status).toBe(400);
    expect(json.error.param).toBe(param);
  });
});

describe('hooks', () => {
  const kratos = { provider: 'kratos', name: 'form', mode: 'live', challenge_as: 'allow', on_error: 'deny' };
  const create = (body: object) => owner.send<HookSecret>('POST', `${account}/hooks`, body);
  const change = (hook: HookRow, how: string, body?: object) =>
    owner.send<HookSecret>('POST', `${account}/hooks/${hook.id}/${how}`, body);
  const call = async ({ path }: HookRow, secret: string) => {
    const body = JSON.stringify({ email: 'jo@hook-harbour.com' });
    const headers = { authorization: secret, 'content-type': 'application/json' };
    return (await scene.live.send({ method: 'POST', path, key: null, body, headers })).status;
  };

  it('created here work at once, keep the old secret for a day, and are refused once revoked', async () => {
    const made = await create(kratos);
    expect(made.status).toBe(200);
    const { hook, secret } = made.json;
    expect(hook).toMatchObject({ ...kratos, has_secret: true, old_secret_until: null, revoked_at: null });
    expect(await call(hook, secret ?? '')).toBe(200);
    expect(await call(hook, 'another secret')).toBe(401);

    const listed = await owner.get<HookRow[]>(`${account}/hooks`);
    expect(listed.text).not.toContain(secret);
    expect(listed.json.map(({ id }) => id)).toContain(hook.id);

    const rotated = (await change(hook, 'rotate', {})).json;
    expect(Date.parse(rotated.hook.old_secret_until ?? '')).toBeGreaterThan(Date.now() + 80_000_000);
    expect([await call(hook, secret ?? ''), await call(hook, rotated.secret ?? '')]).toEqual([200, 200]);
    const own = 'a value that somebody chose';
    expect(
      (await change(hook, 'rotate', { secret: own, at_once: true })).json.hook.old_secret_until,
    ).toBeNull();
    expect([await call(hook, rotated.secret ?? ''), await call(hook, own)]).toEqual([401, 200]);

    expect((await change(hook, 'revoke')).status).toBe(200);
    expect(await call(hook, own)).toBe(401);
    for (const how of ['revoke', 'rotate']) expect((await change(hook, how, {})).status).toBe(409);
    expect(await audited('hook.create')).toMatchObject([
      { by: actorName(owner), target: 'kratos hook form', detail: 'challenge as allow, on error deny' },
    ]);
    expect(await audited('hook.rotate')).toHaveLength(2);
    expect(await audited('hook.revoke')).toHaveLength(1);
  });

  it('have no secret until the provider’s secret is entered', async () => {
    const { hook, secret } = (await create({ ...kratos, provider: 'workos', secret: ' ' })).json;
    expect([hook.has_secret, secret]).toEqual([false, null]);
    const { status, text } = await change(hook, 'rotate', {});
    expect([status, text]).toEqual([400, expect.stringContaining('signing secret')]);
    expect((await change(hook, 'rotate', { secret: 'shown by the provider' })).json.hook).toMatchObject({
      has_secret: true,
      old_secret_until: null,
    });
  });

  it.each([
    [{ ...kratos, provider: 'clerk' }, 'provider'],
    [{ ...kratos, name: ' ' }, 'name'],
    [{ ...kratos, mode: 'all' }, 'mode'],
    [{ ...kratos, challenge_as: 'challenge' }, 'challenge_as'],
    [{ ...kratos, on_error: undefined }, 'on_error'],
    [{ ...kratos, secret: 'short' }, 'secret'],
    [{ ...kratos, provider: 'supabase', secret: 'not in its form at all' }, 'secret'],
  ])('refuse invalid input: %j', async (body, param) => {
    const { status, json } = await owner.send<{ error: { param: string } }>('POST', `${account}/hooks`, body);
    expect([status, json.error.param]).toEqual([400, param]);
  });
});

describe('a member', () => {
  it.each([
    ['GET', '/hooks'],
    ['POST', '/hooks'],
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['POST', '/keys/key_1/revoke'],
    ['PUT', '/thresholds'],
    ['PUT', '/keys/key_1/thresholds'],
    ['POST', '/policy'],
    ['POST', '/lists'],
    ['DELETE', '/lists/lst_1'],
    ['GET', '/audit'],
  ] as const)('may not %s %s', async (method, path) => {
    const answer =
      method === 'GET'
        ? await member.get(`${account}${path}`)
        : await member.send(method, `${account}${path}`, {});
    expect(answer.status).toBe(403);
  });
});
