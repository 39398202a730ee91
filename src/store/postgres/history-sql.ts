/** Parts that statements about stored assessments share: columns, look-ups, the conditions of a search. */
import type { FilterValues } from '../../contract/filter-values.ts';
import { CAMPAIGN_ID_FACT, LIST_ID_FACT, OFFICE_ID_FACT } from '../../model/fact-ids.ts';
import { namesOf } from '../history-choices.ts';
import { HOUR_MS, MINUTE_MS } from '../history-groups.ts';
import type { AddressBlock, RelatedSearch } from '../history-search.ts';
import type { ChosenValues, GroupBy } from '../history-store.ts';
import type { SqlValue } from '../sql-database.ts';
import { encodeText } from '../text.ts';

/** Adds a value to a statement and returns its placeholder, such as `$3`. */
export type Bind = (value: SqlValue) => string;

/** Columns of `assessments` that rows and conditions need. */
export const COLUMNS = `request_id, seq, account_id, at, mode, shadow, verdict, score, reasons, email_domain, mailbox_hash, address_hash,
  coalesce(email, email_masked) AS shown, ip, network, country_code, asn, key_id, session_id, facts`;
// Looked up row by row: a join might be planned as a scan of all feedback.
const OUTCOME = '(SELECT f.outcome FROM feedback AS f WHERE f.request_id = a.request_id)';
/** First mail exchange of `a`; null: none is known. */
export const MAIL_HOST = `substring(a.facts from ',"hosts",\\["([^"]*)')`;
/** Detector of the main finding of `a`. */
export const FINDING = 'gatehouse_finding_1(a.facts)';
/** Name of the key of `a`. */
export const KEY_NAME = `coalesce((SELECT k.name FROM keys AS k WHERE k.id = a.key_id),
  (SELECT h.name FROM hooks AS h WHERE h.id = a.key_id), '') AS key_name`;
/** The columns of a row besides `COLUMNS`. */
export const LOOK_UPS = `${OUTCOME} AS outcome, ${KEY_NAME}`;

/** The text by which `a` is grouped. */
export const GROUP_VALUES: Readonly<Record<GroupBy, string>> = {
  all: 'NULL::text',
  range: "CASE WHEN strpos(a.ip, ':') > 0 THEN a.network ELSE regexp_replace(a.ip, '[0-9]+$', '0/24') END",
  network: 'nullif(a.asn, 0)::text',
  domain: 'a.email_domain',
  finding: `nullif(${FINDING}, '')`,
  mailbox: 'a.mailbox_hash',
  mail_host: MAIL_HOST,
  session: 'a.session_id',
  country: "nullif(a.country_code, '')",
  key: 'a.key_id',
  hour: `(a.at / ${HOUR_MS})::text`,
  minute: `(a.at / ${MINUTE_MS})::text`,
};

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
  if (search.letIn !== undefined)
    parts.push(`${search.letIn ? '' : 'NOT '}(a.shadow OR a.verdict = 'allow')`);
  const { verdicts } = search;
  if (verdicts !== undefined)
    parts.push(verdicts.length === 0 ? 'false' : `a.verdict IN (${verdicts.map(bind).join(', ')})`);
  if (search.reason !== undefined) parts.push(hasReason(search.reason, bind));
  where(`${FINDING} =`, search.finding);
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
  if (search.below !== undefined) parts.push(isBelow('a.email_domain', search.below, bind));
  if (search.ip !== undefined) parts.push(isIn(search.ip, bind));
  if (search.feedback === 'any') parts.push(`${OUTCOME} IS NOT NULL`);
  else if (search.feedback === 'none') parts.push(`${OUTCOME} IS NULL`);
  else where(`${OUTCOME} =`, search.feedback);
  for (const name of namesOf(search.where ?? {})) parts.push(...choiceOf(name, search.where?.[name], bind));
  return parts.join(' AND ');
}

