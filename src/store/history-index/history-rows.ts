/** Reads the records that a search may find, compares them with it, and adds what others say about them. */
import type { Label } from '../../contract/dashboard-assessments.ts';
import { matchesSearch } from '../history-matches.ts';
import type { FoundAssessment, RelatedSearch } from '../history-search.ts';
import type { RecordSource } from '../records/record-source.ts';
import type { SqlDatabase } from '../sql-database.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';

export interface HistoryRows {
  /** Assessments with these numbers that are stored, belong to the account and are found by the search; in the order of the numbers. */
  read(
    accountId: string,
    search: RelatedSearch,
    seqs: readonly number[],
  ): Promise<readonly FoundAssessment[]>;
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
      const labelOf = ({ requestId }: NumberedAssessment) => labels.get(requestId) ?? null;
      const found = own.filter((head) => matchesSearch(head, labelOf(head), search));
      const names = await lookUp<string>(READ_NAMES, [...new Set(found.map(({ keyId }) => keyId))]);
      return found.map((head) => toFound(head, labelOf(head), names.get(head.keyId) ?? ''));
    },
  };
}

function toFound(head: NumberedAssessment, feedback: Label | null, keyName: string): FoundAssessment {
  const { seq, network, mailboxHash, addressHash } = head;
  const entry = {
    requestId: head.requestId,
    at: head.at,
    mode: head.mode,
    shadow: head.shadow,
    verdict: head.verdict,
    score: head.score,
    reasons: head.reasons,
    email: head.email ?? head.emailMasked,
    emailDomain: head.emailDomain,
    ip: head.ip,
    countryCode: head.countryCode,
    asn: head.asn,
    keyId: head.keyId,
    keyName,
    sessionId: head.sessionId,
    feedback,
    facts: head.facts,
  };
  return { entry, seq, network, mailboxHash, addressHash };
}
