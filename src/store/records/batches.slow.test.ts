/** Batches compared with a list of the stored records: after inserts, clock steps and erasures, every record is found once, and nothing else. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { rounds } from '../../../test/support/long-version.ts';
import { PROPERTY_RUNS } from '../../../test/support/property-runs.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { type AttemptColumns, MARKS, type VelocityEvent } from '../../model/velocity-event.ts';
import { isNamed } from '../../model/velocity-facts.ts';
import { toRunRecord } from '../history-index/run-record.ts';
import { migrate } from '../sqlite/migrate.ts';
import { inTransaction, openConnection, type SqliteConnection } from '../sqlite-connection.ts';
import type { AssessmentRecord } from '../store.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';
import { wasBlocked } from '../was-blocked.ts';
import type { BatchMemoryOptions } from './batch-memory.ts';
import { MAX_SPAN_MS } from './batch-rows.ts';
import { createEraseRecords } from './erase-records.ts';
import { createLiveAttempts } from './live-attempts.ts';
import { toBatch } from './record-batch.ts';
import { createRecordSource } from './record-source.ts';
import { createCredits, createRecorder } from './recorder.ts';

const START = Date.UTC(2026, 4, 10, 10);
/** How many milliseconds before its commit an id was made; the clock may step in between. */
const record = fc.record({
  agoMs: fc.oneof(fc.nat(50), fc.nat(1_000), fc.nat(25_000)),
  account: fc.constantFrom('acc_a', 'acc_b'),
  mode: fc.constantFrom('live' as const, 'test' as const),
  cap: fc.constantFrom(null, null, null, 30),
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      records: fc.array(record, { minLength: 1, maxLength: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('many' as const),
      record,
      count: fc.integer({ min: 60, max: 140 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      byMs: fc.oneof(fc.integer({ min: -3e6, max: 3e6 }), fc.nat(3_000)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase' as const), which: fc.nat() }) },
);

it('each record is found by its id, number and time, and counted once, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.nat(), async (steps, seed) => {
      await withDatabase(async (connection) => {
        const model = createModel(connection);
        for (const each of steps) await model.apply(each);
        await model.check(seed);
      });
    }),
    { numRuns: rounds(40, PROPERTY_RUNS / 2) },
  );
});

it('the attempts of a busy time are read in few chunks: what may still come out of order costs something for each', async () => {
  await withDatabase(async (connection) => {
    const model = createModel(connection);
    for (let row = 0; row < 90; row += 1) {
      await model.apply({
        kind: 'record',
        records: [{ agoMs: 0, account: 'acc_a', mode: 'live', cap: null }],
      });
      await model.apply({ kind: 'clock', byMs: 500 });
    }
    const { attemptsToCount: columns, liveAttempts: events } = createLiveAttempts(connection, {
      pageRows: 3,
      stepRows: 3,
    });
    for (const read of [columns, events]) {
      let [chunks, attempts] = [0, 0];
      for await (const chunk of read(START - 1)) {
        chunks += 1;
        attempts += chunk.length;
      }
      expect(attempts).toBe(90);
      // 30 pages of three rows.
      expect(chunks).toBeLessThan(10);
    }
    let [turns, isReading] = [0, true];
    const count = () => {
      turns += 1;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    for await (const chunk of events(START - 1, 'acc_a')) expect(chunk).toHaveLength(90);
    isReading = false;
    // Signups are answered between the pages, also while no chunk is complete.
    expect(turns).toBeGreaterThan(25);
  });
});

async function withDatabase(act: (connection: SqliteConnection) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-batches-'));
  const connection = openConnection(join(directory, 'gatehouse.db'));
  try {
    connection.pragma('synchronous = OFF');
    migrate(connection);
    await act(connection);
  } finally {
    connection.close();
    rmSync(directory, { recursive: true });
  }
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type RecordSpec = typeof record extends fc.Arbitrary<infer T> ? T : never;

function createModel(connection: SqliteConnection) {
  const prepare = (sql: string) => connection.prepare(sql);
  const credits = createCredits(prepare);
  const recorder = createRecorder(prepare, credits);
  const erase = createEraseRecords(prepare);
  // Each step is one turn of the event loop.
  const memory: BatchMemoryOptions = { atEndOfTurn: (act) => queueMicrotask(act) };
  const remembering = createRecordSource(connection, { memory });
  const stored = new Map<number, NumberedAssessment>();
  const erasedIds: string[] = [];
  const used = new Map<string, number>();
  let newest = 0;
  let clock = START;

  const idAt = (at: number) => createMakeId()('req', at);

  function recordAll(specs: readonly RecordSpec[]): void {
    const assessments = specs.map(({ agoMs, account, mode, cap }) => {
      const at = clock - agoMs;
      return anAssessment({ at, requestId: idAt(at), accountId: account, mode, cap });
    });
    const results = inTransaction(connection, () => {
      recorder.begin();
      const recorded = recorder.record(toBatch(assessments), () => false);
      credits.store();
      return recorded;
    });
    for (const [place, each] of assessments.entries()) {
      const before = used.get(each.accountId) ?? 0;
      const refused = each.mode === 'live' && each.cap !== null && before >= each.cap;
      const after = refused || each.mode === 'test' ? before : before + 1;
      used.set(each.accountId, after);
      expect(results[place]).toBe(refused ? -1 - after : after);
      if (refused) continue;
      newest += 1;
      stored.set(newest, { ...plain(each), seq: newest });
    }
  }

  const alive = () => [...stored.values()].sort((a, b) => a.seq - b.seq);

  return {
    async apply(each: Step): Promise<void> {
      if (each.kind === 'record') recordAll(each.records);
      if (each.kind === 'many') recordAll(Array.from({ length: each.count }, () => each.record));
      if (each.kind === 'clock') clock += each.byMs;
      if (each.kind === 'erase' && stored.size > 0) {
        const first = each.which % stored.size;
        const some = alive().slice(first, first + 1 + (each.which % 40));
        const ids = some.map(({ requestId }) => requestId);
        expect(inTransaction(connection, () => erase(ids))).toBe(ids.length);
        expect(inTransaction(connection, () => erase(ids))).toBe(0);
        for (const { seq } of some) stored.delete(seq);
        erasedIds.push(...ids);
      }
      await null;
      for (const record of alive()) expect(remembering.findById(record.requestId)).toEqual(record);
      for (const id of erasedIds) expect(remembering.findById(id)).toBeUndefined();
    },
    async check(seed: number): Promise<void> {
      const batches = createRecordSource(connection);
      const all = alive();
      expect(batches.newestSeq()).toBe(newest);
      expect(batches.readAfter(0, Number.MAX_SAFE_INTEGER)).toEqual(all);
      const [after, limit] = [seed % (newest + 1), 1 + (seed % 50)];
      const rest = all.filter(({ seq }) => seq > after);
      const some = batches.readAfter(after, limit);
      expect(some).toEqual(rest.slice(0, some.length));
      expect(batches.mapAfter(after, limit, toRunRecord)).toEqual(some.map(toRunRecord));
      if (some.length < limit) expect(some.length === rest.length || some.length > 0).toBe(true);
      const wanted = all.filter((_, place) => (place + seed) % 3 === 0);
      expect(batches.read([newest + 1, ...wanted.map(({ seq }) => seq)])).toEqual(wanted);
      for (const each of all) expect(batches.findById(each.requestId)).toEqual(each);
      for (const id of [...erasedIds, idAt(clock), idAt(START)]) expect(batches.findById(id)).toBeUndefined();
      expect(await attempts(connection, START)).toEqual(attemptsOf(all, START));
      const counted = (await attemptsToCount(connection, START)).map(keysOf);
      expect(counted.sort()).toEqual(attemptsOf(all, START).map(keysOf).sort());
      expect(spans(connection).every((span) => span <= MAX_SPAN_MS)).toBe(true);
    },
  };
}

function plain({ cap: _, claim: __, ...stored }: AssessmentRecord) {
  return stored;
}

async function attempts(connection: SqliteConnection, since: number): Promise<VelocityEvent[]> {
  const events: VelocityEvent[] = [];
  for await (const chunk of createLiveAttempts(connection, {
    pageRows: 3,
    stepRows: 3,
  }).liveAttempts(since))
    events.push(...chunk);
  return events;
}

/** In any form; those of a chunk of columns in order of time. */
async function attemptsToCount(connection: SqliteConnection, since: number): Promise<VelocityEvent[]> {
  const events: VelocityEvent[] = [];
  for await (const chunk of createLiveAttempts(connection, {
    pageRows: 3,
    stepRows: 3,
  }).attemptsToCount(since)) {
    const some = 'bytes' in chunk ? eventsOf(chunk) : chunk;
    if ('bytes' in chunk) expect(some.map(({ at }) => at)).toEqual(some.map(({ at }) => at).sort());
    events.push(...some);
  }
  return events;
}

function eventsOf({ length, accounts, account, at, marks, keys, bytes }: AttemptColumns): VelocityEvent[] {
  const key = (bound: number) => Buffer.from(bytes.subarray(keys[bound], keys[bound + 1])).toString();
  return Array.from({ length }, (_, index) => ({
    id: '',
    account: accounts[account[index] as number] as string,
    at: at[index] as number,
    network: key(8 * index) || null,
    domain: key(8 * index + 2),
    addressHash: key(8 * index + 4),
    mailbox: key(8 * index + 6),
    blocked: ((marks[index] as number) & MARKS.blocked) !== 0,
    named: ((marks[index] as number) & MARKS.named) !== 0,
  }));
}

function keysOf({ id: _, ...keys }: VelocityEvent): string {
  return JSON.stringify(Object.entries(keys).sort());
}

function attemptsOf(all: readonly NumberedAssessment[], since: number): VelocityEvent[] {
  return all
    .filter(({ at, mode }) => at > since && mode === 'live')
    .sort((a, b) => (a.requestId < b.requestId ? -1 : 1))
    .map((a) => ({
      id: a.requestId,
      account: a.accountId,
      at: a.at,
      network: a.network,
      domain: a.emailDomain,
      addressHash: a.addressHash,
      mailbox: a.mailboxHash,
      blocked: wasBlocked(a),
      named: isNamed(a),
    }));
}

/** How many milliseconds the ids of each row span. */
function spans(connection: SqliteConnection): number[] {
  const rows = connection.prepare('SELECT first_id, last_id FROM assessment_batches').all();
  const timeOf = (id: string) =>
    [...id.slice(4, 14)].reduce((at, char) => at * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(char), 0);
  return (rows as { first_id: string; last_id: string }[]).map(
    (row) => timeOf(row.last_id) - timeOf(row.first_id),
  );
}
