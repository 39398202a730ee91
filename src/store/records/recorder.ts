/** Stores and erases assessments in the writer's transaction, and charges their credits, up to each account's cap. */
import type { Prepare } from '../../platform/sqlite-driver.ts';
import { SAVE_KEY } from '../idempotency.ts';
import { type JobResult, TOO_LATE, writeResult } from '../sqlite-jobs.ts';
import { toSqlite } from '../to-sqlite.ts';
import { checksumOf } from './batch-checksum.ts';
import { type BatchPart, pick, toParts } from './batch-rows.ts';
import { createEraseRecords } from './erase-records.ts';
import type { RecordBatch } from './record-batch.ts';
import { NEWEST_SEQ } from './record-source.ts';

/** Credits that an account used in a month: before the batch, and as the batch goes on. */
interface Credit {
  readonly accountId: string;
  readonly month: string;
  used: number;
  readonly before: number;
}

export type Credits = ReturnType<typeof createCredits>;

/** Credits of a batch: read once an account, and written once, apart from other jobs in between, which may change them too. */
export function createCredits(prepare: Prepare) {
  const read = prepare('SELECT used FROM credits WHERE account_id = ? AND month = ?');
  const write = prepare(
    'INSERT INTO credits (account_id, month, used) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used = excluded.used',
  );
  const credits = new Map<string, Credit>();
  return {
    creditOf(accountId: string, month: string): Credit {
      const name = `${accountId} ${month}`;
      let credit = credits.get(name);
      if (credit === undefined) {
        const row = read.get(accountId, month) as { used: number } | undefined;
        credit = { accountId, month, used: row?.used ?? 0, before: row?.used ?? 0 };
        credits.set(name, credit);
      }
      return credit;
    },
    /** Later users read them again. */
    store(): void {
      for (const { accountId, month, used, before } of credits.values()) {
        if (used !== before) write.run(accountId, month, used);
      }
      credits.clear();
    },
    /** Drops what a failed batch left, without storing it. */
    forget(): void {
      credits.clear();
    },
  };
}

export const INSERT_BATCH = `INSERT INTO assessment_batches (seq, count, first_id, last_id, ids, attempts, details, crc32)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export function batchValues(seq: number, part: BatchPart): (string | number)[] {
  const { count, firstId, lastId, ids, attempts, details } = part;
  return [seq, count, firstId, lastId, ids, attempts, details, checksumOf({ seq, ids, attempts, details })];
}

export function createRecorder(prepare: Prepare, credits: Credits) {
  const newestSeq = prepare(NEWEST_SEQ);
  const insert = prepare(INSERT_BATCH);
  const saveKey = prepare(toSqlite({ sql: SAVE_KEY, values: [] }).sql);
  let seq = -1;

  /** @returns what becomes of each record, without storing any */
  function charge({ charges, chargeOf }: RecordBatch, isLate: (place: number) => boolean): JobResult[] {
    const credit = charges.map(({ accountId, month }) => credits.creditOf(accountId, month));
    // Filled one by one: a list that `map` made has holes to V8, and is copied in a slower way.
    const results: JobResult[] = [];
    for (const [place, at] of chargeOf.entries()) {
      const [{ credits: price, cap }, account] = [charges[at], credit[at]] as [(typeof charges)[0], Credit];
      if (isLate(place)) results.push(TOO_LATE);
      else if (price === 1 && cap !== null && account.used >= cap)
        results.push(writeResult({ outcome: 'quota_exceeded', used: account.used }));
      else {
        account.used += price;
        results.push(account.used);
      }
    }
    return results;
  }

  return {
    erase: createEraseRecords(prepare),
    /** Other connections may have recorded since the last transaction. */
    begin(): void {
      seq = -1;
    },
    record(batch: RecordBatch, isLate: (place: number) => boolean): JobResult[] {
      const results = charge(batch, isLate);
      const isStored = (result: JobResult | undefined) => typeof result === 'number' && result >= 0;
      const places = [...results.keys()].filter((place) => isStored(results[place]));
      if (places.length === 0) return results;
      if (seq < 0) seq = 1 + (newestSeq.get() as { seq: number }).seq;
      for (const part of toParts(places.length === results.length ? batch : pick(batch, places))) {
        insert.run(batchValues(seq, part));
        seq += part.count;
      }
      for (const [place, values] of batch.keys) if (isStored(results[place])) saveKey.run(values);
      return results;
    },
  };
}
