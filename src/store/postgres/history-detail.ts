/** Reads one assessment with all that was stored of it, and those that share something with it. */
import { type FeedbackRecord, toStoredFeedback } from '../history-feedback.ts';
import type { HistorySearch } from '../history-search.ts';
import type { RelatedSignups, WholeAssessment } from '../history-store.ts';
import type { Query } from './database.ts';
import { type PostgresHistoryRow, toLogged } from './history-rows.ts';
import type { PostgresSearchLog } from './history-search.ts';

const MAX_RELATED = 10;
const READ_DOCUMENT = 'SELECT body, evidence FROM assessment_documents WHERE request_id = $1';
const READ_MARK = `SELECT f.outcome, f.note, f.at AS marked_at,
    coalesce((SELECT k.name FROM keys AS k WHERE k.id = f.key_id), f.key_id) AS given_by
  FROM feedback AS f WHERE f.request_id = $1`;

export function createReadDetail(query: Query, search: PostgresSearchLog) {
  return async (accountId: string, requestId: string): Promise<WholeAssessment | undefined> => {
    const [row] = (await search(accountId, { requestId }, null, 1)).rows;
    if (row === undefined) return undefined;
    const [[document], [mark]] = await Promise.all([
      query<{ body: string; evidence: string }>(READ_DOCUMENT, [row.request_id]),
      query<FeedbackRecord>(READ_MARK, [row.request_id]),
    ]);
    // Its month may be dropped between two looks.
    if (document === undefined) return undefined;
    const { body, evidence } = document;
    return {
      row: toLogged(row),
      body,
      evidence,
      feedback: mark === undefined ? null : toStoredFeedback(mark),
    };
  };
}

/** RelatedSignups are of the same mode: what is tried out in the sandbox says nothing of live signups. */
export function createReadRelated(search: PostgresSearchLog) {
  return async (accountId: string, requestId: string): Promise<RelatedSignups[] | undefined> => {
    const [self] = (await search(accountId, { requestId }, null, 1)).rows;
    if (self === undefined) return undefined;
    const groups = await Promise.all(
      relationsOf(self).map(async ({ relation, shared, search: asked }) => {
        const { rows, next } = await search(accountId, { ...asked, mode: self.mode }, null, MAX_RELATED + 1);
        const others = rows.filter(({ request_id: id }) => id !== self.request_id);
        const more = next !== null || others.length > MAX_RELATED;
        return { relation, shared, rows: others.slice(0, MAX_RELATED).map(toLogged), more };
      }),
    );
    return groups.filter(({ rows }) => rows.length > 0);
  };
}

interface Relation extends Pick<RelatedSignups, 'relation' | 'shared'> {
  readonly search: HistorySearch;
}

function relationsOf(row: PostgresHistoryRow): Relation[] {
  const { network, mailbox_hash: mailbox } = row;
  const { email, emailDomain: domain, sessionId } = toLogged(row);
  const relations: Relation[] = [];
  if (network !== null) relations.push({ relation: 'ip', shared: network, search: { network } });
  relations.push({ relation: 'mailbox', shared: email, search: { mailbox } });
  relations.push({ relation: 'domain', shared: domain, search: { domain } });
  if (sessionId !== null) relations.push({ relation: 'session', shared: sessionId, search: { sessionId } });
  return relations;
}
