/** The demo's month, replayed three times an hour through what watches signups: who is told of what, and when. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlertWatch, createAlertWatch } from '../src/alerts/alert-watch.ts';
import { createWatchShadow, createWatchShares } from '../src/alerts/watch-shares.ts';
import { createWatchSignups } from '../src/alerts/watch-signups.ts';
import { createMakeId } from '../src/contract/identifiers.ts';
import type { Alert } from '../src/model/alert.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite.ts';
import type { Account, Key, Store } from '../src/store/store.ts';
import { BUILT_THREADS } from './support/built-threads.ts';

/** Rounds at the end of every other step of ten minutes: two steps are nearly over then. */
const STEP_MS = 20 * 60_000;
const LATE_MS = 9 * 60_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TO = Date.UTC(2026, 10, 28, 16, 0);
const MIDNIGHT = Date.UTC(2026, 10, 28);
const COUNT = 20_000;
/** Only ends a process that hangs. */
const FILL_MS = 1_800_000;

/** Attacks of the month, beside innocent crowds. */
const NIGHT = { from: MIDNIGHT - 9 * DAY_MS + 2 * HOUR_MS, to: MIDNIGHT - 9 * DAY_MS + 7 * HOUR_MS };
const FARM = { from: MIDNIGHT - 5 * DAY_MS, to: MIDNIGHT - 2 * DAY_MS + 8 * HOUR_MS };
const KIT = { from: MIDNIGHT - 20 * DAY_MS + 13 * HOUR_MS, to: MIDNIGHT - 20 * DAY_MS + 18 * HOUR_MS };
/** Domains bought in a row, and one pattern of names, until the end of the month. */
const BOUGHT = { from: MIDNIGHT - 4 * DAY_MS + 6 * HOUR_MS, to: TO + DAY_MS };
const ATTACKS = [NIGHT, FARM, KIT, BOUGHT];
const isWithin =
  ({ from, to }: typeof NIGHT) =>
  ({ openedAt }: Alert) =>
    openedAt >= from && openedAt < to;

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-alerts-'));
let store: Store;
let alerts: readonly Alert[];
beforeAll(async () => {
  const { fillMonth } = await import('../demo/month.mjs' as string);
  const { readNames } = await import('../demo/surroundings.mjs' as string);
  const dataDir = join(folder, 'data');
  const { accounts, keys } = (await fillMonth({
    dataDir,
    feedsDir: null,
    count: COUNT,
    to: TO,
    seed: 1,
    names: readNames(),
    say() {},
  })) as { accounts: Record<string, Account>; keys: Record<string, Key> };
  store = openSqliteStore({ directory: dataDir, inline: true, forTests: BUILT_THREADS });
  let watch = watchOf(Object.values(accounts), Object.values(keys));
  for (let now = TO - 30 * DAY_MS + LATE_MS; now <= TO; now += STEP_MS) {
    // A restart in the middle of the attack.
    if (now === NIGHT.from + HOUR_MS + LATE_MS) watch = watchOf(Object.values(accounts), Object.values(keys));
    await watch.round(now);
  }
  alerts = await store.recentAlerts(0);
}, FILL_MS);
afterAll(async () => {
  await store?.close();
  rmSync(folder, { recursive: true });
});

function watchOf(accounts: readonly Account[], keys: readonly Key[]): AlertWatch {
  const options = { store, isCrowded: (domain: string) => /^(?:gmail|outlook|hotmail|yahoo)\./.test(domain) };
  return createAlertWatch({
    store,
    directory: {
      accounts: () => accounts,
      keysOf: (id) => keys.filter(({ accountId }) => accountId === id),
      hooksOf: () => [],
    },
    watches: [createWatchSignups(options)],
    slowWatches: [createWatchShares(options), createWatchShadow(options)],
    makeId: createMakeId(),
    distrusted: () => [],
    backups: () => null,
    feeds: () => [],
    onOpened() {},
    onClosed() {},
    onOpen() {},
    onFault(error) {
      throw error;
    },
  });
}

describe('the month of the demo', () => {
  it('tells of the night of throw-away addresses within half an hour, and names the range', () => {
    const found = alerts.filter(isWithin(NIGHT));
    expect(found.length).toBeGreaterThan(0);
    expect(Math.min(...found.map(({ openedAt }) => openedAt))).toBeLessThanOrEqual(NIGHT.from + 30 * 60_000);
    for (const { shares } of found)
      expect(shares).toContainEqual(expect.objectContaining({ feature: 'range', value: '78.46.61.0/24' }));
    expect(found.filter(({ kind }) => kind === 'signups').length).toBeLessThanOrEqual(1);
  });

  it('tells of the farm of spelled mailboxes, and names it', () => {
    expect(alerts.filter(isWithin(FARM)).flatMap(({ shares }) => shares)).toContainEqual(
      expect.objectContaining({ feature: 'finding', value: 'mailbox_farm' }),
    );
  });

  it('tells of no innocent crowd but once: newsletter, freshmen, staff, office and booth', () => {
    const innocent = alerts.filter((alert) => !ATTACKS.some((attack) => isWithin(attack)(alert)));
    expect(innocent.length, JSON.stringify(innocent)).toBeLessThanOrEqual(1);
  });
});
