/** Challenges in both databases: the first result of each, and the feedback that it becomes. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { ChallengeMethod, ChallengeResult } from '../contract/messages.ts';
import type { KeyMode } from '../model/key-mode.ts';
import {
  CHALLENGE_AUTHOR,
  type ChallengeKey,
  type ChallengeStore,
  type Redeemer,
  type StoredChallenge,
} from './challenge-store.ts';
import { monthOfId } from './request-time.ts';
import type { SqlDatabase } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

interface ChallengeRow {
  readonly request_id: string;
  readonly account_id: string;
  readonly mode: KeyMode;
  readonly expires_at: number;
  readonly status: StoredChallenge['status'];
  readonly method: ChallengeMethod | null;
  readonly at: number;
  readonly return_url: string | null;
  readonly redeemer: Redeemer | null;
}

const FIND = { name: 'gatehouse_challenge', text: 'SELECT * FROM challenges WHERE request_id = $1' };
const save = (columns: string, values: string, replaced: string) =>
  `INSERT INTO challenges (request_id, account_id, mode, assessed_at, expires_at, at, attempts, ${columns})
    VALUES ($1, $2, $3, $4, $5, $6, 0, ${values})
  ON CONFLICT (request_id) DO UPDATE SET ${replaced} WHERE challenges.status = 'pending' RETURNING request_id`;
const OPEN = save(
  'status, return_url',
  "'pending', $7",
  'return_url = excluded.return_url, at = excluded.at',
);
const REDEEM = save(
  'status, method, redeemer',
  '$7, $8, $9',
  'status = excluded.status, method = excluded.method, at = excluded.at, redeemer = excluded.redeemer',
);
const CLAIM_RESULT = `UPDATE challenges SET redeemer = $2
  WHERE request_id = $1 AND status <> 'pending' AND redeemer IS NULL RETURNING request_id`;
/** Two results at the same time wait for each other here, or at the challenge: the second adds nothing. */
const GIVE_FEEDBACK = `INSERT INTO feedback (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
    SELECT $1, $3, $4, '${CHALLENGE_AUTHOR}', CAST($5 AS bigint), $2, CAST($6 AS bigint), CAST($7 AS bigint)
    WHERE NOT EXISTS (SELECT 1 FROM challenges AS c WHERE c.request_id = $1 AND c.status <> 'pending')
  ON CONFLICT (request_id) DO NOTHING`;
const COUNT_ATTEMPT = `UPDATE challenges SET attempts = attempts + 1
  WHERE request_id = $1 AND status = 'pending' AND attempts < $2 RETURNING attempts`;

/** Labels of results: a customer who passes was a good one who was stopped; one who fails was rightly stopped. */
const LABELS: Readonly<Record<ChallengeResult, Label>> = {
  passed: 'false_positive',
  failed: 'confirmed_fraud',
};

/** Methods that a program passes as well as a person: their results are no feedback. */
const SILENT_METHODS: ReadonlySet<ChallengeMethod> = new Set(['altcha']);

/** The columns that are copied from the assessment of a challenge; `undefined` if there is no assessment. */
export type FindChallenged = (requestId: string) => Promise<ChallengedAssessment | undefined>;

export interface ChallengedAssessment {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly at: number;
  readonly seq: number;
}

export function createChallengeStore(
  { query, change }: Pick<SqlDatabase, 'query' | 'change'>,
  findChallenged: FindChallenged,
): ChallengeStore {
  async function find({ requestId, accountId }: ChallengeKey) {
    const assessment = await findChallenged(requestId);
    return assessment?.accountId === accountId ? assessment : undefined;
  }

  return {
    async findChallenge(requestId) {
      if (monthOfId(requestId) === undefined) return undefined;
      const [row] = await query<ChallengeRow>(FIND, [requestId]);
      return row && toChallenge(row);
    },
    async openChallenge({ requestId, accountId, expiresAt, at, returnUrl }) {
      const about = await find({ requestId, accountId, expiresAt });
      if (about === undefined) return false;
      const url = returnUrl === null ? null : encodeText(returnUrl);
      const rows = await change([], {
        sql: OPEN,
        values: [requestId, accountId, about.mode, about.at, expiresAt, at, url],
      });
      return rows.length > 0;
    },
    async redeemChallenge({ requestId, accountId, expiresAt, status, method, at, redeemer }) {
      const about = await find({ requestId, accountId, expiresAt });
      if (about === undefined) return false;
      const note = `Challenge ${status} (${method}).`;
      const feedback = {
        sql: GIVE_FEEDBACK,
        values: [requestId, accountId, LABELS[status], note, at, about.at, about.seq],
      };
      const rows = await change([], ...(SILENT_METHODS.has(method) ? [] : [feedback]), {
        sql: REDEEM,
        values: [requestId, accountId, about.mode, about.at, expiresAt, at, status, method, redeemer],
      });
      return rows.length > 0;
    },
    async claimResult(requestId, redeemer) {
      return (await change([], { sql: CLAIM_RESULT, values: [requestId, redeemer] })).length > 0;
    },
    async countCodeAttempt(requestId, max) {
      return (await change([], { sql: COUNT_ATTEMPT, values: [requestId, max] })).length > 0;
    },
  };
}

function toChallenge(row: ChallengeRow): StoredChallenge {
  return {
    requestId: row.request_id,
    accountId: row.account_id,
    mode: row.mode,
    expiresAt: row.expires_at,
    status: row.status,
    method: row.method,
    at: row.at,
    returnUrl: row.return_url === null ? null : decodeText(row.return_url),
    redeemer: row.redeemer,
  };
}
