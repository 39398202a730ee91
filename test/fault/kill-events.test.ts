/** `kill -9` while events are delivered: every event of what was acknowledged arrives in the end. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MANAGE_SCOPES } from '../../src/model/manage-token.ts';
import { createClient } from '../support/client.ts';
import { plant, plantTokens } from '../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';

const KEYS = 12;
/** Tries of one destination at once. */
const AT_ONCE = 4;

let installation: Installation;
let receiver: Server;
/** Events that arrived, by what they are about, in order. */
const arrived = new Map<string, string[]>();
/** Whether the receiver answers: it does not before the kill, so that this meets tries under way. */
let answers = false;

beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_WEBHOOKS_PRIVATE: 'on' });
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { object, data } = JSON.parse(body) as { object: string; data: { change: string } };
    arrived.set(object, [...(arrived.get(object) ?? []), data.change]);
    if (answers) response.end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await installation?.remove();
});

it('loses none, and keeps the order of each object', { timeout: 600_000 }, async () => {
  const { id: account } = await plant(installation, { name: 'told' });
  const [token] = await plantTokens(installation, { scopes: MANAGE_SCOPES, name: 'test' });
  const send = async (service: ServiceProcess, method: string, path: string, body?: unknown) => {
    const client = createClient(service.url, token?.text ?? null);
    const message = {
      method,
      path: `/v1/manage/accounts/${account}${path}`,
      ...(body !== undefined && { body }),
    };
    const answer = await client.send(message).finally(() => client.close());
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.json as { id: string };
  };

  let service = await installation.spawn();
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await send(service, 'POST', '/destinations', { kind: 'webhook', name: 'a', url, types: ['key.changed'] });
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const { id } = await send(service, 'POST', '/keys', { name: `key ${n}`, mode: 'live' });
    await send(service, 'DELETE', `/keys/${id}`);
    keys.push(id);
  }
  await expect.poll(() => arrived.size, { timeout: 120_000 }).toBe(AT_ONCE);
  await service.kill();
  answers = true;
  arrived.clear();
  service = await installation.spawn();
  const firstOfEach = (id: string) => [...new Set(arrived.get(id))];
  await expect
    .poll(() => keys.map(firstOfEach), { timeout: 400_000, interval: 100 })
    .toEqual(keys.map(() => ['created', 'revoked']));
  await service.kill();
});
