/** Reads the demo's stored assessments directly from the database, to check the counts of pages. */
import { join } from 'node:path';
import type { Verdict } from '../../src/contract/messages.ts';
import type { Evidence } from '../../src/model/evidence.ts';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { evidenceOf } from '../../src/signup/rebuild-answer.ts';
import { createRecordSource } from '../../src/store/records/record-source.ts';
import type { Installation } from './service.ts';

export interface StoredRow {
  readonly requestId: string;
  readonly at: number;
  readonly mode: 'live' | 'test';
  readonly verdict: Verdict;
  readonly score: number;
  readonly domain: string;
  readonly keyId: string;
  readonly evidence: Evidence;
}

/** All assessments of an account, in no order. */
export function readRows({ environment }: Installation, accountId: string): StoredRow[] {
  const database = openSqlite(join(environment.GATEHOUSE_DATA_DIR as string, 'gatehouse.db'), {
    readOnly: true,
  });
  try {
    const records = createRecordSource(database).readAfter(0, Number.MAX_SAFE_INTEGER);
    return records
      .filter((record) => record.accountId === accountId)
      .map((record) => {
        const { requestId, at, mode, verdict, score, emailDomain: domain, keyId } = record;
        return { requestId, at, mode, verdict, score, domain, keyId, evidence: evidenceOf(record) };
      });
  } finally {
    database.close();
  }
}
