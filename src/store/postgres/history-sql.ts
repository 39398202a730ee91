/** Parts that statements about stored assessments share: columns, look-ups, the conditions of a search. */
import type { RelatedSearch } from '../history-search.ts';
import type { SqlValue } from '../sql-database.ts';
import { encodeText } from '../text.ts';

/** Adds a value to a statement and returns its placeholder, such as `$3`. */
export type Bind = (value: SqlValue) => string;

/** Columns of `assessments` that rows and conditions need. */
export const COLUMNS = `request_id, seq, account_id, at, mode, shadow, verdict, score, reasons, email_domain, mailbox_hash, address_hash,
  coalesce(email, email_masked) AS shown, ip, network, country_code, asn, key_id, session_id`;
// Looked up row by row: a join might be planned as a scan of all feedback.
const OUTCOME = '(SELECT f.outcome FROM feedback AS f WHERE f.request_id = a.request_id)';
/** Name of the key of `a`. */
export const KEY_NAME = `coalesce((SELECT k.name FROM keys AS k WHERE k.id = a.key_id),
  (SELECT h.name FROM hooks AS h WHERE h.id = a.key_id), '') AS key_name`;
/** The columns of a row besides `COLUMNS`. */
export const LOOK_UPS = `${OUTCOME} AS outcome, ${KEY_NAME}`;

/** Collects the values of a statement. */
export function createBind() {
  const values: SqlValue[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  return { values, bind };
}

/** The conditions of a search on `a`, an assessment of the account. Nothing else affects the result. */
export function conditionsOf(accountId: string, search: RelatedSearch, bind: Bind): string {
  const parts = [`a.account_id = ${bind(accountId)}`];
  const where = (sql: string, value: SqlValue | undefined) => {
    if (value !== undefined) parts.push(`${sql} ${bind(value)}`);
  };
  const text = (value: string | undefined) => (value === undefined ? undefined : encodeText(value));
  where('a.mode =', search.mode);
  if (search.shadow !== undefined) parts.push(search.shadow ? 'a.shadow' : 'NOT a.shadow');
  if (search.verdicts !== undefined) parts.push(`a.verdict IN (${search.verdicts.map(bind).join(', ')})`);
  if (search.reason !== undefined)
    parts.push(`strpos(' ' || a.reasons || ' ', ${bind(` ${search.reason} `)}) > 0`);
  where('a.score >=', search.scoreMin);
  where('a.score <=', search.scoreMax);
  where('a.email_domain =', text(search.domain));
  where('a.asn =', search.asn);
  where('a.country_code =', text(search.country));
  where('a.key_id =', text(search.keyId));
  where('a.at >=', search.from);
  where('a.at <', search.to);
  where('a.session_id =', text(search.sessionId));
  where('a.request_id =', text(search.requestId));
  where('a.network =', search.network);
  where('a.mailbox_hash =', search.mailbox);
  where('a.address_hash =', search.address);
  if (search.below !== undefined) {
    const ending = encodeText(`.${search.below}`);
    const start = `length(a.email_domain) + 1 - ${bind(ending.length)}`;
    parts.push(`substr(a.email_domain, ${start}) = ${bind(ending)}`);
  }
  // Addresses sort by family first: no address of one family is between two of the other.
  if (search.ip !== undefined)
    parts.push(`a.ip::inet BETWEEN ${bind(search.ip.first)}::inet AND ${bind(search.ip.last)}::inet`);
  if (search.feedback === 'any') parts.push(`${OUTCOME} IS NOT NULL`);
  else if (search.feedback === 'none') parts.push(`${OUTCOME} IS NULL`);
  else where(`${OUTCOME} =`, search.feedback);
  return parts.join(' AND ');
}
