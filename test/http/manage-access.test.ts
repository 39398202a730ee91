/** Permissions of a token, derived from the table of operations: nothing without the scope, and nothing outside the account that it is bound to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMakeId } from '../../src/contract/identifiers.ts';
import { MANAGE_OPERATIONS, type ManageOperation } from '../../src/contract/manage-operations.ts';
import { readManageExamples } from '../../src/contract/openapi-manage.ts';
import { MANAGE_SCOPES } from '../../src/model/manage-token.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { type Answer, createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { type Planted, plant, plantTokens } from '../support/plant.ts';
import { plantDelivery } from '../support/plant-delivery.ts';
import { plantRunningTakeBack } from '../support/plant-take-back.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

type Ids = Readonly<
  Record<
    'account' | 'key' | 'entry' | 'hook' | 'campaign' | 'destination' | 'event' | 'job' | 'signup',
    string
  >
>;

const NONE: Ids = {
  account: 'acc_none',
  key: 'key_none',
  entry: 'lst_none',
  hook: 'hk_none',
  campaign: 'cmp_none',
  destination: 'dst_none',
  event: 'evt_none',
  job: 'tbk_none',
  signup: 'req_none',
};
const WITH_ACCOUNT = MANAGE_OPERATIONS.filter(({ path }) => path.includes('{account}'));
const OF_ID = new Map(MANAGE_OPERATIONS.map((operation) => [operation.id as string, operation]));
const OF_ALL = MANAGE_OPERATIONS.filter(({ path }) => !path.includes('{account}'));

let installation: Installation;
let service: Service;
let theirs: Planted;
let ownIds: Ids;
let othersIds: Ids;
/** For each operation: a token with every scope except its own, and one with only its own scope that is bound to an account. */
const [lacking, bound]: Map<string, string>[] = [new Map(), new Map()];

beforeAll(async () => {
  installation = await createInstallation();
  const ours = await plant(installation, { name: 'ours' });
  theirs = await plant(installation, { name: 'theirs' });
  [ownIds, othersIds] = [await furnish(ours.id), await furnish(theirs.id)];
  const rows = MANAGE_OPERATIONS.flatMap(({ scope }) => {
    const others = MANAGE_SCOPES.filter(
      (other) => ![scope, scope.replace(':read', ':write')].includes(other),
    );
    return [{ scopes: others }, { scopes: [scope], accountId: ours.id }];
  });
  const tokens = await plantTokens(installation, ...rows);
  for (const [at, { id }] of MANAGE_OPERATIONS.entries()) {
    lacking?.set(id, tokens[2 * at]?.text as string);
    bound?.set(id, tokens[2 * at + 1]?.text as string);
  }
  service = await installation.start();
  [ownIds, othersIds] = [await withJob(ownIds), await withJob(othersIds)];
});
afterAll(() => installation?.remove());

/** A key, an entry, a hook and a wave of an account. */
async function furnish(account: string): Promise<Ids> {
  const of = ['--account', account];
  const entry = await installation.json<{ id: string }>('list', 'add', ...of, '--deny', 'bad.example');
  const hook = await installation.json<{ id: string }>(
    'hook',
    'create',
    ...of,
    '--provider',
    'supabase',
    '--name',
    'form',
  );
  const { keys } = await withStored(installation, (store) => store.changesSince(0));
  const key = keys.find(({ accountId }) => accountId === account)?.id as string;
  const wave = await withStored(installation, (store) =>
    store.saveLearned(aLearnedCampaign(account, 'postfarm.example', { since: Date.now() })),
  );
  const events = await withStored(installation, (store) => plantDelivery(store, account));
  const signup = createMakeId()('req', Date.now());
  await withStored(installation, (store) =>
    store.record(anAssessment({ requestId: signup, accountId: account, verdict: 'allow' })),
  );
  const ids = { key, entry: entry.id, hook: hook.id, campaign: wave?.id as string, signup, job: '' };
  return { account, ...ids, ...events };
}

