import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import { asStoreFailure } from './store-failure.ts';

const AWAY = asStoreFailure(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

let lines: Record<string, unknown>[];
let verified: number;
let now: number;
let outages: OutageLog;
afterEach(() => vi.useRealTimers());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lines = [];
  verified = 0;
  now = 0;
  const write = (line: string) => lines.push(JSON.parse(line)) > 0;
  const log = createLogger({ logLevel: 'info' }, { isTTY: false, write });
  outages = createOutageLog(
    log,
    () => {
      verified += 1;
    },
    () => now,
  );
});

it('writes two lines for an outage, and counts what failed meanwhile', () => {
  outages.begin(AWAY);
  for (let at = 0; at < 50; at += 1) {
    outages.log.error({ request_id: `req_${at}`, err: AWAY }, 'request failed');
    outages.log.info({ request_id: `req_${at}`, code: 'unavailable' }, 'request refused');
    outages.log.child({}).warn({ err: new Error('x', { cause: AWAY }) }, 'a task failed');
  }
  now = 12_340;
  outages.end();
  vi.advanceTimersByTime(1_000);
  expect(lines).toMatchObject([
    { reason: 'nothing listens at its address: it is stopped, or not started yet' },
    { seconds: 12.3, failed_requests: 100, failed_tasks: 50 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('stack');
});

it('writes everything else as it was, also meanwhile', () => {
  outages.begin(AWAY);
  outages.log.error({ err: new Error('a bug') }, 'request failed');
  outages.log.info({ request_id: 'req_1', code: 'missing_field' }, 'request refused');
  outages.log.warn('a text alone');
  expect(lines.slice(1).map(({ msg }) => msg)).toEqual(['request failed', 'request refused', 'a text alone']);
});

it('counts what is reported late with the outage that is over, and has a new one verified', () => {
  outages.begin(AWAY);
  outages.end();
  vi.advanceTimersByTime(1_000);
  now = 15_000;
  outages.log.error({ err: AWAY }, 'late');
  expect([lines.length, verified]).toEqual([2, 0]);
  now = 60_000;
  outages.log.error({ err: AWAY }, 'new');
  expect([lines.length, verified]).toEqual([3, 1]);
});

it('takes what fails again within a second for the same outage', () => {
  outages.begin(AWAY);
  outages.end();
  outages.end();
  vi.advanceTimersByTime(500);
  outages.begin(AWAY);
  vi.advanceTimersByTime(5_000);
  expect(lines).toHaveLength(1);
  outages.end();
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(2);
});
