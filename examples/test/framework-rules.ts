/** Rules for adapters that no form shows: errors reach the error handler, and a blocked signup is never executed. */
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';

/** Each by the name of its example, in its folder; the packages are loaded as CommonJS. */
export const RULES: Readonly<Record<string, (folder: string) => Promise<void>>> = { express, fastify, hono };

const BLOCKING = { protectSignup: async () => ({ decision: 'block', assessment: null, error: null }) };
const BLOCKED = { status: 403, body: { error: { code: 'signup_blocked', message: expect.any(String) } } };
const CAUGHT = { status: 200, body: { caught: 'no form' } };
const READING = { email: () => 'jo@example.com' };
const FAULTY = {
  email: () => {
    throw new Error('no form');
  },
};
const SEND_MS = 20;

async function express(folder: string): Promise<void> {
  const load = createRequire(join(folder, 'app.js'));
  const { protectSignup } = load('gatehouse-client/express');
  const app = load('express')();
  let carriedOut = 0;
  app.post('/faulty', protectSignup(BLOCKING, FAULTY), () => carriedOut++);
  app.post('/rejecting', protectSignup(BLOCKING, { ...READING, onBlock: FAULTY.email }), () => carriedOut++);
  app.post('/blocked', protectSignup(BLOCKING, READING), () => carriedOut++);
  app.use((error: Error, _request: unknown, response: { json(body: unknown): void }, _next: unknown) =>
    response.json({ caught: error.message }),
  );
  const server = app.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (path: string) => fetch(`${url}${path}`, { method: 'POST' });
  expect(await read(await post('/faulty'))).toEqual(CAUGHT);
  expect(await read(await post('/rejecting'))).toEqual(CAUGHT);
  expect(await read(await post('/blocked'))).toEqual(BLOCKED);
  expect(carriedOut).toBe(0);
  await new Promise((done) => server.close(done));
}

async function fastify(folder: string): Promise<void> {
  const load = createRequire(join(folder, 'app.js'));
  const { protectSignup } = load('gatehouse-client/fastify');
  const app = load('fastify')();
  let carriedOut = 0;
  const handler = async () => ({ carriedOut: ++carriedOut });
  // While it waits, nothing is sent yet.
  app.addHook('onSend', async () => pause(SEND_MS));
  app.setErrorHandler((error: Error, _request: unknown, reply: { send(body: unknown): void }) =>
    reply.send({ caught: error.message }),
  );
  const own = { ...READING, onBlock: async () => ({ own: true }) };
  app.post('/faulty', { preHandler: protectSignup(BLOCKING, FAULTY) }, handler);
  app.post('/blocked', { preHandler: protectSignup(BLOCKING, READING) }, handler);
  app.post('/own', { preHandler: [protectSignup(BLOCKING, own)] }, handler);
  const post = async (url: string) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url });
    return { status: statusCode, body: JSON.parse(body) };
  };
  expect(await post('/faulty')).toEqual(CAUGHT);
  expect(await post('/blocked')).toEqual(BLOCKED);
  expect(await post('/own')).toEqual({ status: 200, body: { own: true } });
  expect(carriedOut).toBe(0);
  await app.close();
}

async function hono(folder: string): Promise<void> {
  const load = createRequire(join(folder, 'app.js'));
  const { protectSignup } = load('gatehouse-client/hono');
  const app = new (load('hono').Hono)();
  let carriedOut = 0;
  app.onError((error: Error, c: { json(body: unknown): Response }) => c.json({ caught: error.message }));
  app.post('/faulty', protectSignup(BLOCKING, FAULTY), () => carriedOut++);
  app.post('/rejecting', protectSignup(BLOCKING, { ...READING, onBlock: FAULTY.email }), () => carriedOut++);
  app.post('/blocked', protectSignup(BLOCKING, READING), () => carriedOut++);
  const post = (path: string) => app.request(path, { method: 'POST' });
  expect(await read(await post('/faulty'))).toEqual(CAUGHT);
  expect(await read(await post('/rejecting'))).toEqual(CAUGHT);
  expect(await read(await post('/blocked'))).toEqual(BLOCKED);
  expect(carriedOut).toBe(0);
}

async function read(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}
