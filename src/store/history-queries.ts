/** Answers each question about stored assessments with a few bounded statements. */
import { createChallengeCounts, createFindChallengeState } from './history-challenges.ts';
import { type CountPage, countFound } from './history-groups.ts';
import { createFindFeedback, createLabelCounts, createReportedMistakes } from './history-labels.ts';
import type { HistoryMarks } from './history-marks.ts';
import {
  type ChooseSource,
  createSearch,
  type FoundAssessment,
  type RelatedSearch,
  requestIdsOf,
  type SearchHistory,
} from './history-search.ts';
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
import type { StoredAssessment } from './stored-assessment.ts';

/** The part of the history that each database provides. */
export interface HistoryDatabase {
  readonly query: SqlDatabase['query'];
  /** Reads those that are still stored, in no order. */
  readonly readStored: (found: readonly FoundAssessment[]) => Promise<readonly StoredAssessment[]>;
  readonly chooseSource: ChooseSource;
  readonly countPage: CountPage;
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
  readonly countPage: CountPage;
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
      const { found, next, partial } = await search(accountId, criteria, after, limit);
      return { rows: found.map(({ entry }) => entry), next, partial };
    },
    findAssessment: createFindAssessment(database, search),
    related: createRelated(search),
    countPage: createCountById(database.countPage, search),
    async replayablePage(accountId, { since: from, ...criteria }, after, limit) {
      const { found, next } = await search(accountId, { ...criteria, from }, after, limit);
      return { assessments: found.length === 0 ? [] : await withStored(database, found), next };
    },
    async candidatePage(accountId, criteria, after, limit) {
      const { found, next, rowsRead } = await search(accountId, criteria, after, limit, limit);
      const candidates = found.map(({ entry: row, addressHash, mailboxHash }) => ({
        row,
        addressHash,
        mailboxHash,
      }));
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

/** Assessments that are named by their ids are looked up, not searched. */
function createCountById(countPage: CountPage, search: SearchHistory): CountPage {
  return async (accountId, criteria, by, after, maxRows) => {
    if (requestIdsOf(criteria).length === 0) return countPage(accountId, criteria, by, after, maxRows);
    const { found, next, rowsRead } = await search(accountId, criteria, after, maxRows);
    return { counts: countFound(found, by), rowsRead, next };
  };
}

function createFindAssessment(
  database: HistoryDatabase,
  search: SearchHistory,
): HistoryQueries['findAssessment'] {
  const findFeedback = createFindFeedback(database);
  const findChallenge = createFindChallengeState(database);
  return async (accountId, requestId): Promise<WholeAssessment | undefined> => {
    const [found] = (await search(accountId, { requestId }, null, 1)).found;
    if (found === undefined) return undefined;
    const [[stored], feedback, challenge] = await Promise.all([
      database.readStored([found]),
      findFeedback(requestId),
      findChallenge(requestId),
    ]);
    // Its month may be dropped between the two statements.
    if (stored === undefined) return undefined;
    return { row: found.entry, stored, feedback, challenge };
  };
}

/** Related signups have the same mode: sandbox attempts say nothing about live signups. */
function createRelated(search: SearchHistory): HistoryQueries['related'] {
  return async (accountId, requestId) => {
    const [self] = (await search(accountId, { requestId }, null, 1)).found;
    if (self === undefined) return undefined;
    const groups = await Promise.all(
      relationsOf(self).map(async ({ relation, shared, search: criteria }) => {
        const inMode = { ...criteria, mode: self.entry.mode };
        const { found, next } = await search(accountId, inMode, null, MAX_RELATED + 1);
        const others = found.map(({ entry }) => entry).filter((entry) => entry.requestId !== requestId);
        const more = next !== null || others.length > MAX_RELATED;
        return { relation, shared, rows: others.slice(0, MAX_RELATED), more };
      }),
    );
    return groups.filter(({ rows }) => rows.length > 0);
  };
}

interface Relation extends Pick<RelatedSignups, 'relation' | 'shared'> {
  readonly search: RelatedSearch;
}

function relationsOf({ entry, network, mailboxHash: mailbox }: FoundAssessment): Relation[] {
  const { email, emailDomain: domain, sessionId } = entry;
  const relations: Relation[] = [];
  if (network !== null) relations.push({ relation: 'ip', shared: network, search: { network } });
  relations.push({ relation: 'mailbox', shared: email, search: { mailbox } });
  relations.push({ relation: 'domain', shared: domain, search: { domain } });
  if (sessionId !== null) relations.push({ relation: 'session', shared: sessionId, search: { sessionId } });
  return relations;
}

/** A month may be dropped between the two statements: then fewer than were found. */
async function withStored(
  { readStored }: HistoryDatabase,
  found: readonly FoundAssessment[],
): Promise<ReplayableAssessment[]> {
  const byId = new Map((await readStored(found)).map((stored) => [stored.requestId, stored]));
  return found.flatMap(({ entry }) => {
    const stored = byId.get(entry.requestId);
    return stored === undefined ? [] : [{ row: entry, stored }];
  });
}
