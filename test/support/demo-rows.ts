/** Reads the demo's stored assessments directly from the database, to check the counts of pages. */
import { join } from 'node:path';
import { evidenceOf } from '../../src/assess/rebuild.ts';
import type { Verdict } from '../../src/contract/messages.ts';
import type { Evidence } from '../../src/model/evidence.ts';
import { openSqlite } from '../../src/sqlite-driver.ts';
import { factsOf } from '../../src/store/sqlite/stored-assessments.ts';
import { STORED_COLUMNS, type StoredRow as TableRow, toStored } from '../../src/store/stored-row.ts';
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

const SQL = `SELECT ${STORED_COLUMNS} FROM assessments AS a JOIN assessment_documents AS d USING (seq) WHERE account_id = ?`;
const NOT_READ = { processedMs: 0, weights: [] };

/** All assessments of an account, in no order. */
export function readRows({ environment }: Installation, accountId: string): StoredRow[] {
  const database = openSqlite(join(environment.GATEHOUSE_DATA_DIR as string, 'gatehouse.db'), {
    readOnly: true,
  });
  try {
    return (database.prepare(SQL).all(accountId) as TableRow[]).map((row) => {
      const stored = toStored({ ...row, evidence: factsOf(row) }, NOT_READ);
      const { requestId, at, mode, verdict, score, emailDomain: domain, keyId } = stored;
      return { requestId, at, mode, verdict, score, domain, keyId, evidence: evidenceOf(stored) };
    });
  } finally {
    database.close();
  }
}
