/** Where a search can look, newest first: the indexes of the log, each of them as a source of assessments. */
import { ipOrder } from '../history-ip-order.ts';
import type { HistorySearch } from '../history-search.ts';
import type { LogPosition } from '../history-store.ts';
import { encodeText } from '../text.ts';
import type { Bind } from './history-conditions.ts';

/** Where a look begins and ends: strictly before a place, no older than an instant. */
export interface SearchRange {
  readonly before: LogPosition;
  readonly from: number;
}

export interface PostgresSearchSource {
  /** Assessments of the source within reach as a table, newest first, at most `count`. */
  table(bind: Bind, reach: SearchRange, count: number): string;
  /** A look at more than so many would cost more than it is worth. */
  readonly maxScanRows: number;
}

const MAX_SCAN_ROWS = 4_000;
/** Of each address of a block. */
const MAX_SCAN_ROWS_EACH = 500;
const DIGITS_OF_24 = 6;
const DIGITS_OF_64 = 16;
const COLUMNS = `request_id, seq, account_id, at, mode, verdict, score, reasons, email_domain, mailbox_hash, address_hash,
  coalesce(email, email_masked) AS shown, ip, network, country_code, asn, key_id, session_id`;

/** Those that serve a search, the rarest property first as a rule; everything of the account where none does. */
export function sourcesOf(accountId: string, search: HistorySearch): readonly PostgresSearchSource[] {
  const { requestId, sessionId, ip } = search;
  if (requestId !== undefined) return [byRequest(encodeText(requestId))];
  const sources: PostgresSearchSource[] = [];
  const ask = (column: string, value: string | undefined) => {
    if (value !== undefined) sources.push(byProperty(accountId, column, (bind) => `${bind(value)}::text`));
  };
  if (search.feedback !== undefined && search.feedback !== 'none') sources.push(byFeedback(accountId));
  ask('session_id', sessionId === undefined ? undefined : encodeText(sessionId));
  ask('mailbox_hash', search.mailbox);
  ask('network', search.network);
  if (ip !== undefined) sources.push(...byAddress(accountId, ip));
  ask('email_domain', search.domain === undefined ? undefined : encodeText(search.domain));
  if (search.asn !== undefined && search.asn > 0) sources.push(byAsn(accountId, search.asn));
  return sources.length > 0 ? sources : [byTime(accountId)];
}

function byTime(accountId: string): PostgresSearchSource {
  return indexed((bind) => `account_id = ${bind(accountId)}`);
}

function byRequest(requestId: string): PostgresSearchSource {
  return indexed((bind) => `request_id = ${bind(requestId)}`);
}

function byProperty(accountId: string, column: string, value: (bind: Bind) => string): PostgresSearchSource {
  return indexed((bind) => isProperty(column, value(bind), bind(accountId)));
}

function byAsn(accountId: string, asn: number): PostgresSearchSource {
  const hash = (value: string, account: string) =>
    `hashint8extended(${value}, hashtextextended(${account}, 0))`;
  return indexed(
    (bind) =>
      `${hash('asn', 'account_id')} = ${hash(`${bind(asn)}::bigint`, `${bind(accountId)}::text`)} AND asn > 0`,
  );
}

/** A block wider than a /24 or a /64 is looked for among all. */
function byAddress(
  accountId: string,
  { first, last }: { readonly first: string; readonly last: string },
): PostgresSearchSource[] {
  const isV6 = first.includes(':');
  const digits = isV6 ? DIGITS_OF_64 : DIGITS_OF_24;
  if (ipOrder(first).slice(0, digits) !== ipOrder(last).slice(0, digits)) return [];
  if (!isV6 && first !== last) return [byAddressesOf24(accountId, first, last)];
  // IPv6 is counted, and indexed, by its /64.
  const network = (bind: Bind) => `host(network(set_masklen(${bind(first)}::inet, 64))) || '/64'`;
  return [byProperty(accountId, 'network', isV6 ? network : (bind) => `${bind(first)}::text`)];
}

/** A look by each address of the block, the newest of all of them. */
function byAddressesOf24(accountId: string, first: string, last: string): PostgresSearchSource {
  return {
    maxScanRows: MAX_SCAN_ROWS_EACH,
    table(bind, reach, count) {
      const start = `${bind(first)}::inet`;
      const one = select(isProperty('network', 'n.address', bind(accountId)), within(bind, reach), count);
      return `SELECT a.* FROM
          (SELECT host(${start} + i) AS address FROM generate_series(0, ${bind(last)}::inet - ${start}) AS i) AS n
          CROSS JOIN LATERAL (${one}) AS a
        ORDER BY a.at DESC, a.seq DESC LIMIT ${count}`;
    },
  };
}

function byFeedback(accountId: string): PostgresSearchSource {
  return {
    maxScanRows: MAX_SCAN_ROWS,
    table(bind, reach, count) {
      return `SELECT a.* FROM (
          SELECT request_id FROM feedback WHERE account_id = ${bind(accountId)}
            AND ${within(bind, reach, 'assessed_at')} ORDER BY assessed_at DESC, seq DESC LIMIT ${count}
        ) AS f CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM assessments WHERE request_id = f.request_id LIMIT 1) AS a`;
    },
  };
}

function indexed(condition: (bind: Bind) => string): PostgresSearchSource {
  return {
    maxScanRows: MAX_SCAN_ROWS,
    table: (bind, reach, count) => select(condition(bind), within(bind, reach), count),
  };
}

function select(condition: string, reach: string, count: number): string {
  return `SELECT ${COLUMNS} FROM assessments WHERE ${condition} AND ${reach} ORDER BY at DESC, seq DESC LIMIT ${count}`;
}

/** The hash stands for the account too, which is left out of it here: so no other index comes into question. */
function isProperty(column: string, value: string, account: string): string {
  const hash = (text: string, of: string) => `hashtextextended(${text}, hashtextextended(${of}, 0))`;
  return `${hash(column, 'account_id')} = ${hash(value, `${account}::text`)} AND ${column} IS NOT NULL`;
}

function within(bind: Bind, { before, from }: SearchRange, at = 'at'): string {
  return `(${at}, seq) < (${bind(before.at)}, ${bind(before.seq)}) AND ${at} >= ${bind(from)}`;
}
