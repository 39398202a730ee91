/** Alerts about bounces and complaints, on a real store: open at the limit, one while it lasts, closed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { Alert } from '../model/alert.ts';
import type { SignupOutcome } from '../model/outcome.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { createAlertWatch } from './alert-watch.ts';
import { describeAlert } from './alert-words.ts';
import { liveWatches } from './live-alerts.ts';

const NOON = Date.UTC(2026, 10, 28, 12, 3);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ACCOUNT = anAccount({ id: 'acc_a', name: 'shop' });

let folder: string;
let store: Store;
let opened: Alert[];
let closed: Alert[];
let round: (now: number) => Promise<void>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-bounces-'));
  store = openSqliteStore({ directory: folder, forTests: BUILT_THREADS });
  await store.saveAccount(ACCOUNT);
  [opened, closed] = [[], []];
  const watch = createAlertWatch({
    store,
    directory: { accounts: () => [ACCOUNT], keysOf: () => [], hooksOf: () => [] },
    ...liveWatches({ store, isCrowded: () => false, sharedAddresses: () => [] }),
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
  round = async (now) => watch.round(now);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const makeId = createMakeId();

/** Signups an hour before a time, the first of which have an outcome. */
async function signUp(count: number, having: number, outcome: SignupOutcome, before = NOON) {
  const at = before - 60 * MINUTE_MS;
  const ids = Array.from({ length: count }, () => makeId('req', at));
  const signups = ids.map((requestId) =>
    anAssessment({ requestId, accountId: ACCOUNT.id, at, verdict: 'allow', cap: null }),
  );
  await Promise.all(signups.map((signup) => store.record(signup)));
  const common = {
    accountId: ACCOUNT.id,
    mode: 'live',
    outcome,
    at,
    keyId: 'key_1',
    assessedAt: at,
  } as const;
  const row = { ...common, domain: 'shop.example', campaignId: null, label: null };
  await store.saveOutcomes(ids.slice(0, having).map((requestId) => ({ ...row, requestId })));
}
const title = (alert: Alert | undefined) => alert && describeAlert(alert, () => undefined).title;

describe('bounces', () => {
  it('are an alert from 3 % and 10 on, which stays one and closes by itself', async () => {
    await signUp(300, 9, 'bounced');
    await round(NOON);
    expect(opened).toEqual([]);
    await signUp(20, 1, 'bounced');
    for (let minute = 10; minute < 60; minute += 1) await round(NOON + minute * MINUTE_MS);
    expect(opened.map(title)).toEqual([
      'Mails to 10 of 320 people who signed up in 24 hours bounced, usually 0',
    ]);
    expect(describeAlert(opened[0] as Alert, () => undefined).text).toContain('That is 3.1%.');
    expect(closed).toEqual([]);
    // Eight days later nothing bounced in the last week.
    for (let minute = 0; minute < 40; minute += 1) await round(NOON + 8 * DAY_MS + minute * MINUTE_MS);
    expect([opened, closed].map((alerts) => alerts.length)).toEqual([1, 1]);
  });

  it('are none where many sign up', async () => {
    await signUp(400, 11, 'bounced');
    await round(NOON);
    expect(opened).toEqual([]);
  });

  it('are counted over a week where few sign up, and compared with what is usual', async () => {
    await signUp(200, 4, 'bounced', NOON - 20 * DAY_MS);
    for (const days of [5, 4, 3, 2, 0]) await signUp(10, 2, 'bounced', NOON - days * DAY_MS);
    await round(NOON);
    expect(opened.map(title)).toEqual([
      'Mails to 10 of 50 people who signed up in 7 days bounced, usually 1',
    ]);
  });
});

it('complaints are an alert from 0.1 % and 5 on', async () => {
  await signUp(300, 4, 'complained');
  await round(NOON);
  expect(opened).toEqual([]);
  await signUp(1, 1, 'complained');
  await round(NOON + 10 * MINUTE_MS);
  expect(opened.map(title)).toEqual([
    '5 of 301 people who signed up in 7 days reported a mail as spam, usually 0',
  ]);
});
