// Clients without a key send half a request, or read no answer, when the service is told to stop.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, hold, holdMany } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const HELD = [
  'POST /v1/assess HTTP/1.1\r\nHost: x\r\nAuthoriz',
  'POST /v1/assess HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n{"email":',
  'POST /v1/assess HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"em',
  'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
  '',
];
/** Clients of each kind. */
const CLIENTS = 20;
const DRIP_MS = 200;
const ARRIVAL_MS = 300;

export const attack = {
  what: `${CLIENTS} clients each of half a head, half a body, half a chunk, half an upgrade, of silence, of a header that drips and of unread answers, while the service is stopped with SIGTERM`,
  before: 'one was enough: 10.1 s and exit status 1, and the next start reported a crash',
  async run() {
    const target = await startTarget({ plan: 'business' });
    for (const bytes of HELD) holdMany(CLIENTS, target, bytes);
    holdMany(CLIENTS, target, 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40), { reading: false });
    const dripping = Array.from({ length: CLIENTS }, () => {
      const socket = hold(target, 'GET /healthz HTTP/1.1\r\nX-Long: ');
      const timer = setInterval(() => socket.write('x'), DRIP_MS);
      socket.once('close', () => clearInterval(timer));
      return timer;
    });
    await sleep(ARRIVAL_MS);
    await ask(target, '/healthz');
    const began = performance.now();
    const ended = new Promise((resolve) => target.child.once('exit', resolve));
    target.child.kill('SIGTERM');
    const status = await ended;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    for (const timer of dripping) clearInterval(timer);
    const owner = `${target.dataDir}/service.json`;
    const isLeft = existsSync(owner);
    return {
      seen: `exit status ${status} after ${seconds} s; the next start ${isLeft ? 'reports a crash' : 'reports none'}`,
      failures:
        status === 0 && !isLeft
          ? []
          : [`exit status ${status}, ${isLeft ? 'not ended in order' : 'ended in order'}`],
    };
  },
};
