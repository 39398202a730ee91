/** Deliveries of mail providers with PostgreSQL on two nodes: thousands of events at once, and a delivery that comes again while the first is worked off. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { until } from '../support/expectations.ts';
import type { Delivery } from '../support/hook-senders.ts';
import { makeMailSenders } from '../support/mail-senders.ts';
import type { Planted } from '../support/plant.ts';

const EVENTS = 2_500;

const sender = makeMailSenders({ origin: 'http://127.0.0.1:1' }).sendgrid;
let cluster: Cluster;
let account: Planted;
let path: string;
let clients: readonly Client[];
beforeAll(async () => {
  cluster = await startCluster({ nodes: 2 });
  account = await cluster.account();
  const args = ['--account', account.id, '--provider', 'sendgrid', '--name', 'mails'];
  const hook = ['hook', 'create', ...args, '--secret', sender.secret];
  path = (await cluster.installation.json<{ path: string }>(...hook)).path;
  clients = cluster.nodes.map(({ url }) => createClient(url, account.live));
  const harmless = sender.deliver('delivered', 'x@example.com');
  for (const client of clients) await until(async () => (await deliver(client, harmless)) === 200);
}, 240_000);
afterAll(async () => {
  for (const client of clients ?? []) client.close();
  await cluster?.end();
});

async function deliver(client: Client, { headers, body }: Delivery): Promise<number> {
  return (await client.send({ method: 'POST', path, key: null, headers, body })).status;
}

it('are worked off to their last event, once, also if both nodes get the same one', async () => {
  const [first, second] = clients as [Client, Client];
  const people = [0, EVENTS / 2, EVENTS - 1];
  const emails = Array.from({ length: EVENTS }, (_, at) => `person-${at}@many-events.com`);
  for (const at of people) await first.assess({ email: emails[at] as string });
  const delivery = sender.deliverMany?.(emails) as Delivery;
  // One that waited too long for the other is told to come again.
  const statuses = await Promise.all([deliver(first, delivery), deliver(second, delivery)]);
  expect(statuses).toContain(200);
  await until(async () => (await deliver(second, delivery)) === 200);
  const noted = await cluster.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM outcomes WHERE account_id = $1 AND outcome = 'bounced'`,
    [account.id],
  );
  expect(noted).toEqual([{ count: people.length }]);
  for (const at of people) await first.assess({ email: emails[at] as string });
  expect(await deliver(first, delivery)).toBe(200);
  const [after] = await cluster.sql<{ count: number }>('SELECT count(*)::int AS count FROM outcomes');
  expect(after?.count).toBe(people.length);
});
