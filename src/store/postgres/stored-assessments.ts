/** Reads stored assessments in PostgreSQL, by their ids. */
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { decodeText } from '../text.ts';
import type { Database } from './database.ts';

export interface StoredRow {
  readonly request_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly mode: KeyMode;
  readonly shadow: boolean;
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
  readonly processed_ms: number;
  readonly weights: readonly number[];
  readonly facts: string;
}

export const STORED_COLUMNS = `request_id, account_id, key_id, mode, shadow, at, verdict, score, reasons, email_domain,
  address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id, processed_ms, weights, facts`;
const READ = {
  name: 'gatehouse_stored',
  // A look-up for each id: so it reads only the partition of its month.
  text: `SELECT found.* FROM unnest($1::text[]) AS wanted (id), LATERAL (
      SELECT ${STORED_COLUMNS} FROM assessments WHERE request_id = wanted.id OFFSET 0
    ) AS found`,
};

/** Reads the assessments that are still stored, in no order. */
export function createReadStored({ query }: Pick<Database, 'query'>) {
  return async (requestIds: readonly string[]): Promise<StoredAssessment[]> =>
    (await query<StoredRow>(READ, [requestIds])).map(toStored);
}

export function toStored(row: StoredRow): StoredAssessment {
  return {
    requestId: row.request_id,
    accountId: row.account_id,
    keyId: row.key_id,
    mode: row.mode,
    shadow: row.shadow,
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
    processedMs: row.processed_ms,
    weights: row.weights,
    facts: row.facts,
  };
}
