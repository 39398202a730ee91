/** Keeps one partition a month of the tables with assessments: makes them before they are needed, and drops those that are older than the retention. */
import { addMonths, monthOf } from '../../platform/month.ts';
import { idsOfMonth, monthOfId, timeOfId } from '../request-time.ts';
import { keptFrom, type Retention } from '../retention.ts';
import { type Database, isLocked, type Query } from './database.ts';

export interface PartitionMaintenanceOptions {
  readonly database: Database;
  /** `null` keeps all. A month is dropped when all of it is older. */
  readonly retention: Retention | null;
  /** Milliseconds since the epoch: decides which partitions to make, never which to drop. */
  readonly clock: () => number;
  readonly onFault: (error: Error) => void;
}

export interface PartitionMaintenance {
  /** Runs now, on another connection where it is passed. A step that fails is tried again next time. @throws when it fails */
  poll(patient?: Database): Promise<void>;
  close(): void;
}

export interface KnownMonths {
  /** Whether the month of an id has partitions, as far as is known. Cheap. */
  hasPartitions(requestId: string): boolean;
  /** Makes the partitions that the ids need. @throws when it cannot, or one is no request id */
  makePartitions(requestIds: readonly string[]): Promise<void>;
  /** Another node may have dropped partitions: all are checked again. */
  forget(): void;
}

/** Tables that are partitioned by the month of their request ids. */
const TABLES = ['assessments', 'feedback', 'challenges'] as const;
type Table = (typeof TABLES)[number];
const POLL_MS = 3_600_000;
/** The advisory lock under which partitions are made and dropped. */
const LOCK = 7_126_002;
const LOCK_WAIT_MS = 300;

/** Any number of nodes may run it at once: the lock lets one after the other in, and the second finds nothing to do. */
export function createPartitionMaintenance({
  database,
  retention,
  clock,
  onFault,
}: PartitionMaintenanceOptions): PartitionMaintenance {
  async function poll(used = database): Promise<void> {
    const month = monthOf(clock());
    await makePartitions(used, [month, addMonths(month, 1)]);
    if (retention === null) return;
    const newest = await newestAt(used.query);
    if (newest !== undefined) await dropPartitionsBefore(used, monthOf(keptFrom(retention, newest)));
  }

  const timer = setInterval(() => void poll().catch(onFault), POLL_MS).unref();
  return { poll, close: () => clearInterval(timer) };
}

/** Remembers which months have partitions, and makes those of a month when its first id comes. */
export function createKnownMonths(database: Database): KnownMonths {
  /** First id, and the first one after it. Newest first: most ids are of that month. */
  let known: (readonly [from: string, to: string])[] = [];
  const hasPartitions = (requestId: string) =>
    known.some(([from, to]) => requestId >= from && requestId < to);

  return {
    hasPartitions,
    async makePartitions(requestIds) {
      const months = new Set(requestIds.filter((requestId) => !hasPartitions(requestId)).map(storableMonth));
      if (months.size === 0) return;
      await makePartitions(database, [...months].sort());
      known = [...known, ...[...months].map(idsOfMonth)].sort(([a], [b]) => (a > b ? -1 : 1));
    },
    forget() {
      known = [];
    },
  };
}

function storableMonth(requestId: string): string {
  const month = monthOfId(requestId);
  if (month === undefined) throw new Error('a request id without a time cannot be stored');
  return month;
}

/** Makes the missing partitions of these months; any number of nodes may at once. */
async function makePartitions({ transaction }: Database, months: readonly string[]): Promise<void> {
  await transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    for (const month of months) {
      for (const table of TABLES) await makePartition(query, table, month);
    }
  });
}

/** Makes a table and then attaches it: unlike `CREATE … PARTITION OF`, this does not wait for readers and writers. */
async function makePartition(query: Query, table: Table, month: string): Promise<void> {
  const name = `${table}_${month.replace('-', '_')}`;
  const [found] = await query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [name]);
  if (found?.exists === true) return;
  const [from, to] = idsOfMonth(month);
  await query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
  await query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

/**
 * The instant that retention counts back from: that of the newest assessment, or of the database's clock where that is
 * earlier; `undefined` where nothing is stored. No single clock decides what is deleted: a node whose clock is ahead only
 * makes ids of the future, and a database whose clock is ahead has older assessments.
 */
export async function newestAt(query: Query): Promise<number | undefined> {
  const [row] = await query<{ now: number; id: string | null }>(
    'SELECT floor(extract(epoch FROM now()) * 1000)::bigint AS now, (SELECT max(request_id) FROM assessments) AS id',
  );
  const newest = timeOfId(row?.id ?? '');
  return row === undefined || newest === undefined ? undefined : Math.min(newest, row.now);
}

/** Drops the partitions of all months before one. Partitions that somebody reads are left for the next time. */
async function dropPartitionsBefore({ query, transaction }: Database, month: string): Promise<void> {
  const partitions = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
     WHERE inhparent = ANY ($1::regclass[]) ORDER BY 1`,
    [TABLES],
  );
  for (const { name } of partitions) {
    if (name.slice(-7) >= month.replace('-', '_')) continue;
    const drop = transaction(async (inTransaction) => {
      await inTransaction('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      // Writers wait behind this statement for the table.
      await inTransaction(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await inTransaction(`DROP TABLE IF EXISTS ${name}`);
    });
    await drop.catch((error: unknown) => {
      if (!isLocked(error)) throw error;
    });
  }
}
