/** What a search asks of an assessment, as conditions in SQL; nothing else decides what is found. */
import type { HistorySearch } from '../history-search.ts';
import { encodeText } from '../text.ts';
import type { PostgresValue } from './database.ts';

/** A search, and what nobody can ask for in words. */
/** Takes a value of a statement and gives its place in it: `$3`. */
export type Bind = (value: PostgresValue) => string;

/** Collects the values of a statement. */
export function createBind(): { readonly bind: Bind; readonly values: readonly PostgresValue[] } {
  const values: PostgresValue[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

/** Over `a`, an assessment of the account; its feedback, where it is asked for, is looked up. */
export function conditionsOf(accountId: string, search: HistorySearch, bind: Bind): string {
  const parts = [`a.account_id = ${bind(accountId)}`];
  const ask = (sql: string, value: PostgresValue | undefined) => {
    if (value !== undefined) parts.push(`${sql} ${bind(value)}`);
  };
  const text = (value: string | undefined) => (value === undefined ? undefined : encodeText(value));
  ask('a.mode =', search.mode);
  if (search.verdicts !== undefined) parts.push(`a.verdict = ANY (${bind(search.verdicts)}::text[])`);
  if (search.reason !== undefined)
    parts.push(`${bind(search.reason)} = ANY (string_to_array(a.reasons, ' '))`);
  ask('a.score >=', search.scoreMin);
  ask('a.score <=', search.scoreMax);
  ask('a.email_domain =', text(search.domain));
  ask('a.asn =', search.asn);
  ask('a.country_code =', text(search.country));
  ask('a.key_id =', text(search.keyId));
  ask('a.at >=', search.from);
  ask('a.at <', search.to);
  ask('a.session_id =', text(search.sessionId));
  ask('a.request_id =', text(search.requestId));
  ask('a.network =', search.network);
  ask('a.mailbox_hash =', search.mailbox);
  ask('a.address_hash =', search.address);
  if (search.below !== undefined) {
    const ending = encodeText(`.${search.below}`);
    parts.push(`right(a.email_domain, ${ending.length}) = ${bind(ending)}`);
  }
  // Addresses sort by family first: none of another one is between two of one.
  const { ip } = search;
  if (ip !== undefined) parts.push(`a.ip::inet BETWEEN ${bind(ip.first)}::inet AND ${bind(ip.last)}::inet`);
  if (search.feedback === 'any') parts.push(`${OUTCOME} IS NOT NULL`);
  else if (search.feedback === 'none') parts.push(`${OUTCOME} IS NULL`);
  else ask(`${OUTCOME} =`, search.feedback);
  return parts.join(' AND ');
}

/** Looked up one by one: a join might be planned as a look through all feedback there is. */
export const OUTCOME = '(SELECT f.outcome FROM feedback AS f WHERE f.request_id = a.request_id)';
