import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openCounters } from './counters.ts';

it('warns about servers that cannot be used, with the reason and what to set, but without a password', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const opened = await openCounters({
    ...readConfig({ REDIS_URL: 'redis://me:hunter2@localhost:9' }),
    store: {
      liveAttempts: async function* () {},
      attemptsToCount: async function* () {},
      creditsUsed: async () => 0,
    },
    clock: Date.now,
    fingerprint: (text) => text,
    metrics: { countersDegraded() {}, countedAlone() {}, velocityMemory() {} },
    log: pino({}, stream),
  });
  await opened.start();
  await opened.close();
  const [warning, ...more] = lines.map((line) => JSON.parse(line));
  expect(warning.why).toContain('ECONNREFUSED');
  expect(warning.msg).toMatch(
    /^this node counts alone until the shared counters answer: nothing listens there/,
  );
  expect(more).toEqual([]);
  expect(lines.join('')).not.toContain('hunter2');
});
