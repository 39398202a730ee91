import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../http/metrics.ts';
import type { FeedCondition, FeedStatus } from '../model/feed-status.ts';
import { createFeedEventLog, type LiveEvent } from './feed-event-log.ts';
import type { FeedReport } from './feed-refresh.ts';

const WARN = 40;

function start() {
  const lines: { level: number; msg: string; feeds?: string[] }[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const logEvent = createFeedEventLog({
    metrics: createMetrics({ version: '0.0.0' }),
    log,
    fetching: true,
    onStoreAway: expect.unreachable,
  });
  return {
    round(...reports: FeedReport[]): void {
      const events: LiveEvent[] = reports.map((report) => ({ kind: 'report', report }));
      for (const event of [...events, { kind: 'round' } as const]) logEvent(event);
    },
    warnings: () => lines.splice(0).filter(({ level }) => level >= WARN),
  };
}

const failed = (feed: string, retryAt = Date.UTC(2026, 4, 10, 10, 15)): FeedReport => ({
  feed,
  outcome: 'failed',
  why: 'getaddrinfo ENOTFOUND example.com',
  retryAt,
});
const unchanged = (feed: string): FeedReport => ({ feed, outcome: 'unchanged' });
const refused = (feed: string, why: string): FeedReport => ({ feed, outcome: 'refused', version: '1', why });

describe('feeds that cannot be fetched', () => {
  it('cause one warning for a whole round, with a reason, the next try and the setting that ends it', () => {
    const { round, warnings } = start();
    round(failed('a', Date.UTC(2026, 4, 10, 10, 16)), failed('b'), unchanged('c'));
    expect(warnings()).toEqual([
      expect.objectContaining({
        feeds: ['a', 'b'],
        msg: '2 feeds could not be fetched, a: getaddrinfo ENOTFOUND example.com; the last good versions stay active, next try at 2026-05-10T10:15:00Z; GATEHOUSE_FEEDS=off fetches none',
      }),
    ]);
  });

  it('cause no further warning until they were fetched again', () => {
    const { round, warnings } = start();
    round(failed('a'), failed('b'));
    expect(warnings()).toHaveLength(1);
    round(failed('a'), failed('b'));
    expect(warnings()).toEqual([]);
    round(unchanged('a'), failed('b'));
    round(failed('a'), failed('b'));
    expect(warnings()).toMatchObject([{ feeds: ['a'], msg: expect.stringMatching(/^1 feed could not/) }]);
  });
});

it('a rejected update causes a warning at once, and again only for another reason or after a success', () => {
  const { round, warnings } = start();
  round(refused('a', 'it is empty'));
  round(refused('a', 'it is empty'));
  expect(warnings()).toMatchObject([{ msg: 'a feed update was rejected' }]);
  round(refused('a', 'it calls gmail.com disposable'));
  round(unchanged('a'));
  round(refused('a', 'it calls gmail.com disposable'));
  expect(warnings()).toHaveLength(2);
});

describe('whether a feed is up to date', () => {
  const status = (id: string, condition: FeedCondition, version: string | null) =>
    ({ id, condition, version, entries: 0, seenAt: null }) as FeedStatus;
  const all = [
    status('imported', 'stale', '1'),
    status('untried', 'never', null),
    status('in-vain', 'failed', null),
  ];

  async function measured(fetching: boolean): Promise<string[]> {
    const metrics = createMetrics({ version: '0.0.0' });
    const log = pino({ level: 'silent' });
    const logEvent = createFeedEventLog({ metrics, log, fetching, onStoreAway: expect.unreachable });
    logEvent({ kind: 'status', status: all });
    const { text } = await metrics.expose(true);
    return text.match(/^gatehouse_feed_ok\{.*/gm) ?? [];
  }

  it('is measured for each enabled feed when feeds are fetched', async () => {
    expect(await measured(true)).toEqual([
      'gatehouse_feed_ok{feed="imported"} 0',
      'gatehouse_feed_ok{feed="untried"} 0',
      'gatehouse_feed_ok{feed="in-vain"} 0',
    ]);
  });

  it('is measured only for imported feeds when nothing is fetched: no alert for the others', async () => {
    expect(await measured(false)).toEqual(['gatehouse_feed_ok{feed="imported"} 0']);
  });
});
