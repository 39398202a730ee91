/** Adds up the finished half hours of busy accounts in the background, and summarizes new pages: searches then read few of them. */
import { monthOf } from '../../platform/month.ts';
import { SLOT_MS } from '../history-store.ts';
import type { PoolUse } from '../store.ts';
import { type Database, openDatabase } from './database.ts';
import { createSummarizeBlocks } from './summarize-blocks.ts';

export interface RollupWorker {
  /** Rolls up finished slots that have no rollup yet; any number of nodes may run it at once. */
  rollUp(): Promise<void>;
  poolUse(): PoolUse;
  close(): Promise<void>;
}

export interface RollupWorkerOptions {
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onFault: (error: Error) => void;
  /** Callback, as `DatabaseOptions.onAway`. */
  readonly onAway?: (error: Error) => void;
  /** Live assessments in a month that make an account busy; those of other accounts are added up when they are read. */
  readonly busyFrom?: number;
  /** Milliseconds until it begins to do both by itself; `null`: never. Default: soon. */
  readonly startMs?: number | null;
}

const BUSY_FROM = 20_000;
const EVERY_MS = 60_000;
/** Pages are summarized each time. */
const ROLL_UP_EVERY = 5;
/** Spread, because nodes may start together. */
const START_MS = 20_000;
/** Age up to which the dashboard looks back. */
const MAX_AGE_SLOTS = (35 * 86_400_000) / SLOT_MS;
/** Checked again each time, for late assessments; the rest once a day. */
const RECENT_SLOTS = 6;
const FROM_START_EVERY = 86_400_000 / EVERY_MS / ROLL_UP_EVERY;
const SLOTS_AT_ONCE = 8;
/** Fewer assessments are added up as quickly as their rollup is read. */
const MIN_ROWS_TO_ROLL_UP = 20;
/** A slot of a very busy account has millions. */
const DEADLINE_MS = 60_000;

const READ_BUSY = `SELECT account_id AS id FROM credits WHERE month = ANY ($1) GROUP BY account_id
  HAVING sum(used) >= $2 ORDER BY account_id`;
/** Removes rollups of dropped months; one that is deleted too early is made again. */
const FORGET = `DELETE FROM tallies USING accounts WHERE account_id = accounts.id AND slot < (
  SELECT extract(epoch FROM min(to_date(right(relname, 7), 'YYYY_MM')))::bigint * 1000 / ${SLOT_MS}
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'assessments'::regclass)`;

export function openRollupWorker(options: RollupWorkerOptions): RollupWorker {
  const { url, clock, onFault, busyFrom = BUSY_FROM } = options;
  const { startMs = START_MS * (1 + Math.random()) } = options;
  const database = openDatabase({
    url,
    connections: 1,
    deadlineMs: DEADLINE_MS,
    name: 'gatehouse tallies',
    ...(options.onAway && { onAway: options.onAway }),
    settings: { enable_seqscan: 'off', enable_bitmapscan: 'off', jit: 'off' },
  });
  const summarizeBlocks = createSummarizeBlocks(database);
  /** The slot up to which each account is rolled up. */
  const reached = new Map<string, number>();
  let turns = 0;
  let passes = 0;
  let closed = false;
  let working = Promise.resolve();
  let next = startMs === null ? undefined : setTimeout(work, startMs).unref();

  function work(): void {
    working = takeTurn()
      .catch((error: Error) => {
        if (!closed) onFault(error);
      })
      .then(() => {
        if (!closed) next = setTimeout(work, EVERY_MS).unref();
      });
  }

  async function takeTurn(): Promise<void> {
    turns += 1;
    if (turns % ROLL_UP_EVERY === 1) await rollUp();
    if (!closed) await summarizeBlocks();
  }

  async function rollUp(): Promise<void> {
    const now = clock();
    if (passes % FROM_START_EVERY === 0) {
      reached.clear();
      await database.query(FORGET);
    }
    passes += 1;
    const past = Math.floor(now / SLOT_MS);
    for (const id of await busyAccounts(database, now, busyFrom)) {
      const first = reached.get(id) ?? past - MAX_AGE_SLOTS;
      const complete = await rollUpAccount(database, id, first, past, () => closed);
      if (complete) reached.set(id, past - RECENT_SLOTS);
    }
  }

  return {
    rollUp,
    poolUse: database.poolUse,
    async close() {
      closed = true;
      clearTimeout(next);
      await working;
      await database.close();
    },
  };
}

async function busyAccounts({ query }: Database, now: number, from: number): Promise<string[]> {
  const month = monthOf(now);
  const before = monthOf(Date.parse(`${month}-01T00:00:00Z`) - 1);
  return (await query<{ id: string }>(READ_BUSY, [[before, month], from])).map(({ id }) => id);
}

/** False when something is left for the next time: another node works on it, or this one closes. */
async function rollUpAccount(
  { query }: Database,
  accountId: string,
  first: number,
  past: number,
  isClosed: () => boolean,
): Promise<boolean> {
  let busySlots = 0;
  for (let slot = first; slot < past; slot += SLOTS_AT_ONCE) {
    if (isClosed()) return false;
    const sql = 'SELECT gatehouse_tally_1($1, $2, $3, $4) AS busy';
    const upTo = Math.min(past, slot + SLOTS_AT_ONCE);
    const [row] = await query<{ busy: number }>(sql, [accountId, slot, upTo, MIN_ROWS_TO_ROLL_UP]);
    busySlots += row?.busy ?? 0;
  }
  return busySlots === 0;
}
