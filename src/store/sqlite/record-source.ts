/** Where the history reads stored assessments from: in order of commit, by number, or by id. */
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { AssessmentHead } from '../store.ts';
import { decodeText } from '../text.ts';
import type { SqliteConnection } from './connection.ts';
import { ROLLUP_TEXTS, weightsOf } from './history-rollup.ts';
import { NEWEST_UNDONE } from './jobs.ts';

/** What an assessment is found, counted and listed by. `seq` is its number: unique, in order of commit, nearly without gaps. */
export interface NumberedHead extends AssessmentHead {
  readonly seq: number;
}

export interface RecordSource {
  /** No number up to this is given to another record any more; 0: there are none. */
  newestSeq(): number;
  /** Records with a higher number, oldest first, about `limit`. */
  readAfter(seq: number, limit: number): readonly NumberedHead[];
  /** Those that are still stored, in any order. */
  read(seqs: readonly number[]): readonly NumberedHead[];
  findById(requestId: string): NumberedHead | undefined;
}

interface Row {
  readonly seq: number;
  readonly request_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly mode: KeyMode;
  readonly shadow: number;
  readonly at: number;
  readonly verdict: Verdict;
  readonly score: number;
  readonly reasons: string;
  readonly email_domain: string;
  readonly address_hash: string;
  readonly mailbox_hash: string;
  readonly email_masked: string;
  readonly email: string | null;
  readonly ip: string | null;
  readonly network: string | null;
  readonly country_code: string;
  readonly asn: number;
  readonly session_id: string | null;
  readonly findings: string;
  readonly processed: string;
}

const DOCUMENTS = 'CROSS JOIN assessment_documents AS d ON d.seq = a.seq';
const READ = `SELECT a.*, ${ROLLUP_TEXTS} FROM assessments AS a ${DOCUMENTS}`;
const READ_SEVERAL = `SELECT a.*, ${ROLLUP_TEXTS} FROM json_each(?) AS place
  CROSS JOIN assessments AS a ON a.seq = place.value ${DOCUMENTS}`;
const NEWEST = `SELECT max((SELECT coalesce(max(seq), 0) FROM assessments),
  coalesce((SELECT value FROM installation WHERE name = '${NEWEST_UNDONE}'), 0)) AS seq`;

export function createRecordSource(connection: SqliteConnection): RecordSource {
  const readNewest = connection.prepare(NEWEST);
  const readAfter = connection.prepare(`${READ} WHERE a.seq > ? ORDER BY a.seq LIMIT ?`);
  const read = connection.prepare(READ_SEVERAL);
  const find = connection.prepare(`${READ} WHERE a.request_id = ?`);
  return {
    newestSeq: () => (readNewest.get() as { seq: number }).seq,
    readAfter: (seq, limit) => (readAfter.all(seq, limit) as Row[]).map(toHead),
    read: (seqs) => (read.all(JSON.stringify(seqs)) as Row[]).map(toHead),
    findById(requestId) {
      const row = find.get(requestId) as Row | undefined;
      return row === undefined ? undefined : toHead(row);
    },
  };
}

function toHead(row: Row): NumberedHead {
  const processedMs = Number.parseInt(row.processed, 10);
  return {
    seq: row.seq,
    requestId: row.request_id,
    accountId: row.account_id,
    keyId: row.key_id,
    mode: row.mode,
    shadow: row.shadow !== 0,
    at: row.at,
    verdict: row.verdict,
    score: row.score,
    reasons: row.reasons === '' ? [] : (row.reasons.split(' ') as ReasonCode[]),
    weights: weightsOf(row),
    emailDomain: row.email_domain,
    addressHash: row.address_hash,
    mailboxHash: row.mailbox_hash,
    emailMasked: row.email_masked,
    email: row.email,
    ip: row.ip,
    network: row.network,
    countryCode: row.country_code,
    asn: row.asn,
    sessionId: row.session_id === null ? null : decodeText(row.session_id),
    processedMs,
  };
}
