/** Knowledge that a stranger gets from /hooks/…: nothing about which hooks exist, and no 200 while the keys of a provider cannot be fetched. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManageHookRequest } from '../../src/contract/manage-messages.ts';
import { HOOK_PROVIDERS, type HookProvider } from '../../src/model/hook.ts';
import { type Answer, createClient } from '../support/client.ts';
import { AUDIENCE, type HookSender, type KeyServer, makeSenders, TENANT } from '../support/hook-senders.ts';
import { plantTokens } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';

interface Made {
  readonly id: string;
  readonly path: string;
}

let scene: Scene;
let senders: Record<HookProvider, HookSender>;
let keyServer: KeyServer;
let down: Server;
let token: string;
beforeAll(async () => {
  ({ senders, keyServer } = await makeSenders());
  down = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((done) => down.listen(0, '127.0.0.1', done));
  scene = await startScene({
    async prepare(installation) {
      const [made] = await plantTokens(installation, { scopes: ['hooks:write'] });
      token = made?.text as string;
    },
  });
});
afterAll(async () => {
  await scene?.end();
  await keyServer?.close();
  await new Promise((done) => down.close(done));
});

let created = 0;
async function create(provider: HookProvider, options: Partial<ManageHookRequest> = {}): Promise<Made> {
  created += 1;
  const { secret } = senders[provider];
  const body = { provider, name: `${provider} ${created}`, secret, ...options };
  const path = `/v1/manage/accounts/${scene.account.id}/hooks`;
  const { status, json, text } = await scene.live.send<Made>({ method: 'POST', path, key: token, body });
  expect(status, text).toBe(200);
  return json;
}
const send = (path: string, headers: Record<string, string>, body: string): Promise<Answer> =>
  scene.live.send({ method: 'POST', path, key: null, headers, body });
const shapeOf = ({ status, json, headers }: Answer) => {
  const { date: _, 'x-request-id': __, ...others } = headers as Record<string, unknown>;
  return { status, json, headers: others };
};

/** Sends a head that announces a body, without the body. Returns what came back until now, and then with the body. */
async function withhold(path: string): Promise<{ before: string; after: string }> {
  const socket = connect(scene.service.port, '127.0.0.1');
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString();
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{`,
  );
  // An answer that does not wait for the body would be here by now: another request has been answered since.
  await scene.live.send({ path: '/healthz', key: null });
  await sleep(100);
  const before = received;
  socket.write('}');
  await new Promise<void>((done) => {
    socket.on('data', () => received.includes('\r\n\r\n') && done());
    socket.on('close', () => done());
  });
  socket.destroy();
  return { before, after: received.split('\r\n')[0] as string };
}

describe('a hook that exists and one that does not', () => {
  it.each(HOOK_PROVIDERS)('are answered alike, with the same headers (%s)', async (provider) => {
    const { path } = await create(provider);
    const { payload } = senders[provider];
    const body = JSON.stringify(payload({ email: 'jo@example.com', ip: '203.0.113.7' }));
    const others = [path.replace(/.$/, '_'), `/hooks/${provider}/hk_0`, path.replace(provider, 'clerk')];
    const known = shapeOf(await send(path, {}, body));
    expect(known.status).toBe(401);
    for (const other of others) expect(shapeOf(await send(other, {}, body)), other).toEqual(known);
    const large = 'x'.repeat(300_000);
    expect(shapeOf(await send(others[0] as string, {}, large))).toEqual(shapeOf(await send(path, {}, large)));
  });

  it('wait for the body alike', async () => {
    const { path } = await create('kratos');
    for (const at of [path, path.replace(/.$/, '_'), '/hooks/okta/hk_0'])
      expect(await withhold(at), at).toEqual({ before: '', after: 'HTTP/1.1 401 Unauthorized' });
  });
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signature = (bytes: number) => randomBytes(bytes).toString('base64url');

describe('while the keys of a provider cannot be fetched', () => {
  const url = () => `http://127.0.0.1:${(down.address() as AddressInfo).port}/jwks.json`;

  it('Neon: what is not signed in its form is 401', async () => {
    const { path } = await create('neon', { secret: url() });
    const body = JSON.stringify(senders.neon.payload({ email: 'jo@example.com', ip: '203.0.113.7' }));
    const at = String(Date.now());
    const head = part({ alg: 'EdDSA', kid: 'ed' });
    for (const text of [
      '',
      'x',
      'a..b',
      `${head}..`,
      `${head}..x`,
      `${head}..${signature(20)}`,
      `${part({ alg: 'none' })}..${signature(64)}`,
      `${part({ alg: 'HS256' })}..${signature(64)}`,
      `${part([])}..${signature(64)}`,
      `bm8..${signature(64)}`,
      `${head}.${part({})}.${signature(64)}`,
    ]) {
      const headers = { 'x-neon-signature': text, 'x-neon-timestamp': at };
      expect((await send(path, headers, body)).status, text).toBe(401);
    }
  });

  it('Entra: a token of nobody, or for somebody else, is 401', async () => {
    const { path } = await create('entra', { secret: `tenant=${TENANT} audience=${AUDIENCE} jwks=${url()}` });
    const body = JSON.stringify(senders.entra.payload({ email: 'jo@example.com', ip: '203.0.113.7' }));
    const claims = {
      aud: AUDIENCE,
      iss: `https://contoso.ciamlogin.com/${TENANT}/v2.0`,
      azp: '99045fe1-7639-4a75-9d4a-577b6ca3810f',
      exp: Math.floor(Date.now() / 1000) + 200,
    };
    const rs256 = part({ alg: 'RS256', kid: 'rsa' });
    for (const text of [
      'x',
      'a.b.c',
      `${rs256}.${part(claims)}.`,
      `${rs256}.${part(claims)}.x`,
      `${part({ alg: 'none' })}.${part(claims)}.${signature(256)}`,
      `${rs256}.${part({ ...claims, aud: TENANT })}.${signature(256)}`,
      `${rs256}.${part({ ...claims, iss: 'https://contoso.example' })}.${signature(256)}`,
      `${rs256}.${part({ ...claims, iss: 7 })}.${signature(256)}`,
      `${rs256}.${part({ ...claims, azp: 'me' })}.${signature(256)}`,
      `${rs256}.${part({ ...claims, exp: 1 })}.${signature(256)}`,
    ])
      expect((await send(path, { authorization: `Bearer ${text}` }, body)).status, text).toBe(401);
  });

  it('FusionAuth: a token without the hash of this body is 401', async () => {
    const { path } = await create('fusionauth', { secret: url() });
    const body = JSON.stringify(senders.fusionauth.payload({ email: 'jo@example.com', ip: '203.0.113.7' }));
    const hash = createHash('sha256').update(body).digest('base64');
    const rs256 = part({ alg: 'RS256', kid: 'rsa' });
    for (const text of [
      'x',
      `${rs256}.${part({ request_body_sha256: 'x' })}.${signature(256)}`,
      `${rs256}.${part({})}.${signature(256)}`,
      `${part({ alg: 'HS256' })}.${part({ request_body_sha256: hash })}.${signature(64)}`,
      `${rs256}.${part({ request_body_sha256: hash })}.${signature(9)}`,
    ])
      expect((await send(path, { 'x-fusionauth-signature-jwt': text }, body)).status, text).toBe(401);
  });
});

