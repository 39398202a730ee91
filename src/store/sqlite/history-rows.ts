/** Reads assessments at their places in the log, as the log shows them. */
import type { Label } from '../../contract/dashboard-labels.ts';
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { LoggedAssessment } from '../history-store.ts';
import { decodeText } from '../text.ts';
import type { SqliteConnection } from './connection.ts';
import type { Conditions } from './history-conditions.ts';
import type { SqliteValue } from './jobs.ts';

export interface SqliteHistoryRow extends Record<string, SqliteValue> {
  readonly seq: number;
  readonly at: number;
  readonly ip: string | null;
  readonly network: string | null;
  readonly mailbox_hash: string;
  readonly address_hash: string;
}

/** Those of the places where the conditions hold, newest first. */
export type ReadRows = (seqs: readonly number[], conditions: Conditions) => readonly SqliteHistoryRow[];

interface Prepared {
  all(...values: SqliteValue[]): unknown;
}
/** Searches differ in few ways; what was prepared for the oldest of them is forgotten. */
const MAX_PREPARED = 100;

export function createReadRows(log: SqliteConnection): ReadRows {
  const prepared = new Map<string, Prepared>();
  return (seqs, { sql, values }) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = log.prepare(selectRows(sql)) as Prepared;
      if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value as string);
      prepared.set(sql, statement);
    }
    return statement.all(JSON.stringify(seqs), ...values) as SqliteHistoryRow[];
  };
}

function selectRows(conditions: string): string {
  return `SELECT a.seq, a.request_id, a.at, a.mode, a.verdict, a.score, a.reasons, a.email_domain, a.mailbox_hash, a.address_hash,
      coalesce(a.email, a.email_masked) AS shown, a.ip, a.network, a.country_code, a.asn, a.key_id, a.session_id,
      coalesce(k.name, '') AS key_name, f.outcome
    FROM json_each(?) AS place CROSS JOIN assessments AS a ON a.seq = place.value
      LEFT JOIN feedback AS f ON f.request_id = a.request_id LEFT JOIN keys AS k ON k.id = a.key_id
    WHERE ${conditions} ORDER BY a.at DESC, a.seq DESC`;
}

export function toLogged(row: SqliteHistoryRow): LoggedAssessment {
  const reasons = row.reasons as string;
  return {
    requestId: row.request_id as string,
    at: row.at,
    mode: row.mode as LoggedAssessment['mode'],
    verdict: row.verdict as Verdict,
    score: row.score as number,
    reasons: reasons === '' ? [] : (reasons.split(' ') as ReasonCode[]),
    email: row.shown as string,
    emailDomain: row.email_domain as string,
    ip: row.ip,
    countryCode: row.country_code as string,
    asn: row.asn as number,
    keyId: row.key_id as string,
    keyName: row.key_name as string,
    sessionId: row.session_id === null ? null : decodeText(row.session_id as string),
    feedback: row.outcome as Label | null,
  };
}
