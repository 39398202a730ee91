/** A stored assessment as the history of both databases reads it, in the types that they have. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { HistoryEntry } from './history-store.ts';
import type { StoredAssessment } from './stored-assessment.ts';
import { decodeText } from './text.ts';

export interface HistoryRow {
  readonly request_id: string;
  readonly seq: number;
  readonly at: number;
  readonly mode: HistoryEntry['mode'];
  /** SQLite has no type for it. */
  readonly shadow: boolean | number;
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

/** Reads those that are still stored, in no order. */
export type ReadStored = (
  rows: readonly Pick<HistoryRow, 'request_id' | 'seq'>[],
) => Promise<readonly StoredAssessment[]>;

export function toHistoryEntry(row: HistoryRow): HistoryEntry {
  return {
    requestId: row.request_id,
    at: row.at,
    mode: row.mode,
    shadow: Boolean(row.shadow),
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
