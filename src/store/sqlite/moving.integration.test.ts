/** Moving older assessments into batches: after a kill at any time, each is still stored once; at the end their tables are empty and their space is used again. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS, built } from '../../../test/support/built-threads.ts';
import { insertOlder } from '../../../test/support/older-rows.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { inTransaction, openConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import type { MovingProgress } from './moving.ts';
import { createRecordSource, type NumberedAssessment } from './record-source.ts';
import { openSqliteStore } from './sqlite.ts';

const START = Date.UTC(2026, 4, 10, 10);
const SLICE = 20;
/** A slice inserts ten rows and runs two statements that delete: kills within a slice, at its end, and in the next. */
const KILLED_BEFORE = [0, 5, 10, 11, 12, 20];
/** Moves everything, and is killed before a statement that writes: inside a transaction, or after its last one. */
const KILLED = `
  const [file, at] = process.argv.slice(1);
  const { openConnection, inTransaction } = await import(${JSON.stringify(built('connection.js').href)});
  const { createMoveRecords } = await import(${JSON.stringify(built('move-records.js').href)});
  const connection = openConnection(file);
  let writes = Number(at);
  const die = () => (writes -= 1) < 0 && process.kill(process.pid, 'SIGKILL');
  const prepare = (sql) => {
    const statement = connection.prepare(sql);
    return { all: (...values) => statement.all(...values), run: (...values) => (die(), statement.run(...values)) };
  };
  const move = createMoveRecords(prepare);
  while (inTransaction(connection, () => move(${SLICE})) > 0);`;

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-moving-'));
  file = join(directory, 'gatehouse.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

/** As an older version left them; every second one has no other record within ten seconds. */
function fillOlder(count: number): NumberedAssessment[] {
  const connection = openConnection(file);
  migrate(connection);
  const makeId = createMakeId();
  const records = inTransaction(connection, () =>
    Array.from({ length: count }, (_, index) => {
      const at = START + index * 7_000;
      const { cap: _cap, claim: _claim, ...fields } = anAssessment({ at, requestId: makeId('req', at) });
      return insertOlder(connection, { ...fields, seq: index + 1 });
    }),
  );
  connection.close();
  return records;
}

function withConnection<T>(work: (connection: ReturnType<typeof openConnection>) => T): T {
  const connection = openConnection(file);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

const number = (sql: string) =>
  withConnection((connection) => Object.values(connection.prepare(sql).get() as object)[0]);

it('survives a kill before each of its statements', () => {
  const records = fillOlder(6 * SLICE);
  for (const at of KILLED_BEFORE) {
    const { signal, stderr } = spawnSync(process.execPath, [
      '--input-type=module',
      '-e',
      KILLED,
      file,
      String(at),
    ]);
    expect({ signal, stderr: String(stderr) }).toEqual({ signal: 'SIGKILL', stderr: '' });
    withConnection((connection) => {
      const source = createRecordSource(connection);
      expect(source.readAfter(0, 1_000)).toEqual(records);
      for (const record of records) expect(source.findById(record.requestId)).toEqual(record);
    });
  }
  expect(number('SELECT count(*) FROM assessments')).toBeLessThan(records.length);
});

it('continues in a service that records and reads meanwhile, and makes the space usable again', async () => {
  const records = fillOlder(500);
  const progress: MovingProgress[] = [];
  const store = openSqliteStore({
    directory,
    ...BUILT_THREADS,
    prompt: true,
    deadlines: { waitMs: 60_000, answerMs: 60_000, lockMs: 60_000 },
    movingStartMs: 0,
    onMoving: (each) => progress.push(each),
  });
  const makeId = createMakeId();
  const added: string[] = [];
  // Fewer than the moved ones, because new records use their space.
  while (added.length < 30) {
    const at = START + 10 ** 7 + added.length;
    const requestId = makeId('req', at);
    expect(await store.record(anAssessment({ at, requestId }))).toMatchObject({ outcome: 'recorded' });
    added.push(requestId);
    const { requestId: older } = records[(added.length * 37) % records.length] as NumberedAssessment;
    expect(await store.findStored(older, { accountId: 'acc_a', mode: 'live' })).toBeDefined();
  }
  await expect.poll(() => progress.at(-1)?.remaining).toBe(0);
  expect(progress[0]).toEqual({ moved: 0, remaining: records.length });
  expect(progress.at(-1)).toEqual({ moved: records.length, remaining: 0 });
  const ids = [...records.map(({ requestId }) => requestId), ...added];
  expect(
    withConnection((connection) => createRecordSource(connection).readAfter(0, 10 ** 6)).map(
      ({ requestId }) => requestId,
    ),
  ).toEqual(ids);
  let attempts = 0;
  for await (const chunk of store.liveAttempts(0)) attempts += chunk.length;
  expect(attempts).toBe(ids.length);
  expect([
    number('SELECT count(*) FROM assessments'),
    number('SELECT count(*) FROM assessment_documents'),
  ]).toEqual([0, 0]);
  const [pages, free] = [number('PRAGMA page_count'), number('PRAGMA freelist_count')];
  expect(free).toBeGreaterThan(10);
  for (let more = 0; more < 8; more += 1) await store.record(anAssessment());
  expect(number('PRAGMA page_count')).toBe(pages);
  expect(number('PRAGMA freelist_count')).toBeLessThan(free as number);
  await store.close();
});
