/** `kill -9` of a node while it delivers events, on PostgreSQL: the other node delivers the rest, in order, and nothing again that was answered. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MANAGE_SCOPES } from '../../../src/model/manage-token.ts';
import { createClient } from '../../support/client.ts';
import { plant, plantTokens } from '../../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../../support/service.ts';
import { newMigratedDatabase } from '../../support/shared-servers.ts';

const KEYS = 12;
/** Max. tries of one destination at once, by each node. */
const AT_ONCE = 4;
const REFUSED = 500;
const PATIENCE = { timeout: 400_000, interval: 100 };

interface Arrival {
  readonly id: string;
  readonly object: string;
  readonly change: string;
}

let installations: Installation[];
let nodes: ServiceProcess[];
let receiver: Server;
/** Tries that were taken, in their order. */
let taken: Arrival[] = [];
/** Events that were refused, each once: the first of each key, so that the second would overtake it. */
let refused = new Set<string>();
/** Tries that wait for an answer, and how many did at most. */
const open = new Set<Arrival>();
let maxOpen = 0;
/** Whether the receiver answers: it does not before the kill, so that this meets tries under way. */
let answers = false;
let account: string;
let token: string;

beforeAll(async () => {
  const settings = { DATABASE_URL: await newMigratedDatabase(), GATEHOUSE_WEBHOOKS_PRIVATE: 'on' };
  installations = [await createInstallation(settings), await createInstallation(settings)];
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { object, data } = JSON.parse(body) as { object: string; data: { change: string } };
    const arrival = { id: String(request.headers['webhook-id']), object, change: data.change };
    open.add(arrival);
    maxOpen = Math.max(maxOpen, open.size);
    response.on('close', () => open.delete(arrival));
    if (!answers) return;
    if (arrival.change === 'created' && !refused.has(arrival.id)) {
      refused.add(arrival.id);
      response.writeHead(REFUSED).end();
      return;
    }
    taken.push(arrival);
    response.end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const [first] = installations as [Installation];
  account = (await plant(first, { name: 'told' })).id;
  token = (await plantTokens(first, { scopes: MANAGE_SCOPES, name: 'test' }))[0]?.text as string;
  nodes = [];
  for (const installation of installations) nodes.push(await installation.spawn());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await send(0, 'POST', '/destinations', { kind: 'webhook', name: 'a', url, types: ['key.changed'] });
}, 240_000);
afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  for (const node of nodes ?? []) await node.kill();
  for (const installation of installations ?? []) await installation.remove();
});

async function send(node: number, method: string, path: string, body?: unknown): Promise<{ id: string }> {
  const client = createClient((nodes[node] as ServiceProcess).url, token);
  const message = {
    method,
    path: `/v1/manage/accounts/${account}${path}`,
    ...(body !== undefined && { body }),
  };
  const answer = await client.send(message).finally(() => client.close());
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as { id: string };
}

/** Makes keys and revokes them, each at one of the nodes. */
async function changeKeys(atNodes: readonly number[]): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const node = atNodes[n % atNodes.length] as number;
    const { id } = await send(node, 'POST', '/keys', { name: `key ${n}`, mode: 'live' });
    await send(atNodes[(n + 1) % atNodes.length] as number, 'DELETE', `/keys/${id}`);
    keys.push(id);
  }
  return keys;
}

const changesOf = (key: string) => [
  ...new Set(taken.filter(({ object }) => object === key).map(({ change }) => change)),
];
const inOrder = (keys: readonly string[]) => keys.map(() => ['created', 'revoked']);

it('is taken over: none is lost, each object keeps its order, and none comes twice once it is answered', {
  timeout: 600_000,
}, async () => {
  const keys = await changeKeys([0, 1]);
  // More than one node may have: both have tries under way.
  await expect.poll(() => open.size, PATIENCE).toBeGreaterThan(AT_ONCE);
  expect(maxOpen).toBeLessThanOrEqual(2 * AT_ONCE);
  // Nobody starts this node again before the end.
  await nodes[0]?.kill();
  answers = true;
  await expect.poll(() => keys.every((key) => changesOf(key).length === 2), PATIENCE).toBe(true);
  expect(keys.map(changesOf)).toEqual(inOrder(keys));
  expect(refused.size).toBe(KEYS);
  const ids = taken.map(({ id }) => id);
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids).toHaveLength(2 * KEYS);
});

it('repeats no more than was under way, where the receiver answers all the time', {
  timeout: 600_000,
}, async () => {
  nodes[0] = await (installations[0] as Installation).spawn();
  taken = [];
  refused = new Set();
  const keys = await changeKeys([0]);
  await expect.poll(() => taken.length, { ...PATIENCE, interval: 1 }).toBeGreaterThan(2);
  await nodes[1]?.kill();
  await nodes[0].kill();
  nodes[1] = await (installations[1] as Installation).spawn();
  await expect.poll(() => keys.every((key) => changesOf(key).length === 2), PATIENCE).toBe(true);
  expect(keys.map(changesOf)).toEqual(inOrder(keys));
  const repeated = taken.length - new Set(taken.map(({ id }) => id)).size;
  // Both nodes are killed, and each may have so many tries under way.
  expect(repeated).toBeLessThanOrEqual(2 * AT_ONCE);
});
