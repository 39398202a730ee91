/** Reads the records that a search may find, compares them with it, and adds what others say about them. */
import type { Label } from '../../contract/dashboard-assessments.ts';
import { matchesSearch } from '../history-matches.ts';
import type { HistoryRow } from '../history-row.ts';
import type { RelatedSearch } from '../history-search.ts';
import type { NumberedHead } from '../records/numbered-assessment.ts';
import type { RecordSource } from '../records/record-source.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { encodeText } from '../text.ts';

export interface HistoryRows {
  /** Those of the numbers that are stored, belong to the account and are found by the search; in the order of the numbers. */
  read(accountId: string, search: RelatedSearch, seqs: readonly number[]): Promise<readonly HistoryRow[]>;
}

const READ_LABELS = `SELECT request_id AS id, outcome AS value FROM feedback
  WHERE request_id IN (SELECT value FROM json_each($1))`;
const READ_NAMES = `SELECT id, name AS value FROM hooks WHERE id IN (SELECT value FROM json_each($1))
  UNION ALL SELECT id, name AS value FROM keys WHERE id IN (SELECT value FROM json_each($1))`;

export function createHistoryRows(
  query: SqlDatabase['query'],
  source: Pick<RecordSource, 'read'>,
): HistoryRows {
  async function lookUp<Value>(statement: string, ids: readonly string[]): Promise<Map<string, Value>> {
    if (ids.length === 0) return new Map();
    const found = await query<{ id: string; value: Value }>(statement, [JSON.stringify(ids)]);
    return new Map(found.map(({ id, value }) => [id, value]));
  }

  return {
    async read(accountId, search, seqs) {
      const heads = new Map(source.read(seqs).map((head) => [head.seq, head]));
      const own = seqs.flatMap((seq) => heads.get(seq) ?? []).filter((head) => head.accountId === accountId);
      const labels = await lookUp<Label>(
        READ_LABELS,
        own.map(({ requestId }) => requestId),
      );
      const labelOf = ({ requestId }: NumberedHead) => labels.get(requestId) ?? null;
      const found = own.filter((head) => matchesSearch(head, labelOf(head), search));
      const names = await lookUp<string>(READ_NAMES, [...new Set(found.map(({ keyId }) => keyId))]);
      return found.map((head) => toRow(head, labelOf(head), names.get(head.keyId) ?? ''));
    },
  };
}

function toRow(head: NumberedHead, outcome: Label | null, keyName: string): HistoryRow {
  return {
    request_id: head.requestId,
    seq: head.seq,
    at: head.at,
    mode: head.mode,
    shadow: head.shadow,
    verdict: head.verdict,
    score: head.score,
    reasons: head.reasons.join(' '),
    email_domain: head.emailDomain,
    mailbox_hash: head.mailboxHash,
    address_hash: head.addressHash,
    shown: head.email ?? head.emailMasked,
    ip: head.ip,
    network: head.network,
    country_code: head.countryCode,
    asn: head.asn,
    key_id: head.keyId,
    key_name: keyName,
    session_id: head.sessionId === null ? null : encodeText(head.sessionId),
    outcome,
  };
}
