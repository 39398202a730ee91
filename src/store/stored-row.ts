/** Decides how a row of both tables of assessments becomes a stored assessment. */
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { AssessmentHead, AssessmentTexts, StoredAssessment } from './stored-assessment.ts';
import { decodeText } from './text.ts';

export interface StoredRow {
  readonly request_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly mode: KeyMode;
  /** SQLite has no type for it. */
  readonly shadow: boolean | number;
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
  /** Empty where only facts are stored. */
  readonly body: string;
  /** Of older versions; or the facts. */
  readonly evidence: string;
}

/** The columns of a `StoredRow`: `a` is the assessment, `d` its texts. */
export const STORED_COLUMNS = `a.request_id, a.account_id, a.key_id, a.mode, a.shadow, a.at, a.verdict, a.score, a.reasons, a.email_domain,
  a.address_hash, a.mailbox_hash, a.email_masked, a.email, a.ip, a.network, a.country_code, a.asn, a.session_id, d.body, d.evidence`;

export function toStored(
  row: StoredRow,
  { processedMs, weights }: Pick<AssessmentHead, 'processedMs' | 'weights'>,
  texts: AssessmentTexts = textsOf(row),
): StoredAssessment {
  return {
    requestId: row.request_id,
    accountId: row.account_id,
    keyId: row.key_id,
    mode: row.mode,
    shadow: Boolean(row.shadow),
    at: row.at,
    verdict: row.verdict,
    score: row.score,
    reasons: row.reasons === '' ? [] : (row.reasons.split(' ') as ReasonCode[]),
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
    weights,
    ...texts,
  };
}

function textsOf({ body, evidence }: StoredRow): AssessmentTexts {
  return body === '' ? { facts: evidence } : { body, evidence };
}
