/** Reads assessments as the log shows them. */
import type { Label } from '../../contract/dashboard-labels.ts';
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { LoggedAssessment } from '../history-store.ts';
import { decodeText } from '../text.ts';
import { OUTCOME } from './history-conditions.ts';

export interface PostgresHistoryRow {
  readonly request_id: string;
  readonly seq: number;
  readonly at: number;
  readonly mode: LoggedAssessment['mode'];
  readonly verdict: Verdict;
  readonly score: number;
  readonly reasons: string;
  readonly email_domain: string;
  readonly mailbox_hash: string;
  readonly address_hash: string;
  readonly shown: string;
  readonly ip: string | null;
  readonly network: string | null;
  readonly country_code: string;
  readonly asn: number;
  readonly key_id: string;
  readonly key_name: string;
  readonly session_id: string | null;
  readonly outcome: Label | null;
}

/** Rows of a table of a source's assessments, with what belongs to them. */
export function selectShown(table: string): string {
  return `SELECT a.*, ${OUTCOME} AS outcome,
    coalesce((SELECT k.name FROM keys AS k WHERE k.id = a.key_id), '') AS key_name FROM ${table} AS a`;
}

export function toLogged(row: PostgresHistoryRow): LoggedAssessment {
  return {
    requestId: row.request_id,
    at: row.at,
    mode: row.mode,
    verdict: row.verdict,
    score: row.score,
    reasons: row.reasons === '' ? [] : (row.reasons.split(' ') as ReasonCode[]),
    email: row.shown,
    emailDomain: row.email_domain,
    ip: row.ip,
    countryCode: row.country_code,
    asn: row.asn,
    keyId: row.key_id,
    keyName: row.key_name,
    sessionId: row.session_id === null ? null : decodeText(row.session_id),
    feedback: row.outcome,
  };
}
