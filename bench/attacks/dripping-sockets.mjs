// Thousands of connections that send nothing, or one byte of a request per second: how long other signups take meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { assess, heldBy, hold } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const OF_EACH_KIND = 2_500;
const DESCRIPTORS = 12_000;
const SIGNUPS = 500;
const AT_ONCE = 8;
/** A p99 below this says nothing about the connections. */
const MIN_MS = 5;
const TIMES = 2;
const DRIP_MS = 1_000;
/** Opens connections in groups, because this process also measures. */
const TURNS = 50;
const REQUEST = 'POST /v1/assess HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"email":"';

export const attack = {
  what: `${2 * OF_EACH_KIND} connections, half of them silent, half sending one byte a second of a request; each that is closed is opened again`,
  before:
    'once a p99 of 2,599 ms, on a busy machine, when 511 new connections could wait (now 4,096); the cause was not isolated',
  async run() {
    const target = await startTarget({ descriptors: DESCRIPTORS, plan: 'business' });
    const warm = await p99(target);
    const alone = Math.min(warm, await p99(target));
    const timer = keepOpen(target);
    await sleep(3_000);
    const held = heldBy(target);
    const during = await p99(target);
    clearInterval(timer);
    const limit = TIMES * Math.max(alone, MIN_MS);
    const failures = during > limit ? [`the p99 was ${during} ms, more than ${limit} ms`] : [];
    if (held < 2 * OF_EACH_KIND * 0.9) failures.push(`only ${held} connections were open`);
    return {
      seen: `${held} connections open; p99 of signups ${alone} ms without them, ${during} ms with them`,
      failures,
    };
  },
};

/** Milliseconds. */
async function p99(target) {
  const took = [];
  async function ask() {
    while (took.length < SIGNUPS) {
      const { ms, status } = await assess(target);
      if (status !== 200 && status !== 429) throw new Error(`a signup was answered ${status}`);
      took.push(ms);
      // Within the rate limit of the plan.
      await sleep(20);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return Math.round(took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)]);
}

/** The service closes slow connections; the attacker opens them again. */
function keepOpen(target) {
  const open = (drips) => ({ drips, at: 0, socket: hold(target) });
  const clients = Array.from({ length: 2 * OF_EACH_KIND }, (_, at) => open(at % 2 === 0));
  let turn = 0;
  return setInterval(() => {
    turn = (turn + 1) % TURNS;
    for (let at = turn; at < clients.length; at += TURNS) {
      const client = clients[at];
      if (client.socket.destroyed || client.socket.readableEnded) {
        client.socket.destroy();
        Object.assign(client, open(client.drips));
      }
      if (client.drips) client.socket.write(REQUEST[client.at++ % REQUEST.length]);
    }
  }, DRIP_MS / TURNS);
}
