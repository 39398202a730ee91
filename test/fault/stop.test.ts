/** Clients that keep half a request or an answer to themselves while the service stops: it ends in order, and soon. */
import { connect, type Socket } from 'node:net';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createInstallation } from '../support/service.ts';

const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.destroy();
});

async function hold(port: number, bytes: string, reading = true): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  if (reading) socket.resume();
  else socket.pause();
  open.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(bytes, 'latin1');
  return socket;
}

function drip(socket: Socket): void {
  const dripping = setInterval(() => socket.write('x'), 200);
  socket.once('close', () => clearInterval(dripping));
}

const HEAD = 'POST /v1/assess HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** Holds all, on each of its ports. */
async function holdAll(port: number): Promise<void> {
  await hold(port, 'POST /v1/assess HTTP/1.1\r\nHost: x\r\nAuthoriz');
  drip(await hold(port, 'GET /healthz HTTP/1.1\r\nX-Long: '));
  await hold(port, `${HEAD}Authorization: Bearer sk_live_x\r\nContent-Length: 40\r\n\r\n{"email":`);
  drip(await hold(port, `${HEAD}Authorization: Bearer sk_live_x\r\nContent-Length: 9000\r\n\r\n{`));
  await hold(port, `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"em`);
  await hold(port, 'POST /hooks/hook_x HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n{"email":');
  await hold(port, 'POST /dashboard/api/session HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n{');
  await hold(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await hold(port, 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50), false);
  await hold(port, '\x16\x03\x01\x02\x00\x01\x00');
  await hold(port, '');
}

it('a stop under half requests ends with status 0, and the next start reports no crash', async () => {
  const installation = await createInstallation({ GATEHOUSE_METRICS_PORT: '0' });
  onTestFinished(() => installation.remove());
  const service = await installation.spawn();
  const metrics = /"url":"http:\/\/[^"]+:(\d+)\/metrics"/.exec(service.output())?.[1];
  for (const port of [service.port, Number(metrics)]) await holdAll(port);
  // Everything that was sent before has arrived.
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
  const next = await installation.spawn();
  expect(next.output()).not.toContain('did not end by itself');
  expect(await next.stop()).toBe(0);
});
