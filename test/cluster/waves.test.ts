/** Waves on several nodes: one learns for all, each stops the next members, and another node goes on when it is killed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Campaign } from '../../src/model/campaign.ts';
import type { Client } from '../support/client.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { patienceMs } from '../support/long-version.ts';
import type { Planted } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import type { ServiceProcess } from '../support/service.ts';
import { readDecision, withStored } from '../support/stored.ts';

const NODES = 3;
const PATIENCE_MS = 180_000;
const PATIENCE = { timeout: patienceMs(60_000), interval: 100 };
const KNOWN = 14;

let cluster: Cluster;
let account: Planted;
beforeAll(async () => {
  cluster = await startCluster({ nodes: NODES, program: PATIENT_SERVICE });
  account = await cluster.account();
}, PATIENCE_MS);
afterAll(() => cluster?.end());

let sent = 0;
const sentOf = new Map<string, number>();
async function member(domain: string, node: number): Promise<string> {
  sent += 1;
  sentOf.set(domain, (sentOf.get(domain) ?? 0) + 1);
  const name = BigInt(sent * 2_654_435_761 + 7 ** 14)
    .toString(36)
    .padStart(10, 'k');
  const signup = { email: `${name}@${domain}`, ip: `79.${192 + (sent % 60)}.${sent % 250}.7` };
  const { json } = await (cluster.clients[node] as Client).assess(signup, account.live);
  return json.verdict;
}

const campaignOf = (domain: string) =>
  withStored(cluster.installation, async (store) => {
    const { campaigns } = await store.campaigns(account.id, { limit: 100 });
    return campaigns.find(({ scopeText }) => scopeText === domain) as Campaign;
  });

/** Sends members to the nodes in turn; then waits until every node stops the next. */
async function isLearned(domain: string, nodes: readonly number[]): Promise<void> {
  for (let count = 0; count < KNOWN; count += 1) await member(domain, nodes[count % nodes.length] as number);
  await expect.poll(() => campaignOf(domain), PATIENCE).toBeDefined();
  for (const node of nodes) await expect.poll(() => member(domain, node), PATIENCE).not.toBe('allow');
}

const countsAll = (domain: string) =>
  expect.poll(async () => (await campaignOf(domain)).members, PATIENCE).toBe(sentOf.get(domain));

it('are learned by one node for all', async () => {
  await isLearned('postfarm-all.com', [0, 1, 2]);
  await countsAll('postfarm-all.com');
});

it('let every node count the addresses of a mailbox, until the person is erased', async () => {
  const assess = async (email: string, node: number) =>
    (await (cluster.clients[node] as Client).assess({ email }, account.live)).json.request_id;
  const found = async (email: string, node: number) => {
    const { evidence } = await readDecision(cluster.installation, account.id, await assess(email, node));
    return evidence.velocity.mailbox90d;
  };
  for (let tag = 0; tag < 6; tag += 1) await assess(`jo+${tag}@gmail.com`, tag % NODES);
  for (const node of [0, 1, 2]) await expect.poll(() => found('jo+z@gmail.com', node), PATIENCE).toBe(7);
  const person = ['--account', account.id, '--email', 'jo@gmail.com'];
  await cluster.installation.json('privacy', 'erase', ...person, '--yes');
  for (const node of [0, 1, 2]) await expect.poll(() => found('jo+z@gmail.com', node), PATIENCE).toBe(0);
});

it('are learned by another one when that node is killed', async () => {
  const before = await campaignOf('postfarm-all.com');
  for (const killed of [0, 1]) {
    await (cluster.nodes[killed] as ServiceProcess).kill();
    const rest = [0, 1, 2].filter((node) => node > killed);
    await isLearned(`postfarm-without-${killed}.com`, rest);
  }
  await member('postfarm-all.com', 2);
  await countsAll('postfarm-all.com');
  expect((await campaignOf('postfarm-all.com')).id).toBe(before.id);
});