function isBelow(name: string, domain: string, bind: Bind): string {
  const ending = encodeText(`.${domain}`);
  return `substr(${name}, length(${name}) + 1 - ${bind(ending.length)}) = ${bind(ending)}`;
}

function isAtOrBelow(name: string, domain: string, bind: Bind): string {
  return `(${name} = ${bind(encodeText(domain))} OR ${isBelow(name, domain, bind)})`;
}

function hasReason(reason: string, bind: Bind): string {
  return `strpos(' ' || a.reasons || ' ', ${bind(` ${reason} `)}) > 0`;
}

function hasFact(beginning: string, bind: Bind): string {
  return `strpos(a.facts, ${bind(beginning)}) > 0`;
}

/** Addresses sort by family first: no address of one family is between two of the other. */
function isIn({ first, last }: AddressBlock, bind: Bind): string {
  return `a.ip::inet BETWEEN ${bind(first)}::inet AND ${bind(last)}::inet`;
}

const HAS: {
  readonly [Name in keyof ChosenValues]: (value: ChosenValues[Name], bind: Bind) => string;
} = {
  reason: (reason, bind) => (reason === null ? "a.reasons = ''" : hasReason(reason, bind)),
  finding: (finding, bind) => `${FINDING} = ${bind(finding)}`,
  domain: ({ domain, below }, bind) =>
    below ? isAtOrBelow('a.email_domain', domain, bind) : `a.email_domain = ${bind(encodeText(domain))}`,
  ip: (block, bind) => (block === null ? 'a.ip IS NULL' : isIn(block, bind)),
  asn: (asn, bind) => `a.asn = ${bind(asn)}`,
  country: (country, bind) => `a.country_code = ${bind(encodeText(country))}`,
  keyId: (keyId, bind) => `a.key_id = ${bind(encodeText(keyId))}`,
  sessionId: (id, bind) => (id === null ? 'a.session_id IS NULL' : `a.session_id = ${bind(encodeText(id))}`),
  mailbox: (mailbox, bind) => `a.mailbox_hash = ${bind(mailbox)}`,
  mailHost: (name, bind) => (name === null ? `${MAIL_HOST} IS NULL` : isAtOrBelow(MAIL_HOST, name, bind)),
  listEntry: (id, bind) => {
    const noList = `NOT ${hasFact(LIST_ID_FACT, bind)}`;
    if (id === null) return `(${noList} AND NOT ${hasFact(OFFICE_ID_FACT, bind)})`;
    const isOffice = hasFact(`${OFFICE_ID_FACT}${id}"`, bind);
    return `(${hasFact(`${LIST_ID_FACT}${id}"`, bind)} OR (${noList} AND ${isOffice}))`;
  },
  campaign: (id, bind) =>
    id === null ? `NOT ${hasFact(CAMPAIGN_ID_FACT, bind)}` : hasFact(`${CAMPAIGN_ID_FACT}${id}"`, bind),
  requestId: (id, bind) => `a.request_id = ${bind(encodeText(id))}`,
  feedback: (label, bind) => (label === null ? `${OUTCOME} IS NULL` : `${OUTCOME} = ${bind(label)}`),
};

/** Condition for one of some values, and none of others. An absent value is not one of them. */
function choiceOf(name: keyof ChosenValues, choice: FilterValues<unknown> | undefined, bind: Bind): string[] {
  const has = HAS[name] as (value: unknown, bind: Bind) => string;
  const { any, not } = choice ?? { any: [], not: [] };
  if (name === 'requestId' && any.length > 0 && not.length === 0)
    return [`a.request_id IN (${any.map((id) => bind(encodeText(id as string))).join(', ')})`];
  const parts = not.map((value) => `(${has(value, bind)}) IS NOT TRUE`);
  if (any.length > 0) parts.push(`(${any.map((value) => has(value, bind)).join(' OR ')})`);
  return parts;
}
