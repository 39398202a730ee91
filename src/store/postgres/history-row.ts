/** A stored assessment as PostgreSQL's statements read it, and what a search makes of it. */
import type { Label } from '../../contract/dashboard-assessments.ts';
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { FoundAssessment } from '../history-search.ts';
import type { HistoryEntry } from '../history-store.ts';
import { decodeText } from '../text.ts';

export interface HistoryRow {
  readonly request_id: string;
  readonly seq: number;
  readonly at: number;
  readonly mode: HistoryEntry['mode'];
  readonly shadow: boolean;
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
  readonly facts: string;
}

export function toFound(row: HistoryRow): FoundAssessment {
  const { seq, network, mailbox_hash: mailboxHash, address_hash: addressHash } = row;
  const entry = {
    requestId: row.request_id,
    at: row.at,
    mode: row.mode,
    shadow: row.shadow,
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
    facts: row.facts,
  };
  return { entry, seq, network, mailboxHash, addressHash };
}
