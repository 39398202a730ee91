// Clients that close their half of the connection right after a complete request: each gets its answer, and no socket stays open.
import { setTimeout as sleep } from 'node:timers/promises';
import { heldBy, hold } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const CLIENTS = 100;
const MAX_MS = 15_000;

export const attack = {
  what: `${CLIENTS} clients send a complete signup and close their half of the connection at once`,
  before: 'no answer, though it was stored and charged',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const body = JSON.stringify({ email: 'jo@example.com', ip: '79.192.0.1' });
    const head = `POST /v1/assess HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.key}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const texts = await Promise.all(
      Array.from({ length: CLIENTS }, () => {
        const socket = hold(target);
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.end(head + body);
        return Promise.race([closed, sleep(MAX_MS, undefined, { ref: false })]).then(() => text);
      }),
    );
    const answered = texts.filter((text) => /^HTTP\/1\.1 200 [\s\S]*"request_id"/.test(text)).length;
    const held = heldBy(target);
    return {
      seen: `${answered} of ${CLIENTS} got their 200, ${held} sockets open afterwards`,
      failures: answered === CLIENTS && held === 0 ? [] : [`${CLIENTS - answered} unanswered, ${held} held`],
    };
  },
};
