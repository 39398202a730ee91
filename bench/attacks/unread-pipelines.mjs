// Many connections send many requests in a single write and read no answer: memory, and the answers to other clients.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, dropAll, hold, slowestMs, unanswered, watch } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const HEAP_MB = 700;
const PIPELINE = 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n';
const PIPELINE_BYTES = 65_000;
const WATCHED_MS = 15_000;
const MAX_GROWTH_MB = 300;
const SLOWEST_MS = 5_000;

export const attack = {
  what: '150 connections, and then 300, each write 65 kB of pipelined `GET /docs` without a key and read no answer; the heap may have 700 MB',
  before: '150: 151 → 1,504 MB, others got no answer for 20 s; 300: the process died',
  async run() {
    const target = await startTarget({ heapMb: HEAP_MB });
    const failures = [];
    const seen = [];
    const before = Math.round(target.residentMb());
    for (const connections of [150, 300]) {
      let peakMb = before;
      const memory = setInterval(() => {
        peakMb = Math.max(peakMb, Math.round(target.residentMb()));
      }, 50);
      const bytes = PIPELINE.repeat(PIPELINE_BYTES / PIPELINE.length);
      for (let at = 0; at < connections; at += 1) hold(target, bytes, { reading: false });
      const others = await watch(sleep(WATCHED_MS), () => ask(target, '/healthz'));
      clearInterval(memory);
      dropAll();
      const slowest = slowestMs(others);
      seen.push(`${connections}: ${before} → ${peakMb} MB, slowest answer to others ${slowest} ms`);
      if (peakMb - before > MAX_GROWTH_MB) failures.push(`${peakMb - before} MB more at ${connections}`);
      if (slowest > SLOWEST_MS || unanswered(others) > 0)
        failures.push(`${unanswered(others)} others got no answer, the slowest answer took ${slowest} ms`);
    }
    if (target.ended()) failures.push('the process died');
    return { seen: seen.join('; '), failures };
  },
};
