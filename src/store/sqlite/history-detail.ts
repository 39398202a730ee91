/** Reads one assessment with all that was stored of it, and those that share something with it. */
import { type FeedbackRecord, toStoredFeedback } from '../history-feedback.ts';
import type { HistorySearch } from '../history-search.ts';
import type { RelatedSignups, WholeAssessment } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';
import { type SqliteHistoryRow, toLogged } from './history-rows.ts';
import type { SqliteSearchLog } from './history-search.ts';

const MAX_RELATED = 10;

export function createReadDetail(log: SqliteConnection, search: SqliteSearchLog) {
  const readDocument = log.prepare('SELECT body, evidence FROM assessment_documents WHERE seq = ?');
  const readMark = log.prepare(`${SELECT_MARK} WHERE f.request_id = ?`);
  return (accountId: string, requestId: string): WholeAssessment | undefined => {
    const [row] = search(accountId, { requestId }, null, 1).rows;
    if (row === undefined) return undefined;
    const { body, evidence } = readDocument.get(row.seq) as { body: string; evidence: string };
    const mark = readMark.get(row.request_id) as FeedbackRecord | undefined;
    return {
      row: toLogged(row),
      body,
      evidence,
      feedback: mark === undefined ? null : toStoredFeedback(mark),
    };
  };
}

const SELECT_MARK = `SELECT f.outcome, f.note, f.at AS marked_at, coalesce(k.name, f.key_id) AS given_by
  FROM feedback AS f LEFT JOIN keys AS k ON k.id = f.key_id`;

/** RelatedSignups are of the same mode: what is tried out in the sandbox says nothing of live signups. */
export function createReadRelated(search: SqliteSearchLog) {
  return (accountId: string, requestId: string): RelatedSignups[] | undefined => {
    const [self] = search(accountId, { requestId }, null, 1).rows;
    if (self === undefined) return undefined;
    const { mode } = toLogged(self);
    return relationsOf(self).flatMap(({ relation, shared, search: asked }) => {
      const { rows, next } = search(accountId, { ...asked, mode }, null, MAX_RELATED + 1);
      const others = rows.filter(({ seq }) => seq !== self.seq);
      if (others.length === 0) return [];
      const more = next !== null || others.length > MAX_RELATED;
      return [{ relation, shared, rows: others.slice(0, MAX_RELATED).map(toLogged), more }];
    });
  };
}

interface Relation extends Pick<RelatedSignups, 'relation' | 'shared'> {
  readonly search: HistorySearch;
}

function relationsOf(row: SqliteHistoryRow): Relation[] {
  const { network, mailbox_hash: mailbox } = row;
  const { email, emailDomain: domain, sessionId } = toLogged(row);
  const relations: Relation[] = [];
  if (network !== null) relations.push({ relation: 'ip', shared: network, search: { network } });
  relations.push({ relation: 'mailbox', shared: email, search: { mailbox } });
  relations.push({ relation: 'domain', shared: domain, search: { domain } });
  if (sessionId !== null) relations.push({ relation: 'session', shared: sessionId, search: { sessionId } });
  return relations;
}
