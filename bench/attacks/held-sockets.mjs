// Connections that never send a complete request, never send anything, or never read: descriptors, and the answers to other clients.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, heldBy, holdMany, slowestMs, unanswered, watch } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const CONNECTIONS = 300;
const DESCRIPTORS = 400;
/** Node.js gives an answer that is not read the time of silence twice. */
const WATCHED_MS = 200_000;
const SLOWEST_MS = 5_000;
/** The watcher's own connection, and a connection that is closing. */
const STRAY = 2;

const GET = 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n';
const KINDS = {
  'half a request': ['POST /v1/assess HTTP/1.1\r\nHost: x\r\nContent-Le'],
  silent: [''],
  'never reading': [GET.repeat(60), { reading: false }],
};

export const attack = {
  what: `${CONNECTIONS} connections each of half a request, of silence, and of 60 unread \`GET /docs\`, to services with \`ulimit -n ${DESCRIPTORS}\``,
  before:
    '292, 300 and 291 of them held after 75 to 90 s; with `ulimit -n 128`, 74 silent ones locked others out',
  async run() {
    const failures = [];
    const seen = await Promise.all(
      Object.entries(KINDS).map(async ([kind, [bytes, how]]) => {
        const target = await startTarget({ descriptors: DESCRIPTORS });
        holdMany(CONNECTIONS, target, bytes, how);
        await sleep(500);
        const peak = heldBy(target);
        const began = performance.now();
        let freed;
        const others = await watch(sleep(WATCHED_MS), () => {
          if (heldBy(target) <= STRAY) freed ??= Math.round((performance.now() - began) / 1000);
          return ask(target, '/healthz');
        });
        const slowest = slowestMs(others);
        if (freed === undefined) failures.push(`${kind}: ${heldBy(target)} still held`);
        if (unanswered(others) > 0 || slowest > SLOWEST_MS)
          failures.push(`${kind}: ${unanswered(others)} others got no answer, slowest ${slowest} ms`);
        return `${kind}: ${peak} held at peak, none after ${freed ?? 'never'} s, ${others.length - unanswered(others)} of ${others.length} others answered, slowest ${slowest} ms`;
      }),
    );
    return { seen: seen.join('; '), failures };
  },
};
