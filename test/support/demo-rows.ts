/** Reads the demo's stored assessments directly from the database, to check the counts of pages. */
import { join } from 'node:path';
import { parseDecisionRecord } from '../../src/assess/decision-record.ts';
import type { Verdict } from '../../src/contract/messages.ts';
import type { Evidence } from '../../src/model/evidence.ts';
import { openSqlite } from '../../src/sqlite-driver.ts';
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

const SQL = `SELECT request_id AS requestId, at, mode, verdict, score, email_domain AS domain, key_id AS keyId, evidence
  FROM assessments JOIN assessment_documents USING (seq) WHERE account_id = ?`;

/** All assessments of an account, in no order. */
export function readRows({ environment }: Installation, accountId: string): StoredRow[] {
  const database = openSqlite(join(environment.GATEHOUSE_DATA_DIR as string, 'gatehouse.db'), {
    readOnly: true,
  });
  try {
    return (
      database.prepare(SQL).all(accountId) as (Omit<StoredRow, 'evidence'> & { evidence: string })[]
    ).map((row) => ({ ...row, evidence: parseDecisionRecord(row.evidence).evidence }));
  } finally {
    database.close();
  }
}
