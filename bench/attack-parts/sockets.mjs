// Connections that an attack opens, and requests of other clients meanwhile.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const LISTENING = '0A';
const GIVE_UP_MS = 30_000;

const open = [];

/** A client that keeps its half of the connection open, whatever the service does. */
export function hold({ port }, bytes = '', { reading = true } = {}) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  if (reading) socket.resume();
  else socket.pause();
  if (bytes !== '') socket.write(bytes);
  open.push(socket);
  return socket;
}

export function holdMany(count, target, bytes, how) {
  return Array.from({ length: count }, () => hold(target, bytes, how));
}

export function dropAll() {
  for (const socket of open.splice(0)) socket.destroy();
}

/** Number of connections for which the service still has a descriptor; Linux only. */
export function heldBy({ port }) {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[1].endsWith(local) && row[3] !== LISTENING && row[9] !== '0').length;
}

/** Sends a request on a new connection. Resolves to status (0 if there was no answer), headers, text and milliseconds. */
export function ask(
  { port },
  path,
  { method = 'GET', headers = {}, body, timeoutMs = GIVE_UP_MS, localAddress } = {},
) {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  // For DELETE, Node.js announces no body by itself.
  const typed =
    payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
  const began = performance.now();
  return new Promise((resolve) => {
    const done = (answer) => resolve({ ...answer, ms: performance.now() - began });
    const none = () => done({ status: 0, headers: {}, text: '' });
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        localAddress,
        path,
        method,
        agent: false,
        headers: { ...typed, ...headers },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        incoming.on('error', none);
        incoming.on('end', () => done({ status: incoming.statusCode, headers: incoming.headers, text }));
      },
    );
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy());
    outgoing.on('error', none);
    outgoing.end(payload);
  });
}

/** A signup without findings. */
export function assess(target, body = { email: 'jo@example.com', ip: '79.192.0.1' }) {
  return ask(target, '/v1/assess', {
    method: 'POST',
    headers: { authorization: `Bearer ${target.key}` },
    body,
  });
}

/** Sends a request every 0.2 s until `over` resolves; resolves to the answers. */
export async function watch(over, askNext) {
  const answers = [];
  let going = true;
  const stopped = over.finally(() => {
    going = false;
  });
  while (going) {
    answers.push(await askNext());
    await sleep(200);
  }
  await stopped;
  return answers;
}

export const slowestMs = (answers) => Math.round(Math.max(...answers.map(({ ms }) => ms)));
export const unanswered = (answers) => answers.filter(({ status }) => status === 0).length;
