/** Erasing in the embedded store: in sealed runs and batches, during other background work; no file keeps a trace. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS, PATIENT_READS, PATIENT_WRITES } from '../../../test/support/built-threads.ts';
import { until } from '../../../test/support/expectations.ts';
import { blankPersonalData } from '../../signup/blank-personal-data.ts';
import { openConnection } from '../sqlite-connection.ts';
import type { AssessmentRecord, Store } from '../store.ts';
import { leftOf } from '../store-erasures.suite.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqlite.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const END = Date.UTC(2026, 4, 11);
const TRACE = 'zoe-quandt';
const PERSON = {
  addressHash: `${TRACE}-address`,
  mailboxHash: `${TRACE}-mailbox`,
  sessionId: `${TRACE} session`,
  emailDomain: `${TRACE}.example`,
  emailMasked: `z***@${TRACE}.example`,
  ip: '198.51.100.77',
};

/** A failed step of the background work is repeated a minute later. */
const AFTER_A_FAULT_MS = 120_000;

let directory: string;
let store: Store;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-erase-'));
});
afterEach(async () => {
  await store?.close();
  rmSync(directory, { recursive: true });
});

const open = ({ forTests, ...options }: Partial<SqliteStoreOptions> = {}) => {
  const indexing = { runSize: 8, ...PATIENT_READS };
  store = openSqliteStore({
    directory,
    ...options,
    forTests: { ...BUILT_THREADS, deadlines: PATIENT_WRITES, indexing, ...forTests },
  });
};

async function fill(count: number, fields: Partial<AssessmentRecord> = {}): Promise<AssessmentRecord[]> {
  const records = Array.from({ length: count }, (_, index) => anAssessment({ at: NOW + index, ...fields }));
  await Promise.all(records.map((record) => store.record(record)));
  return records;
}

const files = () =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
const withTrace = (trace: string) => files().filter((file) => readFileSync(file).includes(trace));
const rowsOf = async (search: object) => (await store.findAssessments('acc_a', search, null, 500)).rows;
const sealed = () => readdirSync(join(directory, 'history')).length;

it('erases in sealed runs, in the tail and in shared rows, and keeps every count', async () => {
  open();
  await fill(10);
  const mine = await fill(3, PERSON);
  await fill(10);
  const fresh = await fill(2, PERSON);
  await rowsOf({});
  await until(() => sealed() === 3);
  expect(await rowsOf({ sessionId: PERSON.sessionId })).toHaveLength(5);
  const days = await store.dayCounts('acc_a', 0, END);
  expect(withTrace(TRACE)).not.toEqual([]);

  await store.anonymizeAssessments([...mine, ...fresh].map(leftOf));
  for (const search of [
    { sessionId: PERSON.sessionId },
    { ip: { first: PERSON.ip, last: PERSON.ip } },
    { domain: PERSON.emailDomain },
  ])
    expect(await rowsOf(search)).toEqual([]);
  expect(await rowsOf({ domain: 'erased.invalid' })).toHaveLength(5);
  expect(await store.dayCounts('acc_a', 0, END)).toEqual(days);
  await store.overwriteFreed();
  expect(withTrace(TRACE)).toEqual([]);

  await store.close();
  open();
  expect(await rowsOf({})).toHaveLength(25);
  expect(await rowsOf({ sessionId: PERSON.sessionId })).toEqual([]);
  await store.close();
  rmSync(join(directory, 'history'), { recursive: true });
  open();
  expect(await rowsOf({ domain: 'erased.invalid' })).toHaveLength(5);
  expect(await rowsOf({ domain: PERSON.emailDomain })).toEqual([]);
  expect(await store.dayCounts('acc_a', 0, END)).toEqual(days);
});

it('overwrites data that another program left in free pages, and makes their space usable again', async () => {
  open();
  const name = (at: number) => `cache ${at}`;
  for (let at = 0; at < 50; at += 1) store.cache.set(name(at), `${TRACE} ${'x'.repeat(20_000)}`, at);
  await until(async () => (await store.cache.read(name(49))) !== undefined);
  await store.close();
  const other = openConnection(join(directory, 'gatehouse.db'));
  other.pragma('secure_delete = FAST');
  other.exec('DELETE FROM knowledge');
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  open();
  const size = () => readFileSync(join(directory, 'gatehouse.db')).length;
  expect(withTrace(TRACE)).not.toEqual([]);
  await store.overwriteFreed();
  expect(withTrace(TRACE)).toEqual([]);
  const before = size();
  expect(before).toBeGreaterThan(500_000);
  for (let at = 0; at < 20; at += 1) store.cache.set(name(at), 'y'.repeat(20_000), NOW);
  await until(async () => (await store.cache.read(name(19))) !== undefined);
  await store.overwriteFreed();
  expect(size()).toBeLessThan(before + 262_144);
});

it('works while a service blanks other records of the row', {
  timeout: 2 * AFTER_A_FAULT_MS,
}, async () => {
  const faults: string[] = [];
  open();
  // While blanking runs, times only increase: a record older than the blanked ones would stay.
  const old = await fill(64, { at: NOW - 4 * DAY_MS });
  await fill(1);
  await store.close();
  open({
    prompt: true,
    patientClock: () => NOW,
    personalData: { days: 2, blank: blankPersonalData },
    forTests: { idleMs: 1 },
    onFault: ({ message }) => faults.push(message),
  });
  const erased = old.filter((_, at) => at % 3 === 0);
  await store.anonymizeAssessments(erased.map(leftOf));
  for (const { requestId } of erased)
    expect(await store.findStored(requestId, { accountId: 'acc_a', mode: 'live' })).toBeUndefined();
  expect(await rowsOf({ domain: 'erased.invalid' })).toHaveLength(erased.length);
  await until(
    async () => (await rowsOf({ domain: 'example.com' })).filter(({ ip }) => ip !== null).length === 1,
    AFTER_A_FAULT_MS,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; faults: ${faults.join(', ')}`);
  });
});
