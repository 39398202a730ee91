/** Chooses the index that a search reads from, newest first, and reads it. */
import type { Verdict } from '../../contract/messages.ts';
import { type CountPage, type GroupCount, operatorOf } from '../history-groups.ts';
import {
  type AddressBlock,
  type ChooseSource,
  ipOrder,
  isReported,
  NEWEST,
  type RelatedSearch,
  requestIdsOf,
  type ScanResult,
  type SearchRange,
  type SearchSource,
} from '../history-search.ts';
import type { GroupBy } from '../history-store.ts';
import { firstIdAt } from '../request-time.ts';
import type { SqlValue } from '../sql-database.ts';
import { decodeText, encodeText } from '../text.ts';
import type { Query } from './database.ts';
import { type HistoryRow, toFound } from './history-row.ts';
import { type Bind, COLUMNS, conditionsOf, createBind, GROUP_VALUES, LOOK_UPS } from './history-sql.ts';

/** The assessments of an index in a range, newest first, at most `count`. */
type Table = (bind: Bind, range: SearchRange, count: number) => string;
/** A condition on an assessment that blocks of pages are chosen by. */
type Property = (bind: Bind) => string;

const MAX_SCAN_ROWS = 4_000;
const DIGITS_OF_24 = 6;
const DIGITS_OF_64 = 16;
/** A property that many signups have is found among so many of the newest. */
const NEWEST_ROWS = 2_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Spans grow or shrink by at most this from one to the next. */
const GROWTH = 8;
/** One span is not longer than this; the next one reaches back to the beginning. */
const MAX_SPAN_MS = 366 * DAY_MS;
/** The assessment `a` of feedback `f`. */
export const JOIN_ASSESSMENT = `CROSS JOIN LATERAL
  (SELECT ${COLUMNS} FROM assessments WHERE request_id = f.request_id LIMIT 1) AS a`;

/** @param inBlocks on connections that read indexes of blocks only */
export function createChooseSource(query: Query, inBlocks: Query): ChooseSource {
  return async (accountId, search) => {
    const scanWith =
      (used: Query, table: Table): SearchSource['scan'] =>
      (range, count, limit) => {
        const { bind, values } = createBind();
        const place = table(bind, range, count);
        return scan(used, place, conditionsOf(accountId, search, bind), { count, limit, values });
      };
    return { maxScanRows: MAX_SCAN_ROWS, scan: chooseScan(accountId, search, { query, inBlocks, scanWith }) };
  };
}

/** @param inBlocks as above */
export function createCountPage(query: Query, inBlocks: Query): CountPage {
  return async (accountId, search, by, after, maxRows) => {
    const scanWith =
      (used: Query, table: Table): Scan<GroupScan> =>
      (range, count) => {
        const { bind, values } = createBind();
        const place = table(bind, range, count);
        return scanGroups(used, place, {
          conditions: conditionsOf(accountId, search, bind),
          by,
          count,
          values,
        });
      };
    // A scan adapts to what it has read: a page is all of it.
    const scanNext = chooseScan(accountId, search, { query, inBlocks, scanWith });
    const { from = 0, to } = search;
    const counts: GroupCount[] = [];
    let before = after ?? NEWEST;
    if (to !== undefined && to <= before.at) before = { at: to, seq: 0 };
    for (let rowsRead = 0; ; ) {
      const scanned = await scanNext({ before, from }, MAX_SCAN_ROWS, MAX_SCAN_ROWS);
      counts.push(...scanned.counts);
      rowsRead += scanned.rowsRead;
      if (scanned.last === null || rowsRead >= maxRows) return { counts, rowsRead, next: scanned.last };
      before = scanned.last;
    }
  };
}

/** Progress of a scan. */
type Scanned = Pick<ScanResult, 'rowsRead' | 'last'>;
type Scan<Result extends Scanned> = (range: SearchRange, count: number, limit: number) => Promise<Result>;

interface ScanChoice<Result extends Scanned> {
  readonly query: Query;
  readonly inBlocks: Query;
  readonly scanWith: (used: Query, table: Table) => Scan<Result>;
}

/** The scan that serves a search best: it is for one search, from its newest to its oldest. */
function chooseScan<Result extends Scanned>(
  accountId: string,
  search: RelatedSearch,
  { query, inBlocks, scanWith }: ScanChoice<Result>,
): Scan<Result> {
  const table = tableOf(accountId, search);
  if (table !== undefined) return scanWith(query, table);
  const properties = propertiesOf(accountId, search);
  const byShadow = search.shadow === true && properties.length === 0;
  const newest = scanWith(query, indexed(ofAccount(accountId, byShadow)));
  return properties.length === 0
    ? newest
    : createPropertyScan(newest, scanWith(inBlocks, byBlock(properties)));
}

