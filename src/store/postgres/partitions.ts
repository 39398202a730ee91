/** Makes the partitions of months, and drops those of months that are no longer kept. */
import type { Database, Query } from './database.ts';

/** Tables that are partitioned by the month of their request ids. */
const TABLES = ['assessments', 'assessment_documents', 'feedback'] as const;
/** Documents stay in their row, beside nothing else: up to a page, so that each is one read. */
const STORAGE: Partial<Record<(typeof TABLES)[number], string>> = {
  assessment_documents: 'toast_tuple_target = 8160',
};
/** Of the advisory lock that partitions are made and dropped under. */
const LOCK = 7_126_002;

const ULID_TIME_CHARACTERS = 10;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const REQUEST_ID = /^req_([0-7][0-9a-hjkmnp-tv-z]{9})/;

/** The UTC month (`2026-05`) of a request id; `undefined` for what is none. */
export function monthOfId(requestId: string): string | undefined {
  const time = REQUEST_ID.exec(requestId)?.[1];
  if (time === undefined) return undefined;
  let at = 0;
  for (const character of time) at = at * 32 + CROCKFORD.indexOf(character);
  const month = new Date(at).toISOString().slice(0, 7);
  return /^\d{4}-\d{2}$/.test(month) ? month : undefined;
}

/** The smallest request id of an instant. */
export function firstIdAt(at: number): string {
  let rest = Math.max(0, at);
  let time = '';
  for (let index = 0; index < ULID_TIME_CHARACTERS; index += 1) {
    time = `${CROCKFORD[rest % 32]}${time}`;
    rest = Math.floor(rest / 32);
  }
  return `req_${time}`;
}

/** Ids of a month: the first one inside, and the first one after it. */
export function idsOfMonth(month: string): readonly [from: string, to: string] {
  return [firstIdAt(Date.parse(`${month}-01`)), firstIdAt(Date.parse(`${addMonths(month, 1)}-01`))];
}

export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

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
 * Drops the partitions of all months before one. Waits for no lock longer than `lock_timeout` of the database's
 * connection allows: what could not be dropped is for the next time. Gives what it dropped.
 */
export async function dropPartitionsBefore({ transaction }: Database, month: string): Promise<string[]> {
  return transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const names = (await partitions(query)).filter((name) => name.slice(-7) < month.replace('-', '_'));
    for (const name of names) await query(`DROP TABLE ${name}`);
    return names;
  });
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
