/** Chooses the index that a search reads from, newest first, and reads it. */
import {
  type AddressBlock,
  type ChooseSource,
  ipOrder,
  type RelatedSearch,
  type ScanResult,
  type SearchRange,
  type SearchSource,
} from '../history-search.ts';
import {
  type Bind,
  COLUMNS,
  conditionsOf,
  createBind,
  type HistoryRow,
  type HistorySql,
  LOOK_UPS,
} from '../history-sql.ts';
import type { SqlValue } from '../sql-database.ts';
import { encodeText } from '../text.ts';

/** An index, as a table of the assessments that have a property. */
interface IndexTable {
  /** The assessments in the range, newest first, at most `count`. */
  table(bind: Bind, range: SearchRange, count: number): string;
  readonly maxScanRows: number;
}

const MAX_SCAN_ROWS = 4_000;
/** For each address of a block. */
const MAX_SCAN_ROWS_EACH = 500;
const DIGITS_OF_24 = 6;
const DIGITS_OF_64 = 16;
/** The assessment `a` of feedback `f`. */
export const JOIN_ASSESSMENT = `CROSS JOIN LATERAL
  (SELECT ${COLUMNS} FROM assessments WHERE request_id = f.request_id LIMIT 1) AS a`;
/** One property is as common as another from here on. */
const MAX_COUNT = 2_000;

export function createChooseSource(sql: HistorySql): ChooseSource {
  return async (accountId, search, range): Promise<SearchSource> => {
    const tables = tablesOf(accountId, search);
    const index = tables.length === 1 ? (tables[0] as IndexTable) : await findRarest(sql, tables, range);
    return {
      maxScanRows: index.maxScanRows,
      scan(range, count, limit) {
        const { bind, values } = createBind();
        const place = index.table(bind, range, count);
        return scan(sql, place, conditionsOf(sql, accountId, search, bind), limit, values);
      },
    };
  };
}

interface ScanRow extends HistoryRow {
  readonly rows_read: number;
  readonly last_at: number;
  readonly last_seq: number;
}

async function scan(
  { query }: HistorySql,
  place: string,
  conditions: string,
  limit: number,
  values: readonly SqlValue[],
): Promise<ScanResult> {
  const rows = await query<ScanRow>(
    `WITH place AS MATERIALIZED (${place}),
      found AS MATERIALIZED (SELECT * FROM place AS a WHERE ${conditions} ORDER BY at DESC, seq DESC LIMIT ${limit})
    SELECT scanned.*, shown.* FROM (SELECT count(*) AS rows_read, (array_agg(at ORDER BY at, seq))[1] AS last_at,
        (array_agg(seq ORDER BY at, seq))[1] AS last_seq FROM place) AS scanned
      LEFT JOIN (SELECT a.*, ${LOOK_UPS} FROM found AS a) AS shown ON true
    ORDER BY shown.at DESC, shown.seq DESC`,
    values,
  );
  const { rows_read: rowsRead, last_at: at, last_seq: seq } = rows[0] as ScanRow;
  return { rows: rows.filter(({ request_id }) => request_id !== null), rowsRead, last: { at, seq } };
}

/** The first of those with the fewest assessments in the range. */
async function findRarest(
  sql: HistorySql,
  tables: readonly IndexTable[],
  range: SearchRange,
): Promise<IndexTable> {
  const { bind, values } = createBind();
  const counts = tables.map(
    ({ table }, at) => `(SELECT count(*) FROM (${table(bind, range, MAX_COUNT)}) AS counted) AS count${at}`,
  );
  const [row] = await sql.query<Record<string, number>>(`SELECT ${counts.join(', ')}`, values);
  const lowest = Math.min(...Object.values(row as Record<string, number>));
  return tables.find((_, at) => row?.[`count${at}`] === lowest) as IndexTable;
}

/** The indexes that serve a search, as a rule the rarest property first; all of the account where none does. */
function tablesOf(accountId: string, search: RelatedSearch): readonly IndexTable[] {
  const { requestId, sessionId, ip } = search;
  if (requestId !== undefined) return [byRequest(encodeText(requestId))];
  const tables: IndexTable[] = [];
  const add = (column: string, value: string | undefined) => {
    if (value !== undefined) tables.push(byProperty(accountId, column, (bind) => `${bind(value)}::text`));
  };
  if (search.feedback !== undefined && search.feedback !== 'none') tables.push(byFeedback(accountId));
  if (search.shadow === true) tables.push(byShadow(accountId));
  add('session_id', sessionId === undefined ? undefined : encodeText(sessionId));
  add('mailbox_hash', search.mailbox);
  add('network', search.network);
  if (ip !== undefined) tables.push(...byAddress(accountId, ip));
  add('email_domain', search.domain === undefined ? undefined : encodeText(search.domain));
  if (search.asn !== undefined && search.asn > 0) tables.push(byAsn(accountId, search.asn));
  return tables.length > 0 ? tables : [byTime(accountId)];
}

