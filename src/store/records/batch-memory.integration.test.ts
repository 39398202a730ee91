/** Batches in memory always equal the stored ones, also after changes by other processes, and stay within their limit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anAssessment, asStored } from '../../../test/support/an-assessment.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { migrate } from '../sqlite/migrate.ts';
import { inTransaction, openConnection, type SqliteConnection } from '../sqlite-connection.ts';
import type { AssessmentRecord } from '../store.ts';
import { checksumOf } from './batch-checksum.ts';
import { type BatchMemory, createBatchMemory } from './batch-memory.ts';
import type { BatchRow } from './batch-text.ts';
import { createEraseRecords } from './erase-records.ts';
import { toBatch } from './record-batch.ts';
import { createCredits, createRecorder } from './recorder.ts';

const AT = Date.UTC(2026, 4, 10, 10);
const makeId = createMakeId();
const batchOf = (count: number): AssessmentRecord[] =>
  Array.from({ length: count }, () => anAssessment({ at: AT, requestId: makeId('req', AT) }));

let directory: string;
let writer: SqliteConnection;
let reader: SqliteConnection;
let memory: BatchMemory;
/** Ends the turn of the event loop for the memory. */
let endTurn: () => void;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-batches-'));
  writer = openConnection(join(directory, 'gatehouse.db'));
  migrate(writer);
  reader = openConnection(join(directory, 'gatehouse.db'));
  endTurn = () => {};
  memory = remember();
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(directory, { recursive: true });
});

function remember(maxBytes?: number): BatchMemory {
  return createBatchMemory(reader, {
    ...(maxBytes !== undefined && { maxBytes }),
    atEndOfTurn(act) {
      endTurn = act;
    },
  });
}

function store(assessments: readonly AssessmentRecord[]): void {
  const prepare = (sql: string) => writer.prepare(sql);
  const credits = createCredits(prepare);
  const recorder = createRecorder(prepare, credits);
  inTransaction(writer, () => recorder.record(toBatch(assessments), () => false));
}

/** Nothing notices changes any more, so that a read shows what is in memory. */
function dropTriggers(): void {
  writer.exec('DROP TRIGGER assessment_batches_changed; DROP TRIGGER assessment_batches_removed');
}

function blankAll(): void {
  const write = writer.prepare('UPDATE assessment_batches SET attempts = ?, crc32 = ? WHERE seq = ?');
  const rows = writer
    .prepare('SELECT seq, ids, attempts, details FROM assessment_batches')
    .all() as BatchRow[];
  for (const row of rows) {
    const attempts = row.attempts.replaceAll('example.com', 'example.net');
    write.run(attempts, checksumOf({ ...row, attempts }), row.seq);
  }
}

const idsOf = (assessments: readonly AssessmentRecord[]) => assessments.map(({ requestId }) => requestId);
const domainOf = (id: string) => memory.find(id)?.emailDomain;

describe('a batch in memory', () => {
  it('gives each of its records with its number, and no others', () => {
    const [first, second] = [batchOf(3), batchOf(2)];
    const apart = [AT + 1, AT + 2].map((at) => anAssessment({ at, requestId: makeId('req', at) }));
    for (const batch of [first, second, apart]) store(batch);
    for (let round = 0; round < 2; round += 1) {
      for (const [place, assessment] of [...first, ...second, ...apart].entries())
        expect(memory.find(assessment.requestId)).toEqual({ seq: place + 1, ...asStored(assessment) });
      const beginnings = idsOf([...first, ...apart]).map((id) => id.slice(0, -1));
      for (const id of ['', 'req_', makeId('req', AT), `${idsOf(first)[0]}0`, ...beginnings])
        expect(memory.find(id)).toBeUndefined();
    }
  });

  it('is not read again for another of its records', () => {
    const [first, second] = idsOf(batchOfStored(2));
    expect(domainOf(first as string)).toBe('example.com');
    dropTriggers();
    blankAll();
    endTurn();
    expect(domainOf(second as string)).toBe('example.com');
    // A new memory reads the stored data.
    memory = remember();
    expect(domainOf(second as string)).toBe('example.net');
  });

  it.each<[string, () => void, string | undefined]>([
    ['blanked', blankAll, 'example.net'],
    ['removed', () => writer.exec('DELETE FROM assessment_batches'), undefined],
  ])('is %s in the next turn of the event loop', (_what, change, after) => {
    const [first, second] = idsOf(batchOfStored(2)) as [string, string];
    expect([domainOf(first), domainOf(second)]).toEqual(['example.com', 'example.com']);
    change();
    endTurn();
    expect([domainOf(first), domainOf(second)]).toEqual([after, after]);
  });

  it('loses an erased record, and keeps the others', () => {
    const [first, second] = idsOf(batchOfStored(2)) as [string, string];
    domainOf(first);
    const erase = createEraseRecords((sql) => writer.prepare(sql));
    inTransaction(writer, () => erase([first]));
    endTurn();
    expect([domainOf(first), domainOf(second), domainOf('')]).toEqual([undefined, 'example.com', undefined]);
    inTransaction(writer, () => erase([second]));
    endTurn();
    expect(domainOf(second)).toBeUndefined();
  });

  it('is not changed by a transaction that is rolled back', () => {
    const [first] = idsOf(batchOfStored(1)) as [string];
    domainOf(first);
    writer.exec('BEGIN IMMEDIATE');
    blankAll();
    endTurn();
    expect(domainOf(first)).toBe('example.com');
    writer.exec('ROLLBACK');
    endTurn();
    expect(domainOf(first)).toBe('example.com');
  });
});

describe('the memory', () => {
  it('forgets the oldest batches when it is full', () => {
    const stored = Array.from({ length: 20 }, () => batchOfStored(4));
    memory = remember(20_000);
    for (const batch of stored) {
      domainOf(idsOf(batch)[0] as string);
      expect(memory.bytes).toBeLessThanOrEqual(20_000);
    }
    expect(memory.bytes).toBeGreaterThan(10_000);
    dropTriggers();
    blankAll();
    endTurn();
    const domains = [stored[0], stored.at(-1)].map((batch) =>
      domainOf(idsOf(batch as AssessmentRecord[])[1] as string),
    );
    expect(domains).toEqual(['example.net', 'example.com']);
  });

  it('does not keep a batch above its limit', () => {
    memory = remember(1_000);
    const [first] = idsOf(batchOfStored(32)) as [string];
    expect(domainOf(first)).toBe('example.com');
    expect(memory.bytes).toBe(0);
  });
});

function batchOfStored(count: number): AssessmentRecord[] {
  const assessments = batchOf(count);
  store(assessments);
  return assessments;
}
