/** Outcomes of signups in both databases: each once, with the label that it gives and what it says of a wave. */
import { OUTCOME_AUTHOR, SIGNUP_OUTCOMES, type SignupOutcome } from '../model/outcome.ts';
import { CHALLENGE_AUTHOR } from './challenge-store.ts';
import type { ChallengedAssessment, FindChallenged } from './challenges.ts';
import { storeKey } from './idempotency.ts';
import type { DomainOutcome, NewOutcome, OutcomeMark, OutcomeStore } from './outcome-store.ts';
import { firstIdAt } from './request-time.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';

const COLUMNS = 'request_id, outcome, account_id, mode, at, key_id, assessed_at, email_domain, campaign_id';
/** Rows of a statement: databases limit the values of one. */
const ROWS_A_STATEMENT = 200;
/** Statement that leaves what another author said; a ban is stronger than money. */
const saveLabel = (replaced: string) => `INSERT INTO feedback
    (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
    VALUES ($1, $2, NULL, '${OUTCOME_AUTHOR}', $3, $4, $5, $6)
  ON CONFLICT (request_id) DO UPDATE SET outcome = excluded.outcome, note = NULL, key_id = excluded.key_id,
    at = excluded.at WHERE feedback.key_id IN (${replaced}) AND feedback.outcome <> excluded.outcome`;
const SAVE_MONEY = saveLabel(`'${CHALLENGE_AUTHOR}'`);
const SAVE_BAN = saveLabel(`'${CHALLENGE_AUTHOR}', '${OUTCOME_AUTHOR}'`);
const countOf = (outcome: SignupOutcome) =>
  `(SELECT count(*) FROM outcomes AS o WHERE o.campaign_id = campaigns.id AND o.outcome = '${outcome}')`;
const READ = `SELECT o.outcome, o.at, coalesce((SELECT k.name FROM keys AS k WHERE k.id = o.key_id),
    (SELECT h.name FROM hooks AS h WHERE h.id = o.key_id), o.key_id) AS reporter
  FROM outcomes AS o WHERE o.request_id = $1 ORDER BY o.at, o.outcome`;
const READ_WITH = `SELECT request_id AS id FROM outcomes
  WHERE account_id = $1 AND mode = $2 AND assessed_at >= $3 AND assessed_at < $4`;
const READ_DOMAINS = `SELECT request_id AS "requestId", email_domain AS domain, outcome FROM outcomes
  WHERE account_id = $1 AND mode = 'live' AND at >= $2 AND email_domain IS NOT NULL
  ORDER BY at DESC, request_id DESC LIMIT $3`;
const COUNT = `SELECT outcome, count(*) AS count FROM outcomes
  WHERE account_id = $1 AND mode = 'live' AND assessed_at >= $2 AND assessed_at < $3 GROUP BY outcome`;
const OLD = 'SELECT request_id, outcome FROM outcomes WHERE request_id < $1 ORDER BY request_id LIMIT $2';
const DONE: SqlStatement = { sql: 'SELECT 1 AS done', values: [] };

interface OutcomeRow extends Pick<OutcomeMark, 'outcome' | 'at'> {
  readonly reporter: string;
}

interface KnownOutcome {
  readonly noted: NewOutcome;
  readonly signup: ChallengedAssessment;
}