function byTime(accountId: string): IndexTable {
  return indexed((bind) => `account_id = ${bind(accountId)}`);
}

/** Of its own index, which other assessments are not in. */
function byShadow(accountId: string): IndexTable {
  return indexed((bind) => `account_id = ${bind(accountId)} AND shadow`);
}

function byRequest(requestId: string): IndexTable {
  return indexed((bind) => `request_id = ${bind(requestId)}`);
}

function byProperty(accountId: string, column: string, value: (bind: Bind) => string): IndexTable {
  return indexed((bind) => isProperty(column, value(bind), bind(accountId)));
}

function byAsn(accountId: string, asn: number): IndexTable {
  const hash = (value: string, account: string) =>
    `hashint8extended(${value}, hashtextextended(${account}, 0))`;
  return indexed(
    (bind) =>
      `${hash('asn', 'account_id')} = ${hash(`${bind(asn)}::bigint`, `${bind(accountId)}::text`)} AND asn > 0`,
  );
}

/** None for a block wider than a /24 or a /64. */
function byAddress(accountId: string, { first, last }: AddressBlock): IndexTable[] {
  const isV6 = first.includes(':');
  const digits = isV6 ? DIGITS_OF_64 : DIGITS_OF_24;
  if (ipOrder(first).slice(0, digits) !== ipOrder(last).slice(0, digits)) return [];
  if (!isV6 && first !== last) return [byAddressesOf24(accountId, first, last)];
  // IPv6 is counted, and indexed, by its /64.
  const network = (bind: Bind) => `host(network(set_masklen(${bind(first)}::inet, 64))) || '/64'`;
  return [byProperty(accountId, 'network', isV6 ? network : (bind) => `${bind(first)}::text`)];
}

/** Looks up each address of the block, and takes the newest of all. */
function byAddressesOf24(accountId: string, first: string, last: string): IndexTable {
  return {
    maxScanRows: MAX_SCAN_ROWS_EACH,
    table(bind, range, count) {
      const start = `${bind(first)}::inet`;
      const newest = select(isProperty('network', 'n.address', bind(accountId)), within(bind, range), count);
      return `SELECT a.* FROM
          (SELECT host(${start} + i) AS address FROM generate_series(0, ${bind(last)}::inet - ${start}) AS i) AS n
          CROSS JOIN LATERAL (${newest}) AS a
        ORDER BY a.at DESC, a.seq DESC LIMIT ${count}`;
    },
  };
}

function byFeedback(accountId: string): IndexTable {
  return {
    maxScanRows: MAX_SCAN_ROWS,
    table(bind, range, count) {
      return `SELECT a.* FROM (
          SELECT request_id FROM feedback WHERE account_id = ${bind(accountId)}
            AND ${within(bind, range, 'assessed_at')} ORDER BY assessed_at DESC, seq DESC LIMIT ${count}
        ) AS f ${JOIN_ASSESSMENT}`;
    },
  };
}

function indexed(condition: (bind: Bind) => string): IndexTable {
  return {
    maxScanRows: MAX_SCAN_ROWS,
    table: (bind, range, count) => select(condition(bind), within(bind, range), count),
  };
}

function select(condition: string, range: string, count: number): string {
  return `SELECT ${COLUMNS} FROM assessments WHERE ${condition} AND ${range} ORDER BY at DESC, seq DESC LIMIT ${count}`;
}

/** The hash includes the account; without a condition on the account itself, no other index can be chosen. */
function isProperty(column: string, value: string, account: string): string {
  const hash = (text: string, of: string) => `hashtextextended(${text}, hashtextextended(${of}, 0))`;
  return `${hash(column, 'account_id')} = ${hash(value, `${account}::text`)} AND ${column} IS NOT NULL`;
}

function within(bind: Bind, { before, from }: SearchRange, at = 'at'): string {
  return `(${at}, seq) < (${bind(before.at)}, ${bind(before.seq)}) AND ${at} >= ${bind(from)}`;
}
