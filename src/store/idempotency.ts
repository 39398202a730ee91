/** Keeps idempotency keys in SQL: a record is `reserved` by a node, `stored` with the write, and `replayed` once it was answered again. */
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import { type IdempotencyStore, KEY_LIFETIME_MS, LEASE_MS } from './idempotency-store.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';

interface KeyRow {
  readonly body_digest: string;
  readonly request_id: string;
  readonly at: number;
  readonly state: 'reserved' | 'stored' | 'replayed';
  readonly answer: string | null;
}

/** Its values are those of `storeKey`. */
export const SAVE_KEY = `INSERT INTO idempotency (account_id, mode, operation, key_hash, body_digest, request_id, at, state, answer)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (account_id, mode, operation, key_hash) DO UPDATE SET body_digest = excluded.body_digest,
    request_id = excluded.request_id, at = excluded.at, state = excluded.state, answer = excluded.answer`;
/** Replaces a record that has expired, and one whose node has not finished in time. */
const RESERVE = {
  name: 'gatehouse_reserve_key',
  text: `${SAVE_KEY}
    WHERE idempotency.at <= $10 OR (idempotency.state = 'reserved' AND idempotency.at <= $11)
  RETURNING request_id`,
};
/** Replaces a record that has expired. */
const USE = `${SAVE_KEY} WHERE idempotency.at <= $10 RETURNING request_id`;
const FIND = {
  name: 'gatehouse_find_key',
  text: `SELECT body_digest, request_id, at, state, answer FROM idempotency
    WHERE account_id = $1 AND mode = $2 AND operation = $3 AND key_hash = $4`,
};
const NOTE_REPLAY = `UPDATE idempotency SET state = 'replayed' WHERE request_id = $1 AND state = 'stored'
  RETURNING request_id`;
const RELEASE = `DELETE FROM idempotency WHERE request_id = $1 AND state = 'reserved' RETURNING request_id`;
const FORGET = 'DELETE FROM idempotency WHERE request_id = $1 RETURNING request_id';
const ANY_BEFORE = 'SELECT request_id FROM idempotency WHERE at <= $1 LIMIT 1';
const PRUNE = `DELETE FROM idempotency WHERE request_id IN
  (SELECT request_id FROM idempotency WHERE at <= $1 ORDER BY at LIMIT $2) RETURNING request_id`;

export interface IdempotencyStoreOptions {
  readonly database: Pick<SqlDatabase, 'query' | 'change'>;
  /** Whether other processes carry out requests too: then a key is reserved before its request is carried out. */
  readonly isShared: boolean;
}

export function createIdempotencyStore({ database, isShared }: IdempotencyStoreOptions): IdempotencyStore {
  const { query, change } = database;

  async function reserve(claim: IdempotencyClaim): Promise<boolean> {
    const values = [...keyValues(claim, 'reserved'), claim.at - KEY_LIFETIME_MS, claim.at - LEASE_MS];
    return (await query(RESERVE, values)).length > 0;
  }

  return {
    async claimKey(claim) {
      if (isShared && (await reserve(claim))) return { outcome: 'claimed' };
      const { accountId, mode, operation, keyHash, bodyDigest, at } = claim;
      const [row] = await query<KeyRow>(FIND, [accountId, mode, operation, keyHash]);
      if (row === undefined || row.at <= at - KEY_LIFETIME_MS)
        return { outcome: isShared ? 'busy' : 'claimed' };
      if (row.state === 'reserved') return { outcome: 'busy' };
      if (row.body_digest !== bodyDigest) return { outcome: 'conflict' };
      const { request_id: requestId, answer } = row;
      if (row.state === 'stored') {
        // From here on the assessment is not undone. If it was undone just now, the key is free again.
        const noted = await change([], { sql: NOTE_REPLAY, values: [requestId] });
        if (noted.length === 0) return { outcome: 'busy' };
      }
      return { outcome: 'stored', requestId, answer };
    },
    async useKey(claim) {
      const values = [...keyValues(claim, 'stored'), claim.at - KEY_LIFETIME_MS];
      if ((await change([], { sql: USE, values })).length > 0) return 'claimed';
      const { accountId, mode, operation, keyHash, bodyDigest } = claim;
      const [row] = await query<KeyRow>(FIND, [accountId, mode, operation, keyHash]);
      // Without a row it was freed just now: asked again, it can be claimed.
      return row === undefined || row.body_digest === bodyDigest ? 'repeated' : 'conflict';
    },
    async releaseKey(requestId) {
      if (isShared) await change([], { sql: RELEASE, values: [requestId] });
    },
    async forgetKey(requestId) {
      await change([], { sql: FORGET, values: [requestId] });
    },
    async pruneKeys(before, maxPruned) {
      // Most calls find nothing: those need no commit.
      if ((await query(ANY_BEFORE, [before])).length === 0) return 0;
      return (await change([], { sql: PRUNE, values: [before, maxPruned] })).length;
    },
  };
}

/** The write of a key's record, with the answer unless that is the body of an assessment. */
export function storeKey(claim: IdempotencyClaim, answer: string | null): SqlStatement {
  return { sql: SAVE_KEY, values: keyValues(claim, 'stored', answer) };
}

function keyValues(
  claim: IdempotencyClaim,
  state: KeyRow['state'],
  answer: string | null = null,
): SqlStatement['values'] {
  const { accountId, mode, operation, keyHash, bodyDigest, requestId, at } = claim;
  return [accountId, mode, operation, keyHash, bodyDigest, requestId, at, state, answer];
}
