/** Answers each question about stored assessments with a few bounded statements. */
import { createChallengeCounts, createFindChallengeState } from './history-challenges.ts';
import { createFindFeedback, createLabelCounts, createReportedMistakes } from './history-labels.ts';
import type { HistoryMarks } from './history-marks.ts';
import { type HistoryRow, type ReadStored, toHistoryEntry } from './history-row.ts';
import { type ChooseSource, createSearch, type RelatedSearch, type SearchHistory } from './history-search.ts';
import { createShadowCounts } from './history-shadow.ts';
import type {
  HistoryPosition,
  HistoryStore,
  ListCandidate,
  RelatedSignups,
  ReplayableAssessment,
  ReplaySearch,
  WholeAssessment,
} from './history-store.ts';
import { createDayCounts, createTraffic, type HistoryRollups } from './history-traffic.ts';
import type { SqlDatabase } from './sql-database.ts';

/** The part of the history that each database provides. */
export interface HistoryDatabase {
  readonly query: SqlDatabase['query'];
  readonly readStored: ReadStored;
  readonly chooseSource: ChooseSource;
  readonly rollups: HistoryRollups;
  readonly marks: HistoryMarks;
}

/** Each reads a bounded number of rows; those without a comment are as in `HistoryStore`. */
export interface HistoryQueries
  extends Pick<
    HistoryStore,
    | 'findAssessments'
    | 'findAssessment'
    | 'related'
    | 'reportedMistakes'
    | 'labelCounts'
    | 'traffic'
    | 'shadowCounts'
    | 'challengeCounts'
    | 'dayCounts'
  > {
  replayablePage(
    accountId: string,
    search: ReplaySearch,
    after: HistoryPosition | null,
    limit: number,
  ): Promise<ReplayablePage>;
  /** Reads about `limit` assessments. */
  candidatePage(
    accountId: string,
    search: RelatedSearch,
    after: HistoryPosition | null,
    limit: number,
  ): Promise<CandidatePage>;
}

export interface ReplayablePage {
  readonly assessments: readonly ReplayableAssessment[];
  readonly next: HistoryPosition | null;
}

export interface CandidatePage {
  readonly candidates: readonly ListCandidate[];
  readonly next: HistoryPosition | null;
  readonly rowsRead: number;
}

const MAX_RELATED = 10;

export function createHistoryQueries(database: HistoryDatabase): HistoryQueries {
  const { chooseSource, rollups, marks } = database;
  const search = createSearch(chooseSource);
  return {
    async findAssessments(accountId, criteria, after, limit) {
      const { rows, next, partial } = await search(accountId, criteria, after, limit);
      return { rows: rows.map(toHistoryEntry), next, partial };
    },
    findAssessment: createFindAssessment(database, search),
    related: createRelated(search),
    async replayablePage(accountId, { since: from, ...criteria }, after, limit) {
      const { rows, next } = await search(accountId, { ...criteria, from }, after, limit);
      return { assessments: rows.length === 0 ? [] : await withStored(database, rows), next };
    },
    async candidatePage(accountId, criteria, after, limit) {
      const { rows, next, rowsRead } = await search(accountId, criteria, after, limit, limit);
      const candidates = rows.map((row) => ({ row: toHistoryEntry(row), addressHash: row.address_hash }));
      return { candidates, next, rowsRead };
    },
    reportedMistakes: createReportedMistakes(marks),
    labelCounts: createLabelCounts(marks, rollups),
    traffic: createTraffic(rollups),
    shadowCounts: createShadowCounts(marks),
    challengeCounts: createChallengeCounts(database),
    dayCounts: createDayCounts(rollups),
  };
}

function createFindAssessment(
  database: HistoryDatabase,
  search: SearchHistory,
): HistoryQueries['findAssessment'] {
  const findFeedback = createFindFeedback(database);
  const findChallenge = createFindChallengeState(database);
  return async (accountId, requestId): Promise<WholeAssessment | undefined> => {
    const [row] = (await search(accountId, { requestId }, null, 1)).rows;
    if (row === undefined) return undefined;
    const [[stored], feedback, challenge] = await Promise.all([
      database.readStored([row]),
      findFeedback(row.request_id),
      findChallenge(row.request_id),
    ]);
    // Its month may be dropped between the two statements.
    if (stored === undefined) return undefined;
    return { row: toHistoryEntry(row), stored, feedback, challenge };
  };
}

/** Related signups have the same mode: sandbox attempts say nothing about live signups. */
function createRelated(search: SearchHistory): HistoryQueries['related'] {
  return async (accountId, requestId) => {
    const [self] = (await search(accountId, { requestId }, null, 1)).rows;
    if (self === undefined) return undefined;
    const groups = await Promise.all(
      relationsOf(self).map(async ({ relation, shared, search: criteria }) => {
        const inMode = { ...criteria, mode: self.mode };
        const { rows, next } = await search(accountId, inMode, null, MAX_RELATED + 1);
        const others = rows.filter(({ request_id: id }) => id !== self.request_id);
        const more = next !== null || others.length > MAX_RELATED;
        return { relation, shared, rows: others.slice(0, MAX_RELATED).map(toHistoryEntry), more };
      }),
    );
    return groups.filter(({ rows }) => rows.length > 0);
  };
}

interface Relation extends Pick<RelatedSignups, 'relation' | 'shared'> {
  readonly search: RelatedSearch;
}

function relationsOf(row: HistoryRow): Relation[] {
  const { network, mailbox_hash: mailbox } = row;
  const { email, emailDomain: domain, sessionId } = toHistoryEntry(row);
  const relations: Relation[] = [];
  if (network !== null) relations.push({ relation: 'ip', shared: network, search: { network } });
  relations.push({ relation: 'mailbox', shared: email, search: { mailbox } });
  relations.push({ relation: 'domain', shared: domain, search: { domain } });
  if (sessionId !== null) relations.push({ relation: 'session', shared: sessionId, search: { sessionId } });
  return relations;
}

/** A month may be dropped between the two statements: then fewer than `rows`. */
async function withStored(
  { readStored }: HistoryDatabase,
  rows: readonly HistoryRow[],
): Promise<ReplayableAssessment[]> {
  const found = new Map((await readStored(rows)).map((stored) => [stored.requestId, stored]));
  return rows.flatMap((row) => {
    const stored = found.get(row.request_id);
    return stored === undefined ? [] : [{ row: toHistoryEntry(row), stored }];
  });
}
