/** Challenges in both databases: the first result of each, and the feedback that it becomes. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { ChallengeMethod, ChallengeResult } from '../contract/messages.ts';
import type { KeyMode } from '../model/key-mode.ts';
import {
  CHALLENGE_AUTHOR,
  type ChallengeKey,
  type ChallengeStore,
  type MailLimit,
  type MailLimits,
  type MailOrder,
  type PendingChallenge,
  type Redeemer,
  type StoredChallenge,
} from './challenge-store.ts';
import { monthOfId } from './request-time.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';
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
  readonly mails: number;
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
  WHERE request_id = $1 AND status = 'pending' AND mails > 0 AND attempts < $2 RETURNING attempts`;
const OLD_NETWORKS = 'SELECT request_id FROM challenges WHERE network IS NOT NULL AND mailed_at <= $1';
const FORGET_NETWORKS = `UPDATE challenges SET network = NULL
  WHERE request_id IN (${OLD_NETWORKS} ORDER BY mailed_at LIMIT $2) RETURNING request_id`;
/** Mails of a challenge count as if all had been ordered with its last one. A mailbox of NULL equals none. */
const mailedBefore = (since: string) => `(SELECT coalesce(sum(c.mails), 0) FROM challenges AS c
  WHERE c.account_id = $2 AND c.mailbox = $3 AND c.mailed_at > ${since})`;

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
  /** Keyed hash. */
  readonly mailboxHash: string;
  readonly network: string | null;
}

export function createChallengeStore(
  database: Pick<SqlDatabase, 'query' | 'change' | 'lock'>,
  findChallenged: FindChallenged,
): ChallengeStore {
  const { query, change, lock } = database;

  async function find({ requestId, accountId }: ChallengeKey) {
    const assessment = await findChallenged(requestId);
    return assessment?.accountId === accountId ? assessment : undefined;
  }

  async function orderMail(challenge: PendingChallenge, limits: MailLimits): Promise<MailOrder> {
    const { requestId, accountId, at } = challenge;
    const about = await find(challenge);
    if (about === undefined) return 'closed';
    const isLive = about.mode === 'live';
    const mailbox = isLive ? about.mailboxHash : null;
    const count = countMail([requestId, accountId, mailbox, at, isLive ? about.network : null], limits);
    const locks = lock(`challenge mails ${accountId} ${mailbox ?? requestId}`);
    if ((await change([], ...locks, open(challenge, about), count)).length > 0) return 'ordered';
    const [row] = await query<ChallengeRow>(FIND, [requestId]);
    if (row?.status !== 'pending') return 'closed';
    return row.mails === 0 ? 'mailbox' : 'used';
  }

  return {
    async findChallenge(requestId) {
      if (monthOfId(requestId) === undefined) return undefined;
      const [row] = await query<ChallengeRow>(FIND, [requestId]);
      return row && toChallenge(row);
    },
    async openChallenge(challenge) {
      const about = await find(challenge);
      return about !== undefined && (await change([], open(challenge, about))).length > 0;
    },
    orderMail,
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
    async forgetNetworks(before, max) {
      if ((await query(`${OLD_NETWORKS} LIMIT 1`, [before])).length === 0) return 0;
      return (await change([], { sql: FORGET_NETWORKS, values: [before, max] })).length;
    },
    async countCodeAttempt(requestId, max) {
      return (await change([], { sql: COUNT_ATTEMPT, values: [requestId, max] })).length > 0;
    },
  };
}

function open(
  { requestId, accountId, expiresAt, at, returnUrl }: PendingChallenge,
  { mode, at: assessedAt }: ChallengedAssessment,
): SqlStatement {
  const url = returnUrl === null ? null : encodeText(returnUrl);
  return { sql: OPEN, values: [requestId, accountId, mode, assessedAt, expiresAt, at, url] };
}

/** @param values id of the signup, its account, its mailbox, the time, and its network */
function countMail(values: readonly SqlValue[], limits: MailLimits): SqlStatement {
  const at = Number(values[3]);
  const all = [...values, limits.perChallenge];
  const add = (value: SqlValue) => `$${all.push(value)}`;
  const isBelow = ({ max, withinMs }: MailLimit) => `${mailedBefore(add(at - withinMs))} < ${add(max)}`;
  const { firstOfNetwork: first } = limits;
  return {
    sql: `UPDATE challenges SET mails = mails + 1, mailbox = $3, mailed_at = $4, network = $5
      WHERE request_id = $1 AND status = 'pending' AND mails < $6 AND ((${limits.perMailbox.map(isBelow).join(' AND ')})
        OR (CAST($5 AS text) IS NOT NULL AND ${isBelow(first)} AND NOT EXISTS (SELECT 1 FROM challenges AS c WHERE c.account_id = $2
          AND c.mailbox = $3 AND c.mailed_at > ${add(at - first.withinMs)} AND c.network = $5)))
      RETURNING mails`,
    values: all,
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