export function createOutcomeStore(database: SqlDatabase, findSignup: FindChallenged): OutcomeStore {
  const { query, change } = database;
  return {
    async saveOutcomes(outcomes, once) {
      const known = await withSignups(outcomes, findSignup);
      const noted = known.map(({ noted }) => noted);
      const waves = wavesOf(database, noted);
      const key = once === undefined ? [] : [storeKey(once.claim, once.answer)];
      const statements = [...insertAll(noted), ...known.flatMap(saveLabelOf), ...key];
      await change([], ...waves.before, ...statements, ...waves.after, DONE);
    },
    async outcomesOf(requestId) {
      const rows = await query<OutcomeRow>(READ, [requestId]);
      return rows.map(({ outcome, at, reporter }) => ({ outcome, at, by: reporter }));
    },
    async signupsWithOutcomes(accountId, { mode, outcomes, from, to }, limit) {
      const places = outcomes.map((_, at) => `$${at + 6}`).join(', ');
      const sql = `${READ_WITH} AND outcome IN (${places}) ORDER BY assessed_at DESC, request_id DESC LIMIT $5`;
      const rows = await query<{ id: string }>(sql, [accountId, mode, from, to, limit, ...outcomes]);
      return [...new Set(rows.map(({ id }) => id))];
    },
    domainOutcomes: (accountId, since, limit) =>
      query<DomainOutcome>(READ_DOMAINS, [accountId, since, limit]),
    async countOutcomes(accountId, { from, to }) {
      const rows = await query<{ outcome: SignupOutcome; count: number }>(COUNT, [accountId, from, to]);
      const counts = new Map(rows.map(({ outcome, count }) => [outcome, count]));
      const entries = SIGNUP_OUTCOMES.map((outcome) => [outcome, counts.get(outcome) ?? 0]);
      return Object.fromEntries(entries) as Record<SignupOutcome, number>;
    },
    async pruneOutcomes(before, maxPruned) {
      if ((await query(OLD, [firstIdAt(before), 1])).length === 0) return 0;
      const sql = `DELETE FROM outcomes WHERE (request_id, outcome) IN (SELECT * FROM (${OLD}) AS old) RETURNING request_id`;
      return (await change([], { sql, values: [firstIdAt(before), maxPruned] })).length;
    },
  };
}

/** Leaves out what was deleted meanwhile, and what another account has. */
async function withSignups(
  outcomes: readonly NewOutcome[],
  findSignup: FindChallenged,
): Promise<KnownOutcome[]> {
  const known: KnownOutcome[] = [];
  for (const noted of outcomes) {
    const signup = await findSignup(noted.requestId);
    if (signup?.accountId === noted.accountId) known.push({ noted, signup });
  }
  return known;
}

function insertAll(outcomes: readonly NewOutcome[]): SqlStatement[] {
  const statements: SqlStatement[] = [];
  for (let from = 0; from < outcomes.length; from += ROWS_A_STATEMENT) {
    const values: SqlValue[] = [];
    const rows = outcomes.slice(from, from + ROWS_A_STATEMENT).map((each) => {
      const { requestId, outcome, accountId, mode, at, keyId, assessedAt, domain, campaignId } = each;
      const row = [requestId, outcome, accountId, mode, at, keyId, assessedAt, domain, campaignId];
      return `(${row.map((value) => `$${values.push(value)}`).join(', ')})`;
    });
    const sql = `INSERT INTO outcomes (${COLUMNS}) VALUES ${rows.join(', ')}
      ON CONFLICT (request_id, outcome) DO NOTHING`;
    statements.push({ sql, values });
  }
  return statements;
}

function saveLabelOf({ noted, signup }: KnownOutcome): SqlStatement[] {
  const { requestId, label, at, accountId, outcome } = noted;
  if (label === null) return [];
  const values = [requestId, label, at, accountId, signup.at, signup.seq];
  return [{ sql: outcome === 'banned' ? SAVE_BAN : SAVE_MONEY, values }];
}

/** Statements that count the outcomes of waves again, so that every process learns of it. */
function wavesOf(database: SqlDatabase, outcomes: readonly NewOutcome[]) {
  const waves = new Map(
    outcomes.flatMap(({ campaignId, accountId }) => (campaignId === null ? [] : [[campaignId, accountId]])),
  );
  const accounts = [...new Set(waves.values())].sort();
  if (waves.size === 0) return { before: [], after: [] };
  const sql = `UPDATE campaigns SET verified = ${countOf('verified')}, bounced = ${countOf('bounced')},
    version = ${database.newVersion('campaigns')} WHERE id = $1 AND account_id = $2`;
  return {
    before: [
      ...accounts.flatMap((accountId) => database.lock(`campaigns of ${accountId}`)),
      ...database.nextVersion('campaigns'),
    ],
    after: [...waves].map(
      ([id, accountId]): SqlStatement => ({ sql, values: [id as string, accountId as string] }),
    ),
  };
}
