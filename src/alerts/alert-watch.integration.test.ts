import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { Feed } from '../intel/feed.ts';
import { newState } from '../intel/feed-state.ts';
import { feedStatus } from '../intel/feed-status.ts';
import { FEEDS } from '../intel/feeds.ts';
import type { Alert } from '../model/alert.ts';
import type { BackupState } from '../model/backup-state.ts';
import type { FeedReview, FeedStatus } from '../model/feed-status.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Account, Store } from '../store/store.ts';
import { createAlertWatch } from './alert-watch.ts';
import { describeAlert } from './alert-words.ts';
import { liveWatches } from './live-alerts.ts';

const NOON = Date.UTC(2026, 10, 28, 12, 3);
const MINUTE_MS = 60_000;
const ACCOUNT: Account = {
  id: 'acc_a',
  name: 'shop',
  plan: 'pro',
  overage: false,
  monthlyQuota: 100,
  requestsPerSecond: null,
  timeZone: 'UTC',
  thresholds: null,
  createdAt: 0,
};

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-alerts-'));
  store = openSqliteStore({ directory: folder, forTests: BUILT_THREADS });
  await store.saveAccount(ACCOUNT);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

it('keeps an alert of the quota open while rounds pass, and closes it when it is over', async () => {
  let used = 85;
  const opened: Alert[] = [];
  const closed: Alert[] = [];
  const watch = createAlertWatch({
    store,
    directory: { accounts: () => [ACCOUNT], keysOf: () => [], hooksOf: () => [] },
    ...liveWatches({
      store: { ...store, creditsUsed: async () => used },
      isCrowded: () => false,
      sharedAddresses: () => [],
    }),
    makeId: createMakeId(),
    distrusted: () => [],
    backups: () => null,
    feeds: () => [],
    onOpened: (alert) => opened.push(alert),
    onClosed: (alert) => closed.push(alert),
    onOpen() {},
    onFault(error) {
      throw error;
    },
  });
  for (let minute = 0; minute < 60; minute += 1) await watch.round(NOON + minute * MINUTE_MS);
  expect([opened.map(({ subject }) => subject), closed]).toEqual([['80 2026-11'], []]);
  used = 0;
  for (let minute = 60; minute < 100; minute += 1) await watch.round(NOON + minute * MINUTE_MS);
  expect([opened, closed].map((alerts) => alerts.length)).toEqual([1, 1]);
});

it('opens an alert of a feed that waits for a person, and closes it once somebody decided', async () => {
  const review = {
    judged: 2_000,
    stricter: 300,
    milder: 12,
    at: NOON,
    decision: 'none',
  } as const;
  let waiting: FeedReview['decision'] = 'none';
  const feed = (): FeedStatus => ({
    ...feedStatus(FEEDS[0] as Feed, newState('https://lists.example/'), NOON),
    condition: waiting === 'none' ? 'waiting' : 'ok',
    review: { ...review, version: '0123456789abcdef', entries: 9, decision: waiting },
  });
  const opened: Alert[] = [];
  const closed: Alert[] = [];
  const watch = createAlertWatch({
    store,
    directory: { accounts: () => [], keysOf: () => [], hooksOf: () => [] },
    watches: [],
    slowWatches: [],
    makeId: createMakeId(),
    distrusted: () => [],
    feeds: () => [feed()],
    backups: () => null,
    onOpened: (alert) => opened.push(alert),
    onClosed: (alert) => closed.push(alert),
    onOpen() {},
    onFault(error) {
      throw error;
    },
  });
  for (let minute = 0; minute < 20; minute += 1) await watch.round(NOON + minute * MINUTE_MS);
  expect([opened.length, closed.length]).toEqual([1, 0]);
  expect(describeAlert(opened[0] as Alert, () => undefined).text).toBe(
    'With it, 312 of 2,000 signups of the last 7 days would get another verdict: 300 stricter, 12 milder. The version before it stays in use until somebody decides.',
  );
  waiting = 'kept';
  for (let minute = 20; minute < 28; minute += 1) await watch.round(NOON + minute * MINUTE_MS);
  expect(closed.map(({ id }) => id)).toEqual(opened.map(({ id }) => id));
});

it('opens an alert of a scheduled backup that is missing, once, and closes it after a newer one', async () => {
  const opened: Alert[] = [];
  const closed: Alert[] = [];
  const state = (lastAt: number): BackupState => ({
    lastAt,
    lastBytes: 1,
    kept: 1,
    missingFrom: lastAt + 30 * 60 * MINUTE_MS,
    failures: 0,
  });
  let backups = state(NOON - 30 * 60 * MINUTE_MS + 5 * MINUTE_MS);
  const watch = createAlertWatch({
    store,
    directory: { accounts: () => [], keysOf: () => [], hooksOf: () => [] },
    watches: [],
    slowWatches: [],
    makeId: createMakeId(),
    distrusted: () => [],
    feeds: () => [],
    backups: () => backups,
    onOpened: (alert) => opened.push(alert),
    onClosed: (alert) => closed.push(alert),
    onOpen() {},
    onFault(error) {
      throw error;
    },
  });
  for (let minute = 0; minute < 5; minute += 1) await watch.round(NOON + minute * MINUTE_MS);
  expect(opened).toEqual([]);
  for (let minute = 5; minute < 20; minute += 1) await watch.round(NOON + minute * MINUTE_MS);
  expect([opened.length, closed.length]).toEqual([1, 0]);
  expect(describeAlert(opened[0] as Alert, () => undefined)).toEqual({
    title: 'A scheduled backup is missing',
    text: 'The last good one is of 2026-11-27T06:08:00Z. The log says why; on the server, `gatehouse doctor` says it, too.',
  });
  backups = state(NOON + 20 * MINUTE_MS);
  for (let minute = 20; minute < 28; minute += 1) await watch.round(NOON + minute * MINUTE_MS);
  expect(closed.map(({ id }) => id)).toEqual(opened.map(({ id }) => id));
});