/**
 * First the newest signups of the account, where a common property is found at once; then, with `inBlocks`, spans of time:
 * each so long that it probably has as many signups as are asked for.
 */
function createPropertyScan<Result extends Scanned>(
  newest: Scan<Result>,
  inBlocks: Scan<Result>,
): Scan<Result> {
  let unread = NEWEST_ROWS;
  let spanMs = MINUTE_MS;

  async function scanNewest(range: SearchRange, count: number, limit: number): Promise<Result> {
    // In two steps at least: how long the second took says how far to look for others.
    const maxRows = unread === NEWEST_ROWS ? NEWEST_ROWS / 2 : unread;
    const scanned = await newest(range, Math.min(count, maxRows), limit);
    if (unread < NEWEST_ROWS && scanned.last !== null)
      spanMs = Math.max(MINUTE_MS, GROWTH * (range.before.at - scanned.last.at));
    unread -= scanned.rowsRead;
    return scanned;
  }

  async function scanSpan(range: SearchRange, count: number, limit: number): Promise<Result> {
    const start = spanMs > MAX_SPAN_MS ? range.from : Math.max(range.from, range.before.at - spanMs);
    const scanned = await inBlocks({ before: range.before, from: start }, count, limit);
    const factor = count / (2 * Math.max(1, scanned.rowsRead));
    spanMs = Math.max(MINUTE_MS, Math.round(spanMs * Math.min(GROWTH, Math.max(1 / GROWTH, factor))));
    if (scanned.last !== null || start <= range.from) return scanned;
    return { ...scanned, last: { at: start, seq: 0 } };
  }

  return (range, count, limit) => {
    // A later page is of a property that the newest had too seldom.
    if (unread === NEWEST_ROWS && range.before.at < NEWEST.at) unread = 0;
    return unread > 0 ? scanNewest(range, count, limit) : scanSpan(range, count, limit);
  };
}

interface ScanRow extends HistoryRow {
  readonly rows_read: number;
  readonly last_at: number;
  readonly last_seq: number;
}

interface ScanLimits {
  readonly count: number;
  readonly limit: number;
  readonly values: readonly SqlValue[];
}

async function scan(
  query: Query,
  place: string,
  conditions: string,
  { count, limit, values }: ScanLimits,
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
  const found = rows.filter(({ request_id }) => request_id !== null).map(toFound);
  return { found, rowsRead, last: rowsRead < count ? null : { at, seq } };
}

interface GroupScan extends Scanned {
  readonly counts: readonly GroupCount[];
}

interface GroupRow extends Pick<ScanRow, 'rows_read' | 'last_at' | 'last_seq'> {
  readonly value: string | null;
  readonly verdict: Verdict | null;
  readonly shadow: boolean;
  readonly count: number;
  readonly newest: number;
  readonly oldest: number;
}

interface GroupScanOptions {
  readonly conditions: string;
  readonly by: GroupBy;
  readonly count: number;
  readonly values: readonly SqlValue[];
}

async function scanGroups(
  query: Query,
  place: string,
  { conditions, by, count, values }: GroupScanOptions,
): Promise<GroupScan> {
  const rows = await query<GroupRow>(
    `WITH place AS MATERIALIZED (${place})
    SELECT scanned.*, counted.* FROM (SELECT count(*) AS rows_read, (array_agg(at ORDER BY at, seq))[1] AS last_at,
        (array_agg(seq ORDER BY at, seq))[1] AS last_seq FROM place) AS scanned
      LEFT JOIN (SELECT ${GROUP_VALUES[by]} AS value, a.verdict, a.shadow, count(*) AS count, max(a.at) AS newest,
          min(a.at) AS oldest FROM place AS a WHERE ${conditions} GROUP BY 1, 2, 3) AS counted ON true`,
    values,
  );
  const { rows_read: rowsRead, last_at: at, last_seq: seq } = rows[0] as GroupRow;
  return {
    counts: rows.flatMap((row) => toGroupCount(row, by)),
    rowsRead,
    last: rowsRead < count ? null : { at, seq },
  };
}

/** An empty list where nothing was counted. */
function toGroupCount(
  { value, verdict, shadow, count, newest, oldest }: GroupRow,
  by: GroupBy,
): GroupCount[] {
  if (verdict === null) return [];
  return [
    {
      value: value === null ? null : decodeValue(value, by),
      verdict,
      shadow,
      count,
      newestAt: newest,
      oldestAt: oldest,
    },
  ];
}

function decodeValue(value: string, by: GroupBy): string | null {
  if (by === 'mail_host') return operatorOf(value);
  return by === 'session' ? decodeText(value) : value;
}

