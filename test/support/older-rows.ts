/** Stores assessments as versions without batches did: a row in each of two tables, with the texts of the answer. */
import type { SqliteConnection } from '../../src/sqlite-driver.ts';
import type { NumberedAssessment } from '../../src/store/sqlite/record-source.ts';
import { encodeText } from '../../src/store/text.ts';

const ROW = `INSERT INTO assessments (seq, request_id, account_id, key_id, mode, at, verdict, score, reasons, email_domain,
    address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id, shadow)
  VALUES (?${', ?'.repeat(19)})`;
const DOCUMENT = 'INSERT INTO assessment_documents (seq, body, evidence) VALUES (?, ?, ?)';

/** @returns the assessment as it should be read: with those texts instead of its facts */
export function insertOlder(connection: SqliteConnection, a: NumberedAssessment): NumberedAssessment {
  const { facts: _, ...head } = a as NumberedAssessment & { facts?: string };
  const body = JSON.stringify({
    request_id: a.requestId,
    filler: 'x'.repeat(600),
    processed_ms: a.processedMs,
  });
  const findings = a.reasons.map((code, at) => ({ code, weight: a.weights[at] }));
  const evidence = JSON.stringify({ policy: '1', findings, evidence: { snapshot: 'old' } });
  const session = a.sessionId === null ? null : encodeText(a.sessionId);
  connection
    .prepare(ROW)
    .run(
      a.seq,
      a.requestId,
      a.accountId,
      a.keyId,
      a.mode,
      a.at,
      a.verdict,
      a.score,
      a.reasons.join(' '),
      a.emailDomain,
      a.addressHash,
      a.mailboxHash,
      a.emailMasked,
      a.email,
      a.ip,
      a.network,
      a.countryCode,
      a.asn,
      session,
      Number(a.shadow),
    );
  connection.prepare(DOCUMENT).run(a.seq, body, evidence);
  return { ...head, body, evidence };
}
