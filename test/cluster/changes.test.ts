/** A change by one node or by the command line applies on every node within a second. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey, KeyRow, ListEntryRow } from '../../src/contract/dashboard-account.ts';
import type { MailHostReport } from '../../src/contract/dashboard-installation.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import type { Answer, Client } from '../support/client.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { spawnGatehouse } from '../support/command.ts';
import { until } from '../support/expectations.ts';
import { patienceMs } from '../support/long-version.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import type { Planted } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { everythingStored } from '../support/stored.ts';

const SOON_MS = patienceMs(1_000);
const PATIENCE_MS = 180_000;

let cluster: Cluster;
let account: Planted;
/** Signed in on the first node. */
let operator: Person;
let path: string;
beforeAll(async () => {
  cluster = await startCluster({ nodes: 3, program: PATIENT_SERVICE });
  account = await cluster.account();
  path = `/accounts/${account.id}`;
  const [first] = cluster.nodes;
  operator = await signIn(first as { url: string }, await plantPerson(cluster.installation, 'operator'));
}, PATIENCE_MS);
afterAll(async () => {
  operator?.close();
  await cluster?.end();
});

let signups = 0;
/** A signup whose only finding is its + tag, which weighs 6. */
const assess = (client: Client, key = account.live): Promise<Answer<Assessment>> => {
  signups += 1;
  return client.assess({ email: `jo+tag@changing-harbour-${signups}.com` }, key);
};
const verdicts = async () =>
  Promise.all(cluster.clients.map(async (client) => (await assess(client)).json.verdict));

/** Polls each node until it shows the expected state. */
async function everywhereSoon(holds: (client: Client) => Promise<boolean>): Promise<void> {
  await Promise.all(cluster.clients.map((client) => until(() => holds(client), SOON_MS)));
}
const statusSoon = (key: string, status: number) =>
  everywhereSoon(async (client) => (await assess(client, key)).status === status);
const verdictSoon = (verdict: string) =>
  everywhereSoon(async (client) => (await assess(client)).json.verdict === verdict);
const sent = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
  const { status, text } = await answer;
  expect(status, text).toBeLessThan(300);
  return (text === '' ? undefined : JSON.parse(text)) as T;
};

describe('by the command line', { timeout: PATIENCE_MS }, () => {
  it('a key works everywhere, and is refused everywhere once it is revoked', async () => {
    const { id, key } = await cluster.installation.key(account.id, 'live');
    await statusSoon(key, 200);
    await cluster.installation.json('key', 'revoke', id);
    await statusSoon(key, 401);
    for (const client of cluster.clients) expect((await assess(client, key)).text).toContain('token_revoked');
  });

  it('a share of people is stopped everywhere, the same ones, until the key only observes again', async () => {
    const { json } = cluster.installation;
    const { id, key } = await cluster.installation.key(account.id, 'live', '--shadow');
    await statusSoon(key, 200);
    const people = Array.from({ length: 12 }, (_, at) => `person${at}@mailinator.com`);
    const stoppedBy = async (client: Client) => {
      const answers = await Promise.all(people.map((email) => client.assess({ email }, key)));
      return answers.map(({ json: { verdict } }) => verdict === 'block').join();
    };
    const nobody = people.map(() => false).join();
    await json('key', 'enforce', id, '--share', '50');
    await everywhereSoon(async (client) => (await stoppedBy(client)) !== nobody);
    expect(new Set(await Promise.all(cluster.clients.map(stoppedBy))).size).toBe(1);
    await json('key', 'shadow', id);
    await everywhereSoon(async (client) => (await stoppedBy(client)) === nobody);
  });

  it('thresholds take effect everywhere', async () => {
    const { json } = cluster.installation;
    expect(await verdicts()).toEqual(['allow', 'allow', 'allow']);
    await json('account', 'set', account.id, '--challenge', '2', '--block', '5');
    await verdictSoon('block');
    await json('account', 'set', account.id, '--challenge', '30', '--block', '60');
    await verdictSoon('allow');
  });

  it('an entry of a list decides everywhere, until it is removed', async () => {
    const { id } = await cluster.installation.json<{ id: string }>(
      'list',
      'add',
      '--account',
      account.id,
      '--deny',
      '203.0.113.0/24',
      '--reason',
      'a test',
    );
    const denied = async (client: Client) =>
      (await client.assess({ email: 'jo@listed-harbour.com', ip: '203.0.113.9' }, account.live)).json
        .verdict === 'block';
    await everywhereSoon(denied);
    await cluster.installation.json('list', 'remove', id, '--account', account.id);
    await everywhereSoon(async (client) => !(await denied(client)));
  });
});

describe('an account that is deleted', { timeout: PATIENCE_MS }, () => {
  // The wait for other nodes takes 15 s; `test/cli/account-delete.test.ts` shortens it, with one node.
  it('is refused everywhere, and nothing of it is left in the database and the counters', async () => {
    const deletedAccount = await cluster.account();
    const { status, json } = await assess(cluster.clients[0] as Client, deletedAccount.live);
    expect(status).toBe(200);
    const deleting = spawnGatehouse(
      ['account', 'delete', deletedAccount.id, '--yes'],
      cluster.installation.environment,
    );
    await statusSoon(deletedAccount.live, 401);
    expect(await deleting).toMatchObject({ status: 0, stdout: expect.stringContaining('"deleted":true') });
    const stored = await everythingStored(cluster.installation);
    const traces = [deletedAccount.id, json.request_id];
    expect(traces.filter((trace) => stored.some((row) => row.includes(trace)))).toEqual([]);
    const redis = new Redis(cluster.installation.environment.REDIS_URL as string);
    await until(async () => (await redis.keys(`*${deletedAccount.id}*`)).length === 0);
    redis.disconnect();
    expect(await verdicts()).toHaveLength(cluster.clients.length);
  });
});

