/** Signups that the newest version of a feed would give another verdict, in both databases. */
import type { EventVerdict } from '../model/event.ts';
import type { FeedFlipStore } from './feed-flip-store.ts';
import type { SqlDatabase } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

type Row = Readonly<Record<string, string | number>>;

const FORGET = 'DELETE FROM feed_flips WHERE feed = $1 RETURNING request_id';
const FORGET_SIGNUP = 'DELETE FROM feed_flips WHERE request_id = $1 RETURNING request_id';
/** An account may be gone by now. */
const SAVE = `INSERT INTO feed_flips (feed, version, account_id, request_id, at, old_verdict, new_verdict)
  SELECT $1, $2, id, $4, CAST($5 AS bigint), $6, $7 FROM accounts WHERE id = $3 RETURNING request_id`;

export function createFeedFlipStore({ query, change }: Pick<SqlDatabase, 'query' | 'change'>): FeedFlipStore {
  return {
    feedFlips: async () =>
      (await query<Row>('SELECT * FROM feed_flips ORDER BY at DESC, request_id DESC')).map((row) => ({
        feed: decodeText(row.feed as string),
        version: row.version as string,
        accountId: row.account_id as string,
        requestId: row.request_id as string,
        at: row.at as number,
        oldVerdict: row.old_verdict as EventVerdict,
        newVerdict: row.new_verdict as EventVerdict,
      })),
    async saveFeedFlips(feed, version, flips) {
      const id = encodeText(feed);
      const saves = flips.map(({ accountId, requestId, at, oldVerdict, newVerdict }) => ({
        sql: SAVE,
        values: [id, version, accountId, requestId, at, oldVerdict, newVerdict],
      }));
      await change([], { sql: FORGET, values: [id] }, ...saves);
    },
    async forgetFeedFlips(requestIds) {
      if (requestIds.length === 0) return;
      await change([], ...requestIds.map((id) => ({ sql: FORGET_SIGNUP, values: [id] })));
    },
  };
}
