/** A bit flips inside the texts of a batch while no process has the file open: each read of the batch finds it, and all other records can be read. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { examineFile } from '../sqlite/examine.ts';
import { migrate } from '../sqlite/migrate.ts';
import type { openSqliteStore as OpenSqliteStore } from '../sqlite/sqlite.ts';
import { openConnection, type SqliteConnection } from '../sqlite-connection.ts';
import { DamagedBatch } from './batch-checksum.ts';
import { findDamage } from './damage.ts';
import { createEraseRecords } from './erase-records.ts';
import { toBatch } from './record-batch.ts';
import { createRecordSource } from './record-source.ts';
import { createCredits, createRecorder } from './recorder.ts';

const AT = Date.UTC(2026, 4, 10, 10);
const makeId = createMakeId();
const batchOf = (city: string) =>
  Array.from({ length: 8 }, (_, place) =>
    anAssessment({
      at: AT,
      requestId: makeId('req', AT),
      addressHash: `hash-${city}-${place}`,
      facts: `["${city}"]`,
    }),
  );
const [sound, damaged] = [batchOf('Sound'), batchOf('Utopia')];
const idsOf = (records: readonly { requestId: string }[]) => records.map(({ requestId }) => requestId);
const [soundId, damagedId] = [idsOf(sound)[0] as string, idsOf(damaged)[3] as string];
const ADVICE = /the file is damaged .*number 9 .*restore the newest backup.*WHERE seq = 9/;

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-flips-'));
const whole = join(folder, 'whole.db');
let bytes: Buffer;

beforeAll(() => {
  const connection = openConnection(whole);
  migrate(connection);
  const prepare = (sql: string) => connection.prepare(sql);
  const recorder = createRecorder(prepare, createCredits(prepare));
  for (const batch of [sound, damaged]) {
    recorder.begin();
    recorder.record(toBatch(batch), () => false);
  }
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  bytes = readFileSync(whole);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The file with one changed bit where the text first occurs. */
function flip(text: string, bit: number): string {
  const directory = mkdtempSync(join(folder, 'flipped-'));
  const file = join(directory, 'gatehouse.db');
  const at = bytes.indexOf(text);
  if (at < 0) throw new Error(`${text} is not in the file`);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] as number) ^ (1 << bit);
  writeFileSync(file, changed);
  return file;
}

function withConnection<T>(file: string, read: (connection: SqliteConnection) => T): T {
  const connection = openConnection(file);
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}

describe.each([
  ['its ids', `${damagedId} `],
  ['its attempts', 'hash-Utopia-3'],
  ['its details', '["Utopia"]'],
])('a flipped bit in %s', (_, text) => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('is found, bit %i', (bit) => {
    const file = flip(text, bit);
    expect(withConnection(file, findDamage)).toMatch(ADVICE);
    expect(examineFile(file).fault).toMatch(ADVICE);
    withConnection(file, (connection) => {
      const reads = createRecordSource(connection);
      expect(reads.findById(soundId)?.requestId).toBe(soundId);
      expect(() => reads.findById(idsOf(damaged)[5] as string)).toThrow(DamagedBatch);
      expect(() => reads.readAfter(0, 100)).toThrow(DamagedBatch);
      const seen: number[] = [];
      const patient = createRecordSource(connection, { onDamaged: ({ seq }) => seen.push(seq) });
      expect(idsOf(patient.readAfter(0, 100))).toEqual(idsOf(sound));
      expect(idsOf(patient.read([2, 11]))).toEqual([idsOf(sound)[1]]);
      expect(seen).toEqual([9, 9]);
      const erase = createEraseRecords((sql) => connection.prepare(sql));
      expect(() => erase([idsOf(damaged)[5] as string])).toThrow(DamagedBatch);
      expect(erase([soundId])).toBe(1);
    });
  });
});

it('a sound file is not reported as damaged', () => {
  expect(withConnection(whole, findDamage)).toBeUndefined();
});

it('a check that is to stop reads no more batches', () => {
  const file = flip('hash-Utopia-3', 0);
  let asked = 0;
  const isStopping = () => {
    asked += 1;
    return true;
  };
  expect(
    withConnection(file, (connection) => findDamage(connection, 'quick_check', isStopping)),
  ).toBeUndefined();
  expect(asked).toBe(1);
});

it('the first and the last id of a row are compared with its ids', () => {
  const file = join(folder, 'range.db');
  cpSync(whole, file);
  withConnection(file, (connection) => {
    connection.exec('UPDATE assessment_batches SET last_id = first_id WHERE seq = 9');
    expect(findDamage(connection)).toMatch(ADVICE);
  });
});

describe('a store with a damaged batch', () => {
  it('is not opened by a service, and gives its sound records to commands', async () => {
    const file = flip('["Utopia"]', 7);
    const directory = join(file, '..');
    // Its threads are modules of the build.
    const { openSqliteStore } = (await import(
      new URL('../../../dist/store/sqlite/sqlite.js', import.meta.url).href
    )) as { openSqliteStore: typeof OpenSqliteStore };
    expect(() => openSqliteStore({ directory, prompt: true })).toThrow(ADVICE);

    const faults: string[] = [];
    const store = openSqliteStore({ directory, onFault: ({ message }) => faults.push(message) });
    const reader = { accountId: 'acc_a', mode: 'live' } as const;
    expect((await store.findStored(soundId, reader))?.requestId).toBe(soundId);
    await expect(store.findStored(damagedId, reader)).rejects.toThrow(ADVICE);
    const { rows } = await store.findAssessments('acc_a', {}, null, 50);
    expect(idsOf(rows).sort()).toEqual(idsOf(sound).sort());
    expect(faults).toEqual([expect.stringMatching(ADVICE)]);
    await store.close();
  });
});
