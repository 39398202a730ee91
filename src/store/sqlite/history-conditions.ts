/** What a search asks of an assessment, as conditions in SQL; nothing else decides what is found. */
import type { HistorySearch } from '../history-search.ts';
import { encodeText } from '../text.ts';
import type { SqliteValue } from './jobs.ts';

/** A search, and what nobody can ask for in words. */
export interface Conditions {
  /** Over `a` (assessments) and `f` (their feedback, if any). */
  readonly sql: string;
  readonly values: readonly SqliteValue[];
}

/** All but the block of addresses, which SQL cannot compare. */
export function conditionsOf(accountId: string, search: HistorySearch): Conditions {
  const parts: string[] = [];
  const values: SqliteValue[] = [];
  const ask = (sql: string, value: SqliteValue | undefined) => {
    if (value === undefined) return;
    parts.push(sql);
    values.push(value);
  };
  ask('a.account_id = ?', accountId);
  ask('a.mode = ?', search.mode);
  if (search.verdicts !== undefined) {
    parts.push(`a.verdict IN (${search.verdicts.map(() => '?').join(', ')})`);
    values.push(...search.verdicts);
  }
  ask("instr(' ' || a.reasons || ' ', ' ' || ? || ' ') > 0", search.reason);
  ask('a.score >= ?', search.scoreMin);
  ask('a.score <= ?', search.scoreMax);
  ask('a.email_domain = ?', search.domain);
  ask('a.asn = ?', search.asn);
  ask('a.country_code = ?', search.country);
  ask('a.key_id = ?', search.keyId);
  ask('a.at >= ?', search.from);
  ask('a.at < ?', search.to);
  ask('a.session_id = ?', search.sessionId === undefined ? undefined : encodeText(search.sessionId));
  ask('a.request_id = ?', search.requestId === undefined ? undefined : encodeText(search.requestId));
  ask('a.network = ?', search.network);
  ask('a.mailbox_hash = ?', search.mailbox);
  ask('a.address_hash = ?', search.address);
  if (search.below !== undefined) {
    const ending = `.${search.below}`;
    parts.push('substr(a.email_domain, ?) = ?');
    values.push(-ending.length, ending);
  }
  if (search.ip !== undefined) parts.push('a.ip IS NOT NULL');
  if (search.feedback === 'any') parts.push('f.outcome IS NOT NULL');
  else if (search.feedback === 'none') parts.push('f.outcome IS NULL');
  else ask('f.outcome = ?', search.feedback);
  return { sql: parts.join(' AND '), values };
}
