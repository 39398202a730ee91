/** The management API: each operation with its scope, its errors, its audit entry, and safe to repeat. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManageAlert, ManageSavedListEntry } from '../../src/contract/manage-messages.ts';
import {
  MANAGE_OPERATIONS,
  type ManageOperation,
  manageOperation,
} from '../../src/contract/manage-operations.ts';
import { buildOpenApi } from '../../src/contract/openapi.ts';
import { readManageExamples } from '../../src/contract/openapi-manage.ts';
import type { Campaign } from '../../src/model/campaign.ts';
import { MANAGE_SCOPES } from '../../src/model/manage-token.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { aSighting } from '../support/an-alert.ts';
import { type Answer, createClient } from '../support/client.ts';
import { problemOf, schemaCheck } from '../support/expectations.ts';
import { rounds } from '../support/long-version.ts';
import { type Planted, plant, plantTokens } from '../support/plant.ts';
import { plantRunningTakeBack, plantTakeBack } from '../support/plant-take-back.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

/** Set GATEHOUSE_TEST_SEED to send other bodies. */
const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20260510);
const BODIES = rounds(15, 500);
const MEMBERS = [
  'name',
  'plan',
  'mode',
  'overage',
  'thresholds',
  'monthly_quota',
  'action',
  'value',
  'reason',
];
const MORE_MEMBERS = [
  'expires_at',
  'confirm',
  'provider',
  'secret',
  'at_once',
  'shadow',
  'enforced_share',
  'allowed_ranges',
  'overlap_seconds',
  '__proto__',
  'toString',
];
const hostileBody = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...MEMBERS, ...MORE_MEMBERS), oddValue()) },
  fc.jsonValue(),
);
const faultsOf = schemaCheck(JSON.parse(JSON.stringify(buildOpenApi())));
/** The last answer of an operation, by its id. */
const answered = new Map<string, object>();

let installation: Installation;
let service: Service;
let ours: Planted | undefined;
let [all, bound, expired]: { id: string; text: string }[] = [];
beforeAll(async () => {
  installation = await createInstallation();
  ours = await plant(installation, { name: 'ours' });
  await plant(installation, { name: 'theirs' });
  [all, bound, expired] = await plantTokens(
    installation,
    { scopes: MANAGE_SCOPES, name: 'terraform' },
    { scopes: MANAGE_SCOPES, name: 'shop', accountId: ours.id },
    { scopes: MANAGE_SCOPES, expiresAt: Date.now() - 1 },
  );
  service = await installation.start();
});
afterAll(() => installation?.remove());

async function send(
  token: { text: string } | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const client = createClient(service.url, token?.text ?? null);
  const sending = { method, path, ...(body === undefined ? {} : { body }) };
  return client.send(sending).finally(() => client.close());
}

/** Calls an operation that must succeed, and checks the answer with the document. */
async function call<T = Record<string, unknown>>(
  id: string,
  ids: Record<string, string> = {},
  body?: unknown,
  token = all,
): Promise<T> {
  const { method, path, response } = manageOperation(id);
  const answer = await send(token, method, withIds(path, ids), body);
  expect([answer.status, answer.text.slice(0, 300)], id).toEqual([200, answer.text.slice(0, 300)]);
  expect(faultsOf((response as { title: string }).title, answer.json), id).toEqual([]);
  expect(answer.headers['cache-control']).toBe('no-store');
  if ((answer.json as { data?: object[] }).data?.length !== 0) answered.set(id, answer.json);
  return answer.json as T;
}

const withIds = (path: string, ids: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_match, name: string) => ids[name] ?? `${name}_none`);
const some = ({ path }: ManageOperation) => withIds(path, { account: (ours as Planted).id });
const bodyFor = ({ method, request }: ManageOperation) =>
  method === 'GET' || request === undefined ? undefined : {};

