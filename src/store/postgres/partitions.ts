/** Makes the partitions of months, and drops those of months that are no longer kept. */
import { type Database, isLocked, type Query } from './database.ts';
import { idsOfMonth, monthOfId } from './month-ids.ts';

/** Tables that are partitioned by the month of their request ids. */
const TABLES = ['assessments', 'assessment_documents', 'feedback'] as const;
/** Documents stay in their row, beside nothing else: up to a page, so that each is one read. */
const STORAGE: Partial<Record<(typeof TABLES)[number], string>> = {
  assessment_documents: 'toast_tuple_target = 8160',
};
/** Of the advisory lock that partitions are made and dropped under. */
const LOCK = 7_126_002;
const LOCK_WAIT_MS = 300;

/** Makes what is not there of the months' partitions; any number of nodes may at once. */
export async function makePartitions({ transaction }: Database, months: readonly string[]): Promise<void> {
  await transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    for (const month of months) {
      for (const table of TABLES) await makePartition(query, table, month);
    }
  });
}

/** Attached when it is made: that waits for nobody who reads or writes the table, as making it in place would. */
async function makePartition(query: Query, table: (typeof TABLES)[number], month: string): Promise<void> {
  const name = partitionName(table, month);
  const [found] = await query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [name]);
  if (found?.there === true) return;
  const [from, to] = idsOfMonth(month);
  const storage = STORAGE[table] === undefined ? '' : ` WITH (${STORAGE[table]})`;
  await query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)${storage}`);
  await query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

/**
 * The month that retention counts back from: that of the newest assessment, or of the database's clock where that is
 * earlier. No single clock decides what is deleted: a node's clock that is ahead makes ids of the future at most, a
 * database's clock that is ahead meets assessments that are older. `undefined` where nothing is stored.
 */
export async function newestMonth({ query }: Database): Promise<string | undefined> {
  const [row] = await query<{ now: string; id: string | null }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS now, (SELECT max(request_id) FROM assessments) AS id`,
  );
  const newest = monthOfId(row?.id ?? '');
  if (row === undefined || newest === undefined) return undefined;
  return newest < row.now ? newest : row.now;
}

/**
 * Drops the partitions of all months before one, each when nobody reads the table: what could not be dropped is for the
 * next time. Gives what it dropped.
 */
export async function dropPartitionsBefore(
  { query, transaction }: Database,
  month: string,
): Promise<string[]> {
  const names = (await partitions(query)).filter((name) => name.slice(-7) < month.replace('-', '_'));
  const dropped: string[] = [];
  for (const name of names) {
    const drop = transaction(async (ask) => {
      await ask('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      // Writers wait behind this statement for the table.
      await ask(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await ask(`DROP TABLE IF EXISTS ${name}`);
      dropped.push(name);
    });
    await drop.catch((error: unknown) => {
      if (!isLocked(error)) throw error;
    });
  }
  return dropped;
}

async function partitions(query: Query): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
     WHERE inhparent = ANY ($1::regclass[]) ORDER BY 1`,
    [TABLES],
  );
  return rows.map(({ name }) => name);
}

function partitionName(table: string, month: string): string {
  return `${table}_${month.replace('-', '_')}`;
}
