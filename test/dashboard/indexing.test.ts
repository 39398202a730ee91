/** A service with a large unindexed log: what it answers while it indexes, and what it refuses. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UsagePage } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail, AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { FindResult } from '../../src/contract/dashboard-find.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import type { StoredAssessment } from '../../src/store/stored-assessment.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { idOf, insertRecords } from '../support/insert-records.ts';
import { IS_LONG, rounds } from '../support/long-version.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { startService } from '../support/running-service.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

/** More rows than can be indexed while a query waits. */
const ROWS = rounds(20_000, 1_000_000);
const SPAN_MS = 3_000_000;
/** The short version has few rows, but each takes long, and no query waits. */
const ONE_BY_ONE = { minSlice: 1, maxSlice: 1, patienceMs: 0 };

let installation: Installation;
let service: Service;
let owner: Person;
let account: string;
let newest: string;

beforeAll(async () => {
  installation = await createInstallation();
  const { id } = await installation.account('business');
  account = `/accounts/${id}`;
  const person = await plantPerson(installation, { account: id, role: 'owner' });
  const database = openSqlite(join(installation.environment.GATEHOUSE_DATA_DIR as string, 'gatehouse.db'));
  database.pragma('synchronous = OFF');
  const records = recordsOf(id, Date.now());
  insertRecords(database, 1, records);
  database.close();
  newest = (records.at(-1) as StoredAssessment).requestId;
  service = await startService(installation.environment, IS_LONG ? {} : { indexing: ONE_BY_ONE });
  owner = await signIn(service, person);
});
afterAll(async () => {
  owner?.close();
  await service?.stop();
  await installation?.remove();
});

const behind = { indexed: expect.any(Number), total: ROWS, seconds_left: expect.any(Number) };
const refused = { code: 'unavailable', progress: { indexed: expect.any(Number), total: ROWS } };

it('answers at once what it can, with the progress, and refuses what would be wrong, with a time to try again', async () => {
  const simulation = { mode: 'live', period: '24h', thresholds: { challenge: 30, block: 60 } };
  const [page, feedback, usage, detail, found, ...others] = await Promise.all([
    owner.get<AssessmentSearchResult>(`${account}/assessments`),
    owner.get<FeedbackPage>(`${account}/feedback`),
    owner.get<UsagePage>(`${account}/usage`),
    owner.get<AssessmentDetail>(`${account}/assessments/${newest}`),
    owner.send<FindResult>('POST', `${account}/find`, { text: 'd1.example', mode: 'live' }),
    owner.get(`${account}/assessments.csv`),
    owner.get(`${account}/assessments.csv/ready`),
    owner.send('POST', `${account}/simulate`, simulation),
    owner.send('POST', `${account}/lists/preview`, { action: 'deny', value: 'd1.example' }),
    owner.get(`${account}/assessments/${newest}/neighbours`),
  ]);
  expect(page.json.indexing).toEqual(behind);
  expect(feedback.json.indexing).toEqual(behind);
  expect(usage.json.indexing).toEqual(behind);
  expect(found.json.indexing).toEqual(behind);
  expect(detail.json.row.request_id).toBe(newest);
  for (const { status, headers, json } of others) {
    expect({ status, error: json.error }).toMatchObject({ status: 503, error: refused });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(2);
  }
  // The two newest hours are indexed last: older reports are complete without them.
  const old = new Date(Date.now() - 10 * 86_400_000).toISOString();
  const before = await owner.get<AssessmentSearchResult>(`${account}/assessments?to=${old}`);
  expect(before.json).toEqual({ rows: [], cursor: null, partial: false, indexing: null });
  expect((await owner.get(`${account}/assessments.csv?to=${old}`)).status).toBe(200);
});

it('shows the day of the indexed signups, once there are some', async () => {
  for (;;) {
    const { status, json } = await owner.get<Today>(`${account}/today?period=7d`);
    if (status === 503) continue;
    expect(json.indexing).toEqual(behind);
    expect(json.totals.allow).toBeGreaterThan(0);
    return;
  }
});

/** Assessments in the hour before now. */
function recordsOf(accountId: string, now: number): StoredAssessment[] {
  return Array.from({ length: ROWS }, (_, place) => {
    const at = now - 3_600_000 + Math.floor(((place + 1) * SPAN_MS) / ROWS);
    return anAssessment({
      requestId: idOf(at, place),
      accountId,
      at,
      verdict: 'allow',
      emailDomain: `d${place % 100}.example`,
    });
  });
}
