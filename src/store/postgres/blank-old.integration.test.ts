/** IPs and addresses in PostgreSQL: blanked after the configured days by one of several nodes. */
import { afterEach, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { until } from '../../../test/support/expectations.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { blankPersonalData } from '../../signup/blank-personal-data.ts';
import type { Store } from '../store.ts';
import { createBlankOld } from './blank-old.ts';
import { openDatabase } from './database.ts';
import { openPostgresStore } from './postgres.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const END = Date.UTC(2026, 4, 11);
const READER = { accountId: 'acc_a', mode: 'live' } as const;
const PERSONAL = { days: 2, blank: blankPersonalData };

const stores: Store[] = [];
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});
async function open(url: string, options = {}): Promise<Store> {
  const store = await openPostgresStore({ url, clock: () => NOW, ...options });
  stores.push(store);
  return store;
}

const anOld = (index: number) =>
  anAssessment({ at: NOW - 3 * DAY_MS + index, email: 'jo@example.com', sessionId: 's 1' });

it('blanks old records on one of the nodes, and keeps counts, verdicts and hashes', async () => {
  const url = await newMigratedDatabase();
  const first = await open(url);
  const old = Array.from({ length: 230 }, (_, index) => anOld(index));
  await Promise.all(old.map((record) => first.record(record)));
  const fresh = anAssessment({ at: NOW });
  await first.record(fresh);
  const before = await first.findStored(old[7]?.requestId as string, READER);
  const days = await first.dayCounts('acc_a', 0, END);

  const service = { warm: true, personalData: PERSONAL, forTests: { idleMs: 5 } };
  await Promise.all([open(url, service), open(url, service)]);
  const isBlank = async ({ requestId }: { requestId: string }) =>
    (await first.findStored(requestId, READER))?.emailMasked === '***@example.com';
  await until(async () => (await Promise.all(old.map(isBlank))).every(Boolean));
  expect(await first.findStored(old[7]?.requestId as string, READER)).toEqual({
    ...before,
    email: null,
    emailMasked: '***@example.com',
    ip: null,
    network: null,
  });
  expect(await isBlank(fresh)).toBe(false);
  const ip = { first: '203.0.113.7', last: '203.0.113.7' };
  expect((await first.findAssessments('acc_a', { ip }, null, 10)).rows).toHaveLength(1);
  expect((await first.findAssessments('acc_a', { sessionId: 's 1' }, null, 500)).rows).toHaveLength(230);
  expect(await first.dayCounts('acc_a', 0, END)).toEqual(days);
});

it('blanks a hundred rows a step, waits while another node blanks, and continues after a failed step', async () => {
  const url = await newMigratedDatabase();
  const store = await open(url);
  const old = Array.from({ length: 150 }, (_, index) => anOld(index));
  await Promise.all(old.map((record) => store.record(record)));
  const database = openDatabase({ url, connections: 3 });
  try {
    const newestAt = async () => NOW;
    const prune = createBlankOld({ database, retention: PERSONAL, newestAt });
    const countWithIp = async () => {
      const [row] = await database.query<{ n: number }>(
        'SELECT count(*) AS n FROM assessments WHERE ip IS NOT NULL',
      );
      return row?.n;
    };
    const faulty = createBlankOld({
      database,
      retention: {
        ...PERSONAL,
        blank() {
          throw new Error('killed');
        },
      },
      newestAt,
    });
    await expect(faulty(200)).rejects.toThrow('killed');
    expect(await countWithIp()).toBe(150);
    expect(await prune(200)).toBe(200);
    expect(await countWithIp()).toBe(50);
    await database.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock(7126004)');
      expect(await prune(200)).toBe(0);
    });
    expect(await countWithIp()).toBe(50);
    expect(await prune(200)).toBe(200);
    expect(await prune(200)).toBe(0);
    expect(await countWithIp()).toBe(0);
  } finally {
    await database.close();
  }
});