/** The index that serves a search better than its properties do; `undefined` where none does. */
function tableOf(accountId: string, search: RelatedSearch): Table | undefined {
  const ids = requestIdsOf(search);
  if (ids.length > 0)
    return indexed((bind) => `request_id IN (${ids.map((id) => bind(encodeText(id))).join(', ')})`);
  return isReported(search) ? byFeedback(accountId) : undefined;
}

/** Condition by time. Assessments in shadow mode have an index of their own, which no others are in. */
function ofAccount(accountId: string, byShadow: boolean): (bind: Bind) => string {
  return (bind) => `account_id = ${bind(accountId)}${byShadow ? ' AND shadow' : ''}`;
}

/** The parts of a search that the summaries of blocks know. */
function propertiesOf(accountId: string, search: RelatedSearch): readonly Property[] {
  const { sessionId, domain, mailbox, network, ip, asn = 0, where = {} } = search;
  const properties: Property[] = [];
  const add = (expression: string, value: (bind: Bind) => string) =>
    properties.push((bind) => isProperty('hashtextextended', expression, value(bind), bind(accountId)));
  const addText = (column: string, text: string | undefined) => {
    if (text !== undefined) add(column, (bind) => `${bind(text)}::text`);
  };
  addText('session_id', sessionId === undefined ? undefined : encodeText(sessionId));
  addText('mailbox_hash', mailbox);
  const mailboxes = where.mailbox?.any ?? [];
  if (mailboxes.length > 0)
    properties.push((bind) => {
      const isOne = (text: string) =>
        isProperty('hashtextextended', 'mailbox_hash', `${bind(text)}::text`, bind(accountId));
      return `(${mailboxes.map(isOne).join(' OR ')})`;
    });
  addText('email_domain', domain === undefined ? undefined : encodeText(domain));
  if (network !== undefined) add(NETWORK, (bind) => withoutDigits(`${bind(network)}::text`));
  if (ip !== undefined && isWithinNetwork(ip)) add(NETWORK, networkOf(ip));
  if (asn > 0)
    properties.push((bind) => isProperty('hashint8extended', 'asn', `${bind(asn)}::bigint`, bind(accountId)));
  return properties;
}

const withoutDigits = (text: string) => `rtrim(${text}, '0123456789')`;
const NETWORK = withoutDigits('network');

/** Whether all addresses of the block are in one /24 or one /64. */
function isWithinNetwork({ first, last }: AddressBlock): boolean {
  const digits = first.includes(':') ? DIGITS_OF_64 : DIGITS_OF_24;
  return ipOrder(first).slice(0, digits) === ipOrder(last).slice(0, digits);
}

/** IPv6 is counted by its /64. */
function networkOf({ first }: AddressBlock): (bind: Bind) => string {
  if (!first.includes(':')) return (bind) => withoutDigits(`${bind(first)}::text`);
  return (bind) => withoutDigits(`host(network(set_masklen(${bind(first)}::inet, 64))) || '/64'`);
}

/** The hash includes the account, which has no condition of its own here: no index by account can be chosen. */
function isProperty(
  hash: 'hashtextextended' | 'hashint8extended',
  expression: string,
  value: string,
  account: string,
): string {
  const hashed = (text: string, of: string) => `${hash}(${text}, hashtextextended(${of}, 0))`;
  return `${hashed(expression, 'account_id')} = ${hashed(value, `${account}::text`)}`;
}

/**
 * An id begins with its time, which is not before that of its signup, but for a clock that is wrong: older months are not
 * read. Newer blocks are not read either, which `within` does not say to an index of blocks.
 */
function byBlock(properties: readonly Property[]): Table {
  return (bind, range, count) => {
    const conditions = properties.map((property) => property(bind)).join(' AND ');
    const first = bind(firstIdAt(range.from - DAY_MS));
    const last = bind(range.before.at);
    return select(
      `${conditions} AND request_id >= ${first} AND at <= ${last}`,
      rangeCondition(bind, range),
      count,
    );
  };
}

function byFeedback(accountId: string): Table {
  return (bind, range, count) => `SELECT a.* FROM (
      SELECT request_id FROM feedback WHERE account_id = ${bind(accountId)}
        AND ${rangeCondition(bind, range, 'assessed_at')} ORDER BY assessed_at DESC, seq DESC LIMIT ${count}
    ) AS f ${JOIN_ASSESSMENT}`;
}

function indexed(condition: (bind: Bind) => string): Table {
  return (bind, range, count) => select(condition(bind), rangeCondition(bind, range), count);
}

function select(condition: string, range: string, count: number): string {
  return `SELECT ${COLUMNS} FROM assessments WHERE ${condition} AND ${range} ORDER BY at DESC, seq DESC LIMIT ${count}`;
}

function rangeCondition(bind: Bind, { before, from }: SearchRange, at = 'at'): string {
  return `(${at}, seq) < (${bind(before.at)}, ${bind(before.seq)}) AND ${at} >= ${bind(from)}`;
}
