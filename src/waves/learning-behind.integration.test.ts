import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { createOutageLog } from '../store/outage-log.ts';
import { createLearningBehind } from './learning-behind.ts';
import type { LearningEvent } from './live-learning.ts';

const unreachable = () => expect.unreachable();

/** Lines of the log after a thread told these events. */
async function linesAfter(...events: readonly LearningEvent[]): Promise<string[]> {
  const lines: string[] = [];
  const write = (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) > 0;
  const plainLog = createLogger({ logLevel: 'info' }, { isTTY: false, write });
  const last: LearningEvent = { kind: 'fault', why: 'the last event', isStoreAway: false };
  const code = `import { parentPort } from 'node:worker_threads';
    for (const event of ${JSON.stringify([...events, last])}) parentPort.postMessage(event);
    parentPort.on('message', () => parentPort.close());`;
  const { log } = createOutageLog(plainLog, () => {});
  const behind = createLearningBehind({
    thread: { module: new URL(`data:text/javascript,${encodeURIComponent(code)}`), place: {} },
    recorder: { learned: unreachable, silent: unreachable, usual: unreachable },
    mailboxes: { learned: unreachable },
    data: () => ({ standing: [], usual: [], isFirst: false, mailboxDays: 0, pollMs: 1_000 }),
    log,
    onDeath: unreachable,
  });
  onTestFinished(() => behind.close());
  behind.start();
  await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toMatch(/the last event$/);
  return lines.slice(0, -1);
}

it('lets an outage of the database be one line, and logs every other fault', async () => {
  expect(
    await linesAfter(
      { kind: 'fault', why: 'connect ECONNREFUSED 127.0.0.1:5432', isStoreAway: true },
      { kind: 'fault', why: 'a stored signup cannot be read', isStoreAway: false },
      { kind: 'fault', why: 'Connection terminated unexpectedly', isStoreAway: true },
    ),
  ).toEqual([
    expect.stringMatching(/^the database fails/),
    'waves of signups are not learned for now: a stored signup cannot be read',
  ]);
});
