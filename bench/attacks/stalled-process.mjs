// The process stops for more than a second, as on a busy host: requests that arrive meanwhile are answered, not refused.
import { setTimeout as sleep } from 'node:timers/promises';
import { statusesOf } from '../attack-parts/browser.mjs';
import { assess, slowestMs } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const STALLS = 5;
const STALL_MS = 1_500;
const AT_ONCE = 20;

export const attack = {
  what: `the process is stopped (SIGSTOP) ${STALLS} times for ${STALL_MS / 1000} s, with ${AT_ONCE} signups waiting each time`,
  before: 'each stall of a second answered 503 to what came next: 2 or 3 a run under load',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const answers = [];
    for (let at = 0; at < STALLS; at += 1) {
      process.kill(target.pid, 'SIGSTOP');
      const waiting = Array.from({ length: AT_ONCE }, () => assess(target));
      await sleep(STALL_MS);
      process.kill(target.pid, 'SIGCONT');
      answers.push(...(await Promise.all(waiting)));
    }
    const refused = answers.filter(({ status }) => status !== 200).length;
    return {
      seen: `${statusesOf(answers)}; slowest ${slowestMs(answers)} ms, ${STALL_MS} ms of it stopped`,
      failures: refused === 0 ? [] : [`${refused} were refused`],
    };
  },
};