/** A job that takes accounts back, which only a running service leaves alone. */
async function withJob(ids: Ids): Promise<Ids> {
  const { job } = await withStored(installation, (store) => plantRunningTakeBack(store, ids.account));
  return { ...ids, job };
}

async function send(secret: string | undefined, { id, method, path }: ManageOperation, ids: Ids) {
  const client = createClient(service.url, secret as string);
  const target = path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
  const body = method === 'GET' ? {} : { body: usableBodyOf(id, ids) };
  return client.send({ method, path: target, ...body }).finally(() => client.close());
}

/** A body that the operation accepts: that of the example. */
function usableBodyOf(id: string, { signup }: Ids): unknown {
  if (id === 'startTakeBack' || id === 'previewTakeBack')
    return { connection_id: null, request_ids: [signup] };
  const examples = Object.values(readManageExamples()[id] ?? {});
  return (examples.find(({ status }) => status === 200) as { body?: unknown } | undefined)?.body ?? {};
}

const seen = ({ status, text }: Answer) => [status, text];

describe.each(MANAGE_OPERATIONS)('$id', (operation) => {
  it('has the scope of its resource: to read, or to change', () => {
    const { method, path, scope } = operation;
    const resource = path
      .split('/')
      .findLast((part) => MANAGE_SCOPES.some((known) => known.startsWith(`${part}:`)));
    expect(scope).toBe(`${resource}:${method === 'GET' ? 'read' : 'write'}`);
  });

  it('is refused to a token with all other scopes', async () => {
    const before = await stored();
    const answer = await send(lacking?.get(operation.id), operation, othersIds);
    expect(problemOf(answer)).toEqual({ status: 403, code: 'forbidden' });
    expect(answer.text).toContain(operation.scope);
    expect(await stored()).toBe(before);
  });
});

describe.each(WITH_ACCOUNT)('$id of a bound token', (operation) => {
  it('answers ids of another account like unknown ones, and changes nothing there', async () => {
    const before = await stored();
    const token = bound?.get(operation.id);
    const unknown = await send(token, operation, NONE);
    expect(problemOf(unknown)).toEqual({ status: 404, code: 'not_found' });
    expect(seen(await send(token, operation, othersIds))).toEqual(seen(unknown));
    if (/\{(?!account)\w+\}/.test(operation.path)) {
      const inOwn = { ...othersIds, account: ownIds.account };
      expect(seen(await send(token, operation, inOwn))).toEqual(seen(unknown));
    }
    expect(await stored()).toBe(before);
  });

  it('works in its own account', async () => {
    // Its rotation was ended by the operation before.
    const rotate = operation.id === 'undoKeyRotation' && OF_ID.get('rotateKey');
    if (rotate) await send(bound?.get('rotateKey'), rotate, ownIds);
    const answer = await send(bound?.get(operation.id), operation, ownIds);
    expect(seen(answer)).toEqual([200, expect.any(String)]);
  });
});

describe.each(OF_ALL)('$id of a bound token', (operation) => {
  it('shows nothing of another account, and changes nothing', async () => {
    const before = await stored();
    const answer = await send(bound?.get(operation.id), operation, othersIds);
    expect(operation.method === 'GET' ? [200, 403] : [403]).toContain(answer.status);
    expect(answer.text).not.toContain(theirs.id);
    // It sees no entry in the log of the installation.
    if (operation.scope === 'audit:read') expect(answer.status).toBe(403);
    expect(await stored()).toBe(before);
  });
});

/** Everything that tokens can change, but not the time of the last use. */
async function stored(): Promise<string> {
  return withStored(installation, async (store) => {
    const { accounts, keys, hooks } = await store.changesSince(0);
    const lists = [];
    for await (const change of store.listChangesSince(0)) lists.push(change);
    const campaigns = [];
    for await (const campaign of store.campaignChangesSince(0)) campaigns.push(campaign);
    const all = [accounts, keys, hooks, lists, campaigns];
    return JSON.stringify(all, (name, value) => (name === 'lastUsedAt' ? null : value));
  });
}