describe.each(MANAGE_OPERATIONS)('$id', (operation) => {
  it('needs a token', async () => {
    const { method } = operation;
    const wrong = [
      undefined,
      { text: (ours as Planted).live },
      { text: `gatehouse_token_${'0'.repeat(32)}` },
      expired,
    ];
    for (const token of wrong) {
      const answer = await send(token, method, some(operation), bodyFor(operation));
      expect(problemOf(answer).code).toMatch(/^(?:unauthorized|too_many_attempts)$/);
      if (answer.status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('describes its errors', () => {
    expect(operation.problems).toEqual(
      expect.arrayContaining(['unauthorized', 'forbidden', 'internal_error']),
    );
    expect(operation.problems.includes('not_found')).toBe(operation.path.includes('{'));
  });
});

describe('a key', () => {
  it('is rotated with an overlap, which can be ended or taken back; expiry and ranges are set', async () => {
    const account = (ours as Planted).id;
    const callBound = <T = Record<string, unknown>>(
      id: string,
      ids: Record<string, string>,
      body?: unknown,
    ) => call<T>(id, ids, body, bound);
    const limits = { expires_at: '2099-01-31T12:00:00Z', allowed_ranges: ['127.0.0.1', '::1/128'] };
    const made = await callBound<{ id: string; key: string }>(
      'createKey',
      { account },
      {
        name: 'rotating',
        mode: 'live',
        ...limits,
      },
    );
    const ids = { account, key: made.id };
    expect(await callBound('getKey', ids)).toMatchObject({
      ...limits,
      allowed_ranges: ['127.0.0.1/32', '::1/128'],
    });
    const use = async (secret: string) => {
      const client = createClient(service.url, secret);
      return (await client.usage().finally(() => client.close())).status;
    };
    const first = await callBound<{ key: string }>('rotateKey', ids, { overlap_seconds: 60 });
    expect([await use(made.key), await use(first.key)]).toEqual([200, 200]);
    expect((await send(all, 'POST', withIds(manageOperation('rotateKey').path, ids), {})).status).toBe(409);
    await callBound('undoKeyRotation', ids);
    expect([await use(made.key), await use(first.key)]).toEqual([200, 401]);
    const second = await callBound<{ key: string }>('rotateKey', ids, {});
    await callBound('endKeyOverlap', ids);
    expect([await use(made.key), await use(second.key)]).toEqual([401, 200]);
    const audit = await callBound<{ data: { action: string; target: string }[] }>('listAudit', { account });
    expect(
      audit.data.filter(({ target }) => target === 'live key rotating').map(({ action }) => action),
    ).toEqual(['key.rotate_end', 'key.rotate', 'key.rotate_undo', 'key.rotate', 'key.create']);
    await callBound('updateKey', ids, { expires_at: null, allowed_ranges: null });
    expect(await callBound('getKey', ids)).toMatchObject({ expires_at: null, allowed_ranges: null });
    await callBound('revokeKey', ids);
    expect((await send(all, 'POST', withIds(manageOperation('rotateKey').path, ids), {})).status).toBe(409);
  });

  it('is created once for a name, works at once, can be changed and revoked', async () => {
    const account = (ours as Planted).id;
    const wanted = { name: 'form', mode: 'live', shadow: true, thresholds: { challenge: 20, block: 80 } };
    const made = await call<{ id: string; key: string }>('createKey', { account }, wanted);
    const ids = { account, key: made.id };
    const client = createClient(service.url, made.key);
    expect((await client.usage()).status).toBe(200);
    const { key: _secret, ...shown } = made;
    const now = expect.stringMatching(/Z$/);
    const ofNow = { ...shown, last_used_at: now, secret_used_at: now };
    expect(await call('getKey', ids)).toEqual(ofNow);
    expect((await call<{ data: object[] }>('listKeys', { account })).data).toContainEqual(ofNow);
    expect(await call('updateKey', ids, {})).toEqual(ofNow);
    expect(await call('updateKey', ids, { name: 'form', shadow: true })).toEqual(ofNow);
    const partly = { ...ofNow, shadow: true, enforced_share: 10 };
    expect(await call('updateKey', ids, { enforced_share: 10 })).toEqual(partly);
    expect(await call('updateKey', ids, { shadow: true, enforced_share: 10 })).toEqual(partly);
    const { path } = manageOperation('updateKey');
    for (const body of [
      { enforced_share: 101 },
      { enforced_share: 1.5 },
      { shadow: false, enforced_share: 10 },
    ])
      expect((await send(all, 'PATCH', withIds(path, ids), body)).status).toBe(400);
    const changes = { name: 'renamed', shadow: false, thresholds: null };
    expect(await call('updateKey', ids, changes)).toEqual({ ...ofNow, ...changes, enforced_share: 100 });
    const revoked = await call('revokeKey', ids);
    expect(revoked).toMatchObject({ revoked_at: expect.stringMatching(/Z$/) });
    expect(await call('revokeKey', ids)).toEqual(revoked);
    expect((await client.usage()).status).toBe(401);
    client.close();
    const by = `token ${all?.id} (terraform)`;
    const { data } = await call<{ data: Record<string, string>[] }>('listAudit', { account });
    expect(data.filter((entry) => entry.by === by).map(({ action, target }) => [action, target])).toEqual([
      ['key.revoke', 'live key renamed'],
      ['thresholds.set', 'live key renamed'],
      ['key.enforce', 'live key renamed'],
      ['key.rename', 'live key renamed'],
      ['key.enforce', 'live key form'],
      ['key.create', 'live key form'],
    ]);
  });

  it('is not created again under a used name, however many requests come at once', async () => {
    const account = (ours as Planted).id;
    const path = withIds(manageOperation('createKey').path, { account });
    const make = () => send(bound, 'POST', path, { name: 'once', mode: 'live' });
    const answers = await Promise.all(Array.from({ length: 5 }, make));
    const [made] = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const again = await make();
    expect(problemOf(again)).toEqual({ status: 409, code: 'conflict', param: 'name' });
    expect(again.text).toContain(made?.json.id);
    expect((await send(bound, 'POST', path, { name: 'once', mode: 'test' })).status).toBe(200);
    await call('revokeKey', { account, key: made?.json.id as string }, undefined, bound);
    expect((await make()).status).toBe(200);
  });
});

describe('an account', () => {
  it('is created once for a name, and can be changed', async () => {
    const made = await call<{ id: string }>(
      'createAccount',
      {},
      { name: 'new', plan: 'starter', overage: true },
    );
    expect(made).toMatchObject({ overage: true, monthly_quota: null, thresholds: null, time_zone: 'UTC' });
    const again = await send(all, 'POST', '/v1/manage/accounts', { name: 'new', plan: 'free' });
    expect(problemOf(again)).toEqual({ status: 409, code: 'conflict', param: 'name' });
    expect(again.text).toContain(made.id);
    const changes = {
      plan: 'free',
      monthly_quota: 7,
      thresholds: { challenge: 5, block: 6 },
      time_zone: 'Asia/Kolkata',
    };
    const changed = { ...made, ...changes, overage: false };
    expect(await call('updateAccount', { account: made.id }, changes)).toEqual(changed);
    expect(await call('updateAccount', { account: made.id }, changes)).toEqual(changed);
    expect(await call('getAccount', { account: made.id })).toEqual(changed);
    const { data } = await call<{ data: Record<string, string>[] }>('listAudit', { account: made.id });
    expect(data.map(({ action, detail }) => [action, detail])).toEqual([
      ['thresholds.set', 'the default thresholds → challenge 5, block 6'],
      [
        'account_changed',
        'plan starter → free, overage on → off, monthly quota as the plan says → 7, time zone UTC → Asia/Kolkata',
      ],
      ['account_created', 'plan starter, overage on'],
    ]);
  });

  it('is the only one that a bound token sees, and the token creates none', async () => {
    const accounts = await call<{ data: { id: string }[] }>('listAccounts', {}, undefined, bound);
    expect(accounts.data.map(({ id }) => id)).toEqual([ours?.id]);
    const made = await send(bound, 'POST', '/v1/manage/accounts', { name: 'x', plan: 'free' });
    const log = await send(bound, 'GET', '/v1/manage/audit');
    expect([problemOf(made).code, problemOf(log).code]).toEqual(['forbidden', 'forbidden']);
  });

  it('is on a page, and the next page continues after it', async () => {
    const first = await send(all, 'GET', '/v1/manage/accounts?limit=1');
    const { data, next } = first.json as { data: { id: string }[]; next: string };
    const rest = await send(all, 'GET', `/v1/manage/accounts?after=${next}&limit=200`);
    const { data: others, next: end } = rest.json as { data: { id: string }[]; next: null };
    expect([data.length, next, end]).toEqual([1, data[0]?.id, null]);
    expect(others.length).toBeGreaterThan(1);
    expect(others.map(({ id }) => id)).not.toContain(next);
  });
});

describe('an entry of the lists', () => {
  it('is saved again under its id, decides, and is removed', async () => {
    const account = (ours as Planted).id;
    const wanted = {
      action: 'deny',
      value: 'Bad.Example',
      reason: 'spam',
      expires_at: '2100-01-01T00:00:00Z',
    };
    const { replaced, conflicts, ...made } = await call<ManageSavedListEntry>(
      'saveListEntry',
      { account },
      wanted,
      bound,
    );
    expect({ replaced, conflicts }).toEqual({ replaced: null, conflicts: [] });
    expect(made).toMatchObject({ value: 'bad.example', kind: 'domain', author: 'token shop', hits: 0 });
    const saved = await call<ManageSavedListEntry>('saveListEntry', { account }, { ...wanted, reason: null });
    const { replaced: before, conflicts: none, ...later } = saved;
    expect(before).toEqual({ reason: 'spam', author: 'token shop', expires_at: wanted.expires_at });
    expect(none).toEqual([]);
    expect(later).toEqual({ ...made, reason: null, author: 'token terraform' });
    const ids = { account, entry: made.id };
    expect(await call('getListEntry', ids)).toEqual(later);
    expect((await call<{ data: object[] }>('listListEntries', { account })).data).toEqual([later]);
    expect(await call('removeListEntry', ids)).toEqual(later);
    expect((await call<{ data: object[] }>('listListEntries', { account })).data).toEqual([]);
    const { data } = await call<{ data: Record<string, string>[] }>('listAudit', { account });
    expect(data.slice(0, 3).map(({ action, target }) => [action, target])).toEqual([
      ['list.remove', 'bad.example'],
      ['list.deny', 'bad.example'],
      ['list.deny', 'bad.example'],
    ]);
  });
});

describe('an entry that contradicts another', () => {
  it('names it, its author and its reason, and says which of the two decides', async () => {
    const account = (ours as Planted).id;
    const save = (action: string, value: string, reason: string) =>
      call<ManageSavedListEntry>('saveListEntry', { account }, { action, value, reason }, bound);
    const wide = await save('deny', 'contested.example', 'Three chargebacks');
    const narrow = await save('allow', 'mail.contested.example', 'our partner');
    const named = { id: wide.id, author: 'token shop', reason: 'Three chargebacks' };
    expect(narrow.conflicts).toEqual([expect.objectContaining({ ...named, winner: 'new' })]);
    const again = await save('deny', 'contested.example', 'again');
    expect(again.replaced).toMatchObject({ reason: 'Three chargebacks', author: 'token shop' });
    expect(again.conflicts).toEqual([expect.objectContaining({ id: narrow.id, winner: 'existing' })]);
    for (const { id } of [wide, narrow]) await call('removeListEntry', { account, entry: id });
  });
});

describe('a shared office', () => {
  it('is saved, and refused where it is no place', async () => {
    const account = (ours as Planted).id;
    const body = { action: 'office', value: 'Shop.Example + 203.0.113.0/24', reason: 'head office' };
    const made = await call<{ id: string }>('saveListEntry', { account }, body);
    const value = 'shop.example + 203.0.113.0/24';
    expect(made).toMatchObject({ action: 'office', kind: 'domain_network', value, hits: 0 });
    await call('removeListEntry', { account, entry: made.id });
    const { data } = await call<{ data: Record<string, string>[] }>('listAudit', { account });
    expect(data.slice(0, 2).map(({ action, target }) => [action, target])).toEqual([
      ['list.remove', value],
      ['list.office', value],
    ]);
    const lists = `/v1/manage/accounts/${account}/lists`;
    const refused = await send(all, 'POST', lists, { ...body, value: 'shop.example' });
    expect(problemOf(refused)).toMatchObject({ code: 'invalid_value', param: 'value' });
  });
});

describe('an entry for an address', () => {
  it('is for its mailbox, or exact', async () => {
    const account = (ours as Planted).id;
    const body = { action: 'deny', value: 'J.Doe+x@GoogleMail.com' };
    const mailbox = await call<{ id: string }>('saveListEntry', { account }, body);
    expect(mailbox).toMatchObject({ kind: 'mailbox', value: 'j***@gmail.com' });
    const same = await call<{ id: string }>('saveListEntry', { account }, { ...body, exact: false });
    expect(same.id).toBe(mailbox.id);
    const exact = await call<{ id: string }>('saveListEntry', { account }, { ...body, exact: true });
    expect(exact).toMatchObject({ kind: 'address', value: 'j***@googlemail.com' });
    for (const { id } of [mailbox, exact]) await call('removeListEntry', { account, entry: id });
    const wrong = { action: 'deny', value: 'shop.example', exact: true };
    const refused = await send(all, 'POST', `/v1/manage/accounts/${account}/lists`, wrong);
    expect(problemOf(refused)).toMatchObject({ code: 'invalid_value', param: 'value' });
  });
});

describe('a wave of signups', () => {
  const openIn = (account: string, domain: string, since?: number) =>
    withStored(installation, async (store) => {
      const fields = since === undefined ? {} : { since };
      return (await store.saveLearned(aLearnedCampaign(account, domain, fields))) as Campaign;
    });

  it('is read, decided about by somebody, and reopened', async () => {
    const account = (ours as Planted).id;
    const { id: campaign } = await openIn(account, 'postfarm.example');
    const ids = { account, campaign };
    const opened = await call('getCampaign', ids);
    expect(opened).toMatchObject({ state: 'open', sure: false, place: 'postfarm.example', decision: null });
    expect(opened.summary).toMatch(/^a wave at postfarm\.example: all 9 names look generated/);
    const confirmed = await call('confirmCampaign', ids, { note: 'seen before' }, bound);
    const decided = { decision: 'confirmed', decided_by: 'token shop', note: 'seen before' };
    expect(confirmed).toMatchObject({ ...decided, state: 'open', sure: true });
    const dismissed = await call('dismissCampaign', ids, {});
    expect(dismissed).toMatchObject({ state: 'ended', ended_reason: 'person', decision: 'dismissed' });
    expect(await call('reopenCampaign', ids, {})).toEqual(opened);
    const ended = await call('endCampaign', ids, {});
    expect(await call('endCampaign', ids, {})).toEqual(ended);
    const { data } = await call<{ data: Record<string, string>[] }>('listAudit', { account });
    expect(data.slice(0, 4).map(({ action, target, detail }) => [action, target, detail])).toEqual([
      ['campaign.end', campaign, ''],
      ['campaign.reopen', campaign, ''],
      ['campaign.dismiss', campaign, ''],
      ['campaign.confirm', campaign, 'seen before'],
    ]);
  });

  it('cannot be open beside another one with its scope and mark', async () => {
    const account = (ours as Planted).id;
    const first = await openIn(account, 'twice.example');
    await call('endCampaign', { account, campaign: first.id }, {});
    const second = await openIn(account, 'twice.example', Date.UTC(2026, 5, 1));
    const { path } = manageOperation('reopenCampaign');
    const refused = await send(all, 'POST', withIds(path, { account, campaign: first.id }), {});
    expect(problemOf(refused)).toEqual({ status: 409, code: 'conflict', param: 'campaign' });
    const list = async (state: string) => {
      const answer = await send(all, 'GET', `/v1/manage/accounts/${account}/campaigns?state=${state}`);
      return (answer.json as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    expect(await list('open')).toEqual([second.id]);
    expect(await list('ended')).toContain(first.id);
    expect((await call<{ data: object[] }>('listCampaigns', { account })).data.length).toBeGreaterThan(2);
    await withStored(installation, (store) => store.seeAlert('alr_1', aSighting(account), () => ({})));
    const { data } = await call<{ data: ManageAlert[] }>('listAlerts', { account });
    expect(data.map(({ id, count, usual }) => [id, count, usual])).toEqual([['alr_1', 420, 4.125]]);
    const wrong = await send(all, 'GET', `/v1/manage/accounts/${account}/campaigns?state=new`);
    expect(problemOf(wrong)).toMatchObject({ code: 'invalid_value', param: 'state' });
  });

  it('belongs to its account alone', async () => {
    const account = (ours as Planted).id;
    const other = await plant(installation, { name: 'with a wave' });
    const { id: campaign } = await openIn(other.id, 'postfarm.example');
    const { path } = manageOperation('dismissCampaign');
    const refused = await send(bound, 'POST', withIds(path, { account, campaign }), {});
    expect(problemOf(refused).code).toBe('not_found');
  });
});

describe('a hook', () => {
  it('is created once for a name, gets another secret, and is revoked', async () => {
    const account = (ours as Planted).id;
    const wanted = { provider: 'supabase', name: 'form' };
    const made = await call<{ id: string; secret: string }>('createHook', { account }, wanted);
    expect(made).toMatchObject({ mode: 'live', challenge_as: 'allow', on_error: 'allow', has_secret: true });
    const path = withIds(manageOperation('createHook').path, { account });
    const again = await send(all, 'POST', path, wanted);
    expect(problemOf(again)).toEqual({ status: 409, code: 'conflict', param: 'name' });
    expect(again.text).toContain(made.id);
    const ids = { account, hook: made.id };
    const { secret, ...shown } = made;
    expect(await call('getHook', ids)).toEqual(shown);
    expect((await call<{ data: object[] }>('listHooks', { account })).data).toEqual([shown]);
    const rotated = await call<{ secret: string }>('rotateHook', ids, { at_once: true });
    expect(rotated.secret).not.toBe(secret);
    expect(rotated).toMatchObject({ id: made.id, old_secret_until: null });
    const revoked = await call('revokeHook', ids);
    expect(await call('revokeHook', ids)).toEqual(revoked);
    expect(problemOf(await send(all, 'POST', `${path}/${made.id}/rotate`, {}))).toMatchObject({
      status: 409,
    });
  });

  it('of a bound token connects to public addresses only', async () => {
    const wanted = { provider: 'neon', secret: 'https://10.0.0.1/.well-known/jwks.json' };
    const account = (ours as Planted).id;
    const made = [
      await call<{ id: string }>('createHook', { account }, { ...wanted, name: 'all' }),
      await call<{ id: string }>('createHook', { account }, { ...wanted, name: 'bound' }, bound),
    ];
    const { hooks } = await withStored(installation, (store) => store.changesSince(0));
    const reachOf = ({ id }: { id: string }) => hooks.find((hook) => hook.id === id)?.reach;
    expect(made.map(reachOf)).toEqual(['anywhere', 'public']);
  });
});

describe('a destination of events', () => {
  it('is created, changed, gets another secret, is tested, and goes', async () => {
    const account = (ours as Planted).id;
    const wanted = { kind: 'webhook', name: 'ops', url: 'https://hooks.invalid/in', types: ['key.changed'] };
    const made = await call<{ id: string; secret: string }>('createDestination', { account }, wanted);
    expect(made).toMatchObject({ address: wanted.url, verdicts: ['challenge', 'block'], disabled_at: null });
    const ids = { account, destination: made.id };
    const { secret, ...shown } = made;
    expect(secret).toMatch(/^whsec_/);
    expect(await call('getDestination', ids)).toEqual(shown);
    expect((await call<{ data: object[] }>('listDestinations', { account })).data).toEqual([shown]);
    expect(await call('updateDestination', ids, { name: 'ops' })).toEqual(shown);
    const changes = { name: 'team', types: ['list.changed', 'key.changed'] };
    expect(await call('updateDestination', ids, changes)).toEqual({ ...shown, ...changes });
    const rotated = await call<{ secret: string }>('rotateDestination', ids, {});
    expect(rotated.secret).not.toBe(secret);
    expect(rotated).toMatchObject({ old_secret_until: expect.stringMatching(/Z$/) });
    const tested = await call('testDestination', ids);
    if (tested.problem !== null) expect(tested).toMatchObject({ delivered: false, status: null });
    await call('createKey', { account }, { name: 'told', mode: 'test' });
    const { data } = await call<{ data: { type: string; event_id: string }[] }>('listDeliveries', ids);
    expect(data.map(({ type }) => type)).toEqual(['key.changed', 'test']);
    const event = data[0]?.event_id as string;
    expect(await call('replayDelivery', { ...ids, event })).toEqual({ event_id: event, state: 'pending' });
    const path = withIds(manageOperation('listDeliveries').path, ids);
    expect((await send(all, 'GET', `${path}?state=failed`)).json.data).toEqual([]);
    const wrong = await send(all, 'GET', `${path}?state=lost`);
    expect(problemOf(wrong)).toMatchObject({ code: 'invalid_value', param: 'state' });
    const unknown = await send(all, 'POST', `${path}/evt_none/replay`);
    expect(problemOf(unknown).code).toBe('not_found');
    await call('updateDestination', ids, { enabled: false });
    await call('removeDestination', ids);
    expect(problemOf(await send(all, 'GET', path)).code).toBe('not_found');
    const log = await call<{ data: Record<string, string>[] }>('listAudit', { account });
    const actions = log.data
      .map(({ action }) => action)
      .filter((action) => action?.startsWith('destination.'));
    expect(actions).toEqual(
      ['remove', 'change', 'replay', 'rotate', 'change', 'create'].map((each) => `destination.${each}`),
    );
  });

  it('leads to no place inside, and its secret is in no other answer', async () => {
    const account = (ours as Planted).id;
    const path = withIds(manageOperation('createDestination').path, { account });
    const urls = [
      'http://hooks.example.com/',
      'https://10.0.0.1/',
      'https://vault/',
      'https://a:b@hooks.example.com/',
    ];
    for (const url of [...urls, 'https://hooks.example.com:8443/', 'https://metadata.google.internal/']) {
      const wanted = { kind: 'webhook', name: 'inside', url, types: [] };
      const refused = await send(bound, 'POST', path, wanted);
      expect(problemOf(refused)).toMatchObject({ code: 'invalid_value', param: 'url' });
    }
    const secret = 'https://hooks.slack.example/services/T0/B0/secret';
    const slack = { kind: 'slack', name: 'team', url: secret, types: ['alert.opened'] };
    const made = await call<{ id: string }>('createDestination', { account }, slack, bound);
    expect(made).toMatchObject({ address: 'hooks.slack.example', secret: null });
    const ids = { account, destination: made.id };
    const rotation = withIds(manageOperation('rotateDestination').path, ids);
    expect(problemOf(await send(all, 'POST', rotation, {}))).toMatchObject({ code: 'invalid_value' });
    expect(JSON.stringify([made, await call('getDestination', ids)])).not.toContain('T0/B0');
    expect(JSON.stringify(await call('listAudit', { account }))).not.toContain('T0/B0');
    await call('removeDestination', ids);
  });
});

describe('the log of the installation', () => {
  it('contains every change of tokens', async () => {
    const made = await installation.json<{ id: string }>(
      'token',
      'create',
      '--name',
      'z',
      '--scope',
      'keys:read',
    );
    await installation.json('token', 'revoke', made.id);
    const { data } = await call<{ data: Record<string, string>[] }>('listInstallationAudit');
    expect(data.slice(0, 2).map(({ action, account_id: id }) => [action, id])).toEqual([
      ['token.revoke', null],
      ['token.create', null],
    ]);
  });

  it('continues at the place that a page returned', async () => {
    const first = await send(all, 'GET', '/v1/manage/audit?limit=1');
    const { data, next } = first.json as { data: object[]; next: string };
    const second = await send(all, 'GET', `/v1/manage/audit?limit=1&after=${next}`);
    expect((second.json as { data: object[] }).data).not.toEqual(data);
  });
});

describe('a body that cannot be used', () => {
  it.each([
    ['createAccount', {}, 'missing_field', 'name'],
    ['createAccount', { name: 'x', plan: 'gold' }, 'missing_field', 'plan'],
    ['createAccount', { name: ' ', plan: 'pro' }, 'invalid_value', 'name'],
    ['createAccount', { name: 'x', plan: 'free', overage: true }, 'invalid_value', 'overage'],
    ['updateAccount', { monthly_quota: -1 }, 'missing_field', 'monthly_quota'],
    ['updateAccount', { thresholds: { challenge: 9, block: 8 } }, 'invalid_value', 'challenge'],
    ['updateAccount', { thresholds: { challenge: 9 } }, 'missing_field', 'block'],
    ['updateAccount', { time_zone: 'Europe/Nowhere' }, 'invalid_value', 'time_zone'],
    ['updateAccount', { thresholds: 7 }, 'missing_field', 'thresholds'],
    ['createKey', { name: 'x', mode: 'prod' }, 'missing_field', 'mode'],
    ['createKey', { name: 'a\nb', mode: 'live' }, 'invalid_value', 'name'],
    [
      'createKey',
      { name: 'x', mode: 'live', thresholds: { challenge: 0, block: 3 } },
      'invalid_value',
      'challenge',
    ],
    ['saveListEntry', { action: 'deny' }, 'missing_field', 'value'],
    ['saveListEntry', { action: 'deny', value: 'not a value' }, 'invalid_value', 'value'],
    ['saveListEntry', { action: 'deny', value: 'FR' }, 'invalid_value', 'confirm'],
    [
      'saveListEntry',
      { action: 'deny', value: 'a.example', expires_at: '2020-01-01' },
      'invalid_value',
      'expires_at',
    ],
    ['createDestination', { kind: 'pager', name: 'x', url: 'x', types: [] }, 'missing_field', 'kind'],
    ['createHook', { provider: 'auth0', name: 'x' }, 'missing_field', 'provider'],
    ['createHook', { provider: 'supabase', name: 'x', secret: 'short' }, 'invalid_value', 'secret'],
    ['createKey', '[]', 'missing_field', 'name'],
    ['createKey', 'no json', 'missing_field', undefined],
  ])('%s %j is refused, naming %s %s', async (id, body, code, param) => {
    const { method, path } = manageOperation(id);
    const answer = await send(all, method, withIds(path, { account: (ours as Planted).id }), body);
    expect(problemOf(answer)).toEqual({ status: 400, code, ...(param === undefined ? {} : { param }) });
    expect(faultsOf('ManageErrorEnvelope', answer.json)).toEqual([]);
  });

  it.each(['limit=0', 'limit=x', 'after=x'])('the query ?%s is refused, too', async (query) => {
    const answer = await send(all, 'GET', `/v1/manage/audit?${query}`);
    expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_value', param: query.split('=')[0] });
  });
});

describe(`generated bodies, seed ${SEED}`, () => {
  it.each(MANAGE_OPERATIONS.filter(({ request }) => request !== undefined))(
    'of $id are accepted, or refused in the envelope',
    async (operation) => {
      for (const body of fc.sample(hostileBody, { numRuns: BODIES, seed: SEED })) {
        const answer = await send(all, operation.method, some(operation), JSON.stringify(body));
        const about = `${JSON.stringify(body)}: ${answer.status} ${answer.text}`;
        expect([200, 400, 404, 409], about).toContain(answer.status);
        if (answer.status !== 200) expect(faultsOf('ManageErrorEnvelope', answer.json), about).toEqual([]);
      }
    },
  );
});

describe('a token', () => {
  it('is refused from the moment it is revoked, and its last use is known', async () => {
    const [token] = await plantTokens(installation, { scopes: ['accounts:read'] });
    await expect.poll(async () => (await send(token, 'GET', '/v1/manage/accounts')).status).toBe(200);
    await installation.json('token', 'revoke', token?.id as string);
    const answer = await send(token, 'GET', '/v1/manage/accounts');
    expect(problemOf(answer).code).toMatch(/^(?:token_revoked|too_many_attempts)$/);
    expect(service.output()).not.toContain(token?.text);
  });

  it('that is wrong can be tried only a limited number of times, while a valid one still works', async () => {
    let last: Answer | undefined;
    for (let tries = 0; tries < 200 && last?.status !== 429; tries += 1)
      last = await send(
        { text: `gatehouse_token_${String(tries).padStart(32, '0')}` },
        'GET',
        '/v1/manage/accounts',
      );
    expect(problemOf(last as Answer)).toEqual({ status: 429, code: 'too_many_attempts' });
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(all, 'GET', '/v1/manage/accounts')).status).toBe(200);
  });
});

describe('taking back', () => {
  interface Job {
    readonly id: string;
    readonly state: string;
    readonly by: string;
    readonly total: number;
  }
  async function letIn(account: Planted): Promise<string> {
    const client = createClient(service.url, account.live);
    const { json } = await client.assess({ email: 'jo.miller@gmail.com' }).finally(() => client.close());
    expect(json.verdict).toBe('allow');
    return json.request_id;
  }

  it('is counted, started, read, stopped, continued and undone', async () => {
    const account = (ours as Planted).id;
    const planted = await withStored(installation, (store) => plantRunningTakeBack(store, account));
    const { data } = await call<{ data: { id: string }[] }>('listConnections', { account });
    expect(data.map(({ id }) => id)).toContain(planted.connection);
    expect(JSON.stringify(data)).not.toContain('encrypted');
    const choice = { connection_id: null, request_ids: [await letIn(ours as Planted)] };
    const { until, ...counts } = await call('previewTakeBack', { account }, choice);
    expect(counts).toMatchObject({ total: 1, known: 0, good: 0, fraud: 0, partial: false });
    const job = await call<Job>('startTakeBack', { account }, { ...choice, until });
    expect(job).toMatchObject({ state: 'done', total: 1, holds: false, by: `token ${all?.id} (terraform)` });
    expect(await call('getTakeBack', { account, job: job.id })).toEqual(job);
    const list = withIds(manageOperation('listTakeBacks').path, { account });
    const jobs = await call<{ data: Job[] }>('listTakeBacks', { account });
    expect(jobs.data.map(({ id }) => id)).toEqual(expect.arrayContaining([job.id, planted.job]));
    const first = (await send(all, 'GET', `${list}?limit=1`)).json as { data: Job[]; next: string };
    const second = (await send(all, 'GET', `${list}?limit=1&after=${first.next}`)).json;
    expect([...first.data, ...(second as { data: Job[] }).data]).toEqual(jobs.data);
    const ids = { account, job: planted.job };
    expect(await call('cancelTakeBack', ids)).toMatchObject({ state: 'cancelled' });
    expect(await call('continueTakeBack', ids)).toMatchObject({ state: 'running', phase: 'hold' });
    const again = await send(all, 'POST', withIds(manageOperation('continueTakeBack').path, ids));
    expect(problemOf(again).code).toBe('conflict');
    expect(await call('undoTakeBack', ids)).toMatchObject({ phase: 'release' });
    const { data: log } = await call<{ data: { action: string; by: string }[] }>('listAudit', { account });
    const actions = log.filter(({ by }) => by === job.by).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['takeback.start', 'takeback.cancel', 'takeback.undo']));
  });

  it('reaches no other account, and needs the scope', async () => {
    const account = (ours as Planted).id;
    const theirs = await plant(installation, { name: 'strangers' });
    const planted = await withStored(installation, (store) => plantTakeBack(store, theirs.id));
    const [reader] = await plantTokens(installation, { scopes: ['takebacks:read'], name: 'reader' });
    const path = (id: string, ids: Record<string, string> = {}) =>
      withIds(manageOperation(id).path, { account, ...ids });
    for (const id of ['getTakeBack', 'undoTakeBack', 'cancelTakeBack']) {
      const { method } = manageOperation(id);
      const foreign = { account: theirs.id, job: planted.job };
      expect(problemOf(await send(bound, method, path(id, foreign))).status).toBe(404);
      expect(problemOf(await send(all, method, path(id, { job: planted.job }))).status).toBe(404);
    }
    const start = (body: object, token = all) => send(token, 'POST', path('startTakeBack'), body);
    const own = [await letIn(ours as Planted)];
    const foreign = [await letIn(theirs)];
    const wrong: readonly [object, object][] = [
      [{ connection_id: planted.connection, request_ids: own }, { param: 'connection_id' }],
      [{ connection_id: null, attack: 'cmp_none' }, { param: 'attack' }],
      [{ connection_id: null }, { param: 'attack' }],
      [{ connection_id: null, request_ids: own, attack: 'cmp_none' }, { param: 'attack' }],
      [{ connection_id: null, request_ids: [] }, { param: 'request_ids' }],
      [{ connection_id: null, request_ids: foreign }, { code: 'conflict' }],
    ];
    for (const [body, problem] of wrong)
      expect(problemOf(await start(body)), JSON.stringify(body)).toMatchObject(problem);
    expect(problemOf(await start({ connection_id: null, request_ids: own }, reader)).status).toBe(403);
    expect((await send(reader, 'GET', path('listTakeBacks'))).status).toBe(200);
  });
});

describe('the examples', () => {
  it('of every operation have the members of a real answer', () => {
    for (const { id } of MANAGE_OPERATIONS) {
      const shown = Object.values(readManageExamples()[id] ?? {}).find(({ status }) => status === 200);
      expect(membersOf(shown?.answer), id).toEqual(membersOf(answered.get(id)));
    }
  });
});

/** Possible values of members, right or wrong. */
function oddValue(): fc.Arbitrary<unknown> {
  const known = [
    'live',
    'pro',
    'supabase',
    'deny',
    'a.example',
    'FR',
    'x',
    ' ',
    'nul \u0000',
    '\ud800',
    null,
  ];
  const numbers = [0, -1, 1e13, 1.5, { challenge: 1, block: 2 }, { challenge: '1' }, [], true];
  return fc.oneof(fc.constantFrom<unknown>(...known, ...numbers), fc.jsonValue(), fc.string());
}

/** The id in an answer, or in the first row of a page. */
function membersOf(answer: unknown): unknown {
  const { data, ...rest } = answer as { data?: object[] };
  return data === undefined
    ? Object.keys(rest).sort()
    : [...Object.keys(rest), Object.keys(data[0] ?? {}).sort()];
}
