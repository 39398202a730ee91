/** Connections that send requests but read no answers, or stay open without a request: they are limited, then closed, and never slow others down. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Usage } from '../../src/contract/messages.ts';
import { until } from '../support/expectations.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';

const ROUND_MS = 60_000;
/** Enough whole requests to fill a read of Node's parser. */
const PIPELINE_BYTES = 64 * 1024;
const LISTENING = '0A';
/** Connections that fetch may keep open for its next request. */
const KEPT_ALIVE = 5;

let installation: Installation;
let service: ServiceProcess;
const open: Socket[] = [];
beforeAll(async () => {
  installation = await createInstallation();
  service = await installation.spawn();
  return () => installation.remove();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A client that keeps its half of the connection open, whatever the service does. */
function hold({ port }: ServiceProcess, bytes = '', { reading = true } = {}): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  if (reading) socket.resume();
  else socket.pause();
  if (bytes !== '') socket.write(bytes);
  open.push(socket);
  return socket;
}

/** Connections for which the service still has an open descriptor. */
function heldBy({ port }: ServiceProcess): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[1]?.endsWith(local) && row[3] !== LISTENING && row[9] !== '0').length;
}
const residentMb = ({ pid }: ServiceProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const isHealthy = async ({ url }: ServiceProcess) =>
  (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ROUND_MS) })).status === 200;

async function assess(key: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (await fetch(`${service.url}/v1/assess`, { method: 'POST', headers, body })).status;
}
async function usage(key: string): Promise<number | undefined> {
  const answer = await fetch(`${service.url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as Partial<Usage>).assessments_used;
}

/** Opens connections and waits until the service has accepted them all. */
async function holdMany(count: number, service: ServiceProcess, ...how: [string?, { reading: boolean }?]) {
  const sockets = Array.from({ length: count }, () => hold(service, ...how));
  await until(() => sockets.every(({ connecting }) => !connecting));
  return sockets;
}

describe.runIf(process.platform === 'linux')('connections', { timeout: 180_000 }, () => {
  it.each(['/docs', '/openapi.json', '/healthz', '/v1/usage'])(
    'that pipeline requests for %s without reading the answers are cut off, and cost no memory',
    async (path) => {
      expect(await isHealthy(service)).toBe(true);
      const memory = residentMb(service);
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
      await holdMany(60, service, request.repeat(PIPELINE_BYTES / request.length), { reading: false });
      expect(await isHealthy(service)).toBe(true);
      await until(() => heldBy(service) <= KEPT_ALIVE, ROUND_MS);
      // Without a limit it is about 9 MB a connection; 1 MB if all within the limit are answered at once.
      expect(residentMb(service) - memory).toBeLessThan(200);
    },
  );

  it('store and charge no pipelined requests that had not begun when they were cut off', async () => {
    const body = '{"email":"jo@example.com"}';
    const { live } = await plant(installation);
    const head = `POST /v1/assess HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${live}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX-Filler: `;
    const end = `\r\n\r\n${body}`;
    // One read contains as many as may wait, and the next read brings more.
    const request = head + 'x'.repeat(PIPELINE_BYTES / 64 - head.length - end.length) + end;
    await until(async () => (await usage(live)) !== undefined);
    const connections = await holdMany(10, service, request.repeat(200), { reading: false });
    await until(() => heldBy(service) <= KEPT_ALIVE, ROUND_MS);
    // Slower than all that came before.
    expect(await assess(live, body)).toBe(200);
    expect(await usage(live)).toBeLessThanOrEqual(connections.length + 1);
  });

  it('answer a whole pipeline when its answers are read', async () => {
    const socket = hold(service);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60));
    await until(() => text.split('"status":"ok"').length === 61);
  });

  it('are closed for a refused client that does not close its own side', async () => {
    await holdMany(40, service, 'GARBAGE\r\n\r\n');
    await holdMany(10, service, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(heldBy(service)).toBeGreaterThan(KEPT_ALIVE);
    await until(() => heldBy(service) <= KEPT_ALIVE, ROUND_MS);
  });

  it('answer a client that closes its half after a whole request', async () => {
    const socket = hold(service);
    let text = '';
    let closed = false;
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => {
      closed = true;
    });
    socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => closed);
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*"status":"ok"/);
  });
});