describe('two secrets of Supabase with a bar', () => {
  const webhookSecret = () => `v1,whsec_${randomBytes(32).toString('base64')}`;

  it('each sign, and nothing else does', async () => {
    const { secret, payload, sign, deny } = senders.supabase;
    const body = JSON.stringify(payload({ email: 'block@example.com', ip: '203.0.113.7' }));
    const { headers } = await sign(body);
    for (const [both, status] of [
      [`${secret}|${webhookSecret()}`, 200],
      [`${webhookSecret()}|${secret}`, 200],
      [`${webhookSecret()} | ${secret}`, 200],
      [`${webhookSecret()}|${webhookSecret()}`, 401],
    ] as const) {
      const { path } = await create('supabase', { mode: 'test', secret: both });
      const answer = await send(path, { ...headers }, body);
      expect(answer.status).toBe(status);
      if (status === 200) expect(answer.json).toEqual(deny.body);
    }
  });

  it('are refused where one of them is none', async () => {
    for (const wrong of [
      `${webhookSecret()}|`,
      `|${webhookSecret()}`,
      `${webhookSecret()}|v1,whsec_eA==`,
      '|',
    ]) {
      const body = { provider: 'supabase', name: `wrong ${wrong.length}`, secret: wrong };
      const path = `/v1/manage/accounts/${scene.account.id}/hooks`;
      const { status } = await scene.live.send({ method: 'POST', path, key: token, body });
      expect(status, wrong).toBe(400);
    }
  });
});

it('a forgery is 401 after a restart too, while the keys cannot be fetched; a request with the right signature is assessed', async () => {
  const { path } = await create('neon', { mode: 'test' });
  const { payload, sign, deny } = senders.neon;
  const blocked = JSON.stringify(payload({ email: 'block@example.com', ip: '203.0.113.7' }));
  const first = await sign(blocked);
  expect((await send(path, { ...first.headers }, first.body)).json).toEqual(deny.body);
  await scene.service.stop();
  await keyServer.close();
  const restarted = await scene.installation.start();
  const client = createClient(restarted.url, scene.account.live);
  try {
    const after = (headers: object, body: string) =>
      client.send({ method: 'POST', path, key: null, headers: { ...headers }, body });
    const { headers, body } = await sign(blocked);
    expect((await after(headers, body)).json).toEqual(deny.body);
    const forged = {
      ...headers,
      'x-neon-signature': `${part({ alg: 'EdDSA', kid: 'ed' })}..${signature(64)}`,
    };
    expect((await after(forged, body)).status).toBe(401);
  } finally {
    client.close();
  }
});
