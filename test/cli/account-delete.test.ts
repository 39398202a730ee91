/** gatehouse account delete: removes everything of an account, without a service or beside one that is killed meanwhile; other accounts answer as before. */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashOfAccount } from '../../src/store/account-deletion-store.ts';
import { createClient } from '../support/client.ts';
import { failureOf } from '../support/command.ts';
import { until } from '../support/expectations.ts';
import { type PlantedPerson, plantPerson } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { everythingStored, withStored } from '../support/stored.ts';

interface Furnished {
  readonly id: string;
  readonly live: string;
  /** The request id of its first assessment. */
  readonly requestId: string;
  /** Text that is stored only for this account. */
  readonly traces: readonly string[];
  readonly owner: PlantedPerson;
}

const DONE_MS = 120_000;
/** Each poll opens the store, and the write-ahead log is not emptied while a connection reads it. */
const POLL_MS = 250;
let installation: Installation;
let onServer: boolean;
beforeAll(async () => {
  installation = await createInstallation();
  onServer = installation.environment.DATABASE_URL !== undefined;
});
afterAll(() => installation?.remove());

/** An account with one of everything that people and programs can add. */
async function furnish({ url }: Service, word: string): Promise<Furnished> {
  const { id, live, test } = await plant(installation);
  const owner = await plantPerson(installation, { account: id, role: 'owner' });
  const ids: string[] = [];
  const client = createClient(url);
  await until(async () => (await client.usage(test)).status === 200);
  for (const key of [live, live, test]) {
    const signup = { email: `jo-${word}@mail.example`, ip: '192.0.2.9', session_id: `session-${word}` };
    ids.push((await client.assess(signup, key)).json.request_id);
  }
  const [requestId = ''] = ids;
  await client.feedback({ request_id: requestId, outcome: 'false_positive', note: `note-${word}` }, live);
  client.close();
  const addressHash = await withStored(installation, async (store) => {
    await store.savePolicy({
      accountId: id,
      weights: {},
      createdAt: 1,
      author: word,
      note: `policy-${word}`,
    });
    for (const value of [`listed-${word}.example`, `other-${word}.example`])
      await store.saveListEntry({
        id: `lst_${randomUUID()}`,
        accountId: id,
        action: 'deny',
        kind: 'domain',
        value,
        shown: value,
        reason: `reason-${word}`,
        author: word,
        createdAt: 1,
        expiresAt: null,
        hits: 0,
        lastHitAt: null,
      });
    await store.saveHook({
      id: `hk_${word}`,
      accountId: id,
      provider: 'supabase',
      name: `hook-${word}`,
      mode: 'live',
      secrets: { current: null, previous: null },
      reach: 'public',
      challengeAs: 'allow',
      onError: 'allow',
      createdAt: 1,
      lastUsedAt: null,
      revokedAt: null,
    });
    return (await store.findStored(requestId, { accountId: id, mode: 'live' }))?.addressHash ?? '';
  });
  // Ids of removed list entries stay: they contain no data, and a stopped service learns of the removal from them.
  const texts = ['listed', 'reason', 'hook', 'session', 'note', 'policy'].map((part) => `${part}-${word}`);
  return { id, live, requestId, owner, traces: [id, ...ids, owner.id, owner.email, addressHash, ...texts] };
}

const COUNTS = {
  assessments: 3,
  feedback: 1,
  keys: 2,
  hooks: 1,
  list_entries: 2,
  policies: 1,
  members: 1,
  users: 1,
};
const remove = (id: string, ...more: string[]) => installation.json('account', 'delete', id, ...more);
const deletionOf = (id: string) => withStored(installation, (store) => store.findAccountDeletion(id));

async function tracesOf({ traces }: Furnished): Promise<string[]> {
  const stored = await everythingStored(installation);
  return traces.filter((trace) => stored.some((part) => part.includes(trace)));
}

/** Everything that the shared counters have stored for the account. */
async function countsOf({ id }: Furnished): Promise<string[]> {
  const redis = new Redis(installation.environment.REDIS_URL as string);
  return redis.keys(`*${id}*`).finally(() => redis.disconnect());
}

async function answerOf(
  { url }: Service,
  path: string,
  key: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  return { status: answer.status, text: await answer.text() };
}

it('deletes all data of the account, even if the service is killed meanwhile, and other accounts are not affected', {
  timeout: 300_000,
}, async () => {
  const killed = await installation.spawn({}, PATIENT_SERVICE);
  const [gone, kept, later] = [
    await furnish(killed, 'quokka'),
    await furnish(killed, 'narwhal'),
    await furnish(killed, 'axolotl'),
  ];
  const before = await answerOf(killed, `/v1/assess/${kept.requestId}`, kept.live);
  expect(await tracesOf(gone)).toEqual(gone.traces);

  expect(await remove(gone.id)).toMatchObject({ would_delete: true, ...COUNTS });
  expect((await answerOf(killed, '/v1/usage', gone.live)).status).toBe(200);
  const removing = remove(gone.id, '--yes');
  await until(async () => (await answerOf(killed, '/v1/usage', gone.live)).status === 401);
  await killed.kill();
  expect(await deletionOf(gone.id)).toMatchObject({ isDone: false });
  expect(await removing).toMatchObject({ [onServer ? 'deleted' : 'deleting']: true, ...COUNTS });
  const service = await installation.start();
  await until(async () => (await deletionOf(gone.id))?.isDone === true, DONE_MS, POLL_MS);
  expect((await answerOf(service, '/v1/usage', gone.live)).status).toBe(401);
  expect(await answerOf(service, `/v1/assess/${kept.requestId}`, kept.live)).toEqual(before);
  expect(failureOf(await installation.run('account', 'delete', gone.id, '--yes'), 1)).toContain(
    'was deleted at',
  );
  expect(failureOf(await installation.run('account', 'delete', 'acc_none'), 1)).toContain(
    'no account acc_none',
  );
  const removeLater = async () =>
    expect(await remove(later.id, '--yes')).toMatchObject({ deleted: true, ...COUNTS });
  if (onServer) {
    expect(await countsOf(later)).not.toEqual([]);
    await removeLater();
    await until(async () => (await countsOf(later)).length === 0);
  }
  await service.stop();
  // No other process has written the file again: the service has overwritten the freed space.
  expect(await tracesOf(gone)).toEqual([]);

  if (!onServer) await removeLater();
  expect(await tracesOf(later)).toEqual([]);
  expect(await tracesOf(gone)).toEqual([]);
  expect(await tracesOf(kept)).toEqual(kept.traces);

  const log = await withStored(installation, (store) => store.auditEntries(null, null, 20));
  const entries = log.entries.filter(({ action }) => action === 'account_deleted');
  expect(entries.map(({ target }) => target)).toEqual(
    [later, gone].map(({ id }) => `account ${hashOfAccount(id).slice(0, 16)}`),
  );
  for (const { detail } of entries) expect(detail).toContain('3 assessments, 1 reports');
  const again = await installation.start();
  expect(await answerOf(again, `/v1/assess/${kept.requestId}`, kept.live)).toEqual(before);
  await again.stop();
});
