// A stranger asks which hooks exist, with and without the body, and sends an unsigned request while a provider's keys cannot be fetched.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHook, makeSecret, untilKnown } from '../attack-parts/hooks.mjs';
import { ask, hold } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const BODY = { metadata: {}, user: { email: 'jo@example.com' } };
const WAITED_MS = 1_000;
const FORMS = ['', 'x', 'a..b', `${'x'.repeat(40)}..${'y'.repeat(86)}`];

export const attack = {
  what: 'unsigned requests to a hook that exists and to one that does not, whole and with the body withheld; then to a hook of Neon whose key server answers 500',
  before:
    'with the body withheld the one waited and the other answered 401 at once; without the keys 200 `{"allowed":true}`',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const down = createServer((_, response) => response.writeHead(500).end());
    await new Promise((listening) => down.listen(0, '127.0.0.1', listening));
    try {
      const secret = makeSecret();
      const neon = createHook(target, 'neon', `http://127.0.0.1:${down.address().port}/jwks.json`);
      const known = createHook(target, 'supabase', secret);
      await untilKnown(target, known, secret);
      const unknown = known.replace(/.$/, '_');
      const [one, other] = [await shapeOf(target, known), await shapeOf(target, unknown)];
      const [early, earlyOther] = await Promise.all([known, unknown].map((path) => withheld(target, path)));
      const statuses = [];
      for (const text of FORMS) {
        const headers = { 'x-neon-signature': text, 'x-neon-timestamp': String(Date.now()) };
        statuses.push((await ask(target, neon, { method: 'POST', headers, body: BODY })).status);
      }
      const isSame = one === other;
      return {
        seen: `whole: ${isSame ? 'the same answer' : 'two answers'}, ${JSON.parse(one).status}; withheld: ${early} and ${earlyOther}; without the keys: ${statuses.join(', ')}`,
        failures: [
          ...(isSame ? [] : [`${one} is not ${other}`]),
          ...(early === earlyOther ? [] : ['the body that is missing tells them apart']),
          ...(statuses.every((status) => status === 401) ? [] : ['an unsigned request was let in']),
        ],
      };
    } finally {
      down.close();
    }
  },
};

/** Status, headers and text, but for what differs with each request. */
async function shapeOf(target, path) {
  const { status, headers, text } = await ask(target, path, { method: 'POST', body: BODY });
  const { date: _, 'x-request-id': id, ...others } = headers;
  return JSON.stringify({ status, headers: others, text: text.replaceAll(id, 'ID') });
}

/** Answer to a client that announces a body and sends half of it. */
async function withheld(target, path) {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{`;
  const socket = hold(target, head);
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  await sleep(WAITED_MS);
  socket.destroy();
  return received === '' ? 'waits' : received.split('\r\n')[0];
}