describe('what nodes learned about a mail host', { timeout: PATIENCE_MS }, () => {
  it('is combined, and ends everywhere within a second when the host is forgotten or trusted', async () => {
    const other = await cluster.account();
    const host = { host: 'mx.planted-harbour.com' };
    const see = async (client: Client, domain: string, key = account.live) => {
      cluster.dns.set(domain, { mx: [`10 ${host.host}`] });
      return (await client.assess({ email: `jo@${domain}` }, key)).json;
    };
    const stored = async () => (await operator.get<MailHostReport>(`/intelligence/host?q=${host.host}`)).json;
    let round = 0;
    /** Each node sees a part, after the part of the other one is stored. */
    const learn = async () => {
      round += 1;
      for (const [at, domain] of ['mailinator.com', 'yopmail.com', 'trashmail.com'].entries()) {
        for (const key of [account.live, other.live])
          await see(cluster.clients[at % 2] as Client, `at-${round}.${domain}`, key);
        await until(async () => (await stored()).listed === at + 1);
      }
      await until(async () => (await stored()).state === 'flagged');
    };
    /** Always the same domain, which is no evidence about itself, so these signups cannot clear the host. */
    const flagged = async (client: Client) =>
      (await see(client, 'fresh-harbour.com')).signals.email.disposable;
    const [first, , third] = cluster.clients as [Client, Client, Client];
    await learn();
    // It has no data, and reads the data of the other nodes at its first signup with the host.
    expect(await flagged(third)).toBe(true);
    await sent(operator.send('POST', '/intelligence/host/forget', host));
    await everywhereSoon(async (client) => !(await flagged(client)));
    await learn();
    // A node with the host in memory reads the data of the others once a minute; this node saw it last.
    await until(() => flagged(first));
    await cluster.installation.json('intel', 'trust-host', host.host);
    await everywhereSoon(async (client) => !(await flagged(client)));
    const shown = await cluster.installation.json<{ state: string; summary: string }>(
      'intel',
      'host',
      host.host,
    );
    expect(shown.state).toBe('never_flagged');
  });
});

describe('through the dashboard of one node', () => {
  it('a key works everywhere, and is refused everywhere once it is revoked', async () => {
    const { key, secret } = await sent(
      operator.send<CreatedKey>('POST', `${path}/keys`, { name: 'shop', mode: 'live' }),
    );
    await statusSoon(secret, 200);
    await sent(operator.send<KeyRow>('POST', `${path}/keys/${key.id}/revoke`));
    await statusSoon(secret, 401);
  });

  it('thresholds and a policy take effect everywhere', async () => {
    await sent(operator.send('PUT', `${path}/thresholds`, { challenge: 2, block: 50 }));
    await verdictSoon('challenge');
    await sent(operator.send('POST', `${path}/policy`, { weights: { plus_alias: 0 }, note: 'a test' }));
    await verdictSoon('allow');
    await sent(operator.send('PUT', `${path}/thresholds`));
  });

  it('a plan takes effect everywhere', async () => {
    const change = (plan: string, rps: number | null) =>
      sent(
        operator.send('PATCH', `/operator/accounts/${account.id}`, {
          plan,
          requests_per_second: rps,
        }),
      );
    const isPlan = (plan: string) => async (client: Client) => {
      const { json, headers } = await client.usage(account.live);
      return json.plan === plan && headers['x-ratelimit-limit'] === (plan === 'starter' ? '10' : '100000');
    };
    await change('starter', null);
    await everywhereSoon(isPlan('starter'));
    await change('business', 100_000);
    await everywhereSoon(isPlan('business'));
  });

  it('an entry of a list decides everywhere, until it is removed', async () => {
    const { id } = await sent(
      operator.send<ListEntryRow>('POST', `${path}/lists`, {
        action: 'deny',
        value: 'unwanted-harbour.com',
        reason: 'a test',
      }),
    );
    const denied = async (client: Client) =>
      (await client.assess({ email: 'jo@unwanted-harbour.com' }, account.live)).json.verdict === 'block';
    await everywhereSoon(denied);
    await sent(operator.send('DELETE', `${path}/lists/${id}`));
    await everywhereSoon(async (client) => !(await denied(client)));
  });

  it('a sign-in or sign-out on one node applies to all', async () => {
    const session = (client: Client) =>
      client.send({
        path: '/dashboard/api/session',
        headers: { cookie: operator.cookie, 'X-Gatehouse': 'dashboard' },
      });
    for (const client of cluster.clients) expect((await session(client)).status).toBe(200);
    const [, second] = cluster.clients as [Client, Client, Client];
    const out = await second.send({
      method: 'POST',
      path: '/dashboard/auth/sign-out',
      headers: { cookie: operator.cookie, 'X-Gatehouse': 'dashboard' },
      body: {},
    });
    expect(out.status).toBe(200);
    for (const client of cluster.clients) expect((await session(client)).status).toBe(401);
  });
});
