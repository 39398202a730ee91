/** Decides what the filter of signups in a URL means. */
import { type AssessmentFilter, LABELS } from '../contract/dashboard-assessments.ts';
import { DETECTOR_NAMES } from '../contract/detectors.ts';
import { type FilterValues, parseFilterValues } from '../contract/filter-values.ts';
import { VERDICTS, type Verdict } from '../contract/messages.ts';
import { REASON_CODES } from '../contract/reasons.ts';
import { SIGNUP_OUTCOMES, type SignupOutcome } from '../model/outcome.ts';
import type { TimeZone } from '../model/time-zone.ts';
import { parseInstant } from '../platform/timestamp.ts';
import { chooses } from '../store/history-choices.ts';
import type { AddressBlock } from '../store/history-search.ts';
import type { ChosenValues, DomainScope, HistorySearch } from '../store/history-store.ts';
import { recentSpanOf } from './dashboard-periods.ts';
import { oneOf, readMode, shown, unusable } from './dashboard-values.ts';
import { readRecallFilter } from './recall-filter.ts';

/** Readers of addresses and names; each returns `undefined` for any other text. */
export interface SearchReaders {
  /** First and last address of a block in canonical text; of a single address, the same twice. */
  readonly block: (text: string) => { readonly first: string; readonly last: string } | undefined;
  /** Lower case, A-labels. */
  readonly domain: (text: string) => string | undefined;
}

/** The clock by which a period is read. */
export interface AccountClock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly timeZone: TimeZone;
}

type Reading = (text: string, readers: SearchReaders, clock: AccountClock) => HistorySearch;

const MAX_VALUES = 100;
const HIGHEST_ASN = 4_294_967_295;
const MAIL_HOST = /^[a-z0-9._-]{1,253}$/;
const ID = /^[\w-]{1,64}$/;
const ATTACK = /^(?:cmp|alr)_\w{1,60}$/;
const MAILBOX = /^[\w-]{10,100}$/;

const READINGS: Readonly<Record<keyof AssessmentFilter, Reading>> = {
  mode: (text) => ({ mode: readMode(text) }),
  shadow: (text) => ({ shadow: oneOf(['true', 'false'], 'shadow', text) === 'true' }),
  let_in: (text) => ({ letIn: oneOf(['true', 'false'], 'let_in', text) === 'true' }),
  verdict: (text) => ({ verdicts: verdictsOf(text) }),
  reason: choiceOf({
    name: 'reason',
    param: 'reason',
    read: (text) => oneOf(REASON_CODES, 'reason', text),
    none: null,
    toSearch: (reason) => (reason === null ? undefined : { reason }),
  }),
  finding: choiceOf({
    name: 'finding',
    param: 'finding',
    read: (text) => oneOf(DETECTOR_NAMES, 'finding', text),
    none: '',
    toSearch: (finding) => ({ finding }),
  }),
  score_min: (text) => ({ scoreMin: scoreOf('score_min', text) }),
  score_max: (text) => ({ scoreMax: scoreOf('score_max', text) }),
  domain: choiceOf({
    name: 'domain',
    param: 'domain',
    read: domainScopeOf,
    toSearch: ({ domain, below }) => (below ? undefined : { domain }),
  }),
  ip: choiceOf({
    name: 'ip',
    param: 'ip',
    read: blockOf,
    none: null,
    toSearch: (ip) => (ip === null ? undefined : { ip }),
  }),
  asn: choiceOf({ name: 'asn', param: 'asn', read: asnOf, none: 0, toSearch: (asn) => ({ asn }) }),
  country: choiceOf({
    name: 'country',
    param: 'country',
    read: countryOf,
    none: '',
    toSearch: (country) => ({ country }),
  }),
  key: choiceOf({ name: 'keyId', param: 'key', read: (text) => text, toSearch: (keyId) => ({ keyId }) }),
  mailbox: choiceOf({
    name: 'mailbox',
    param: 'mailbox',
    read: mailboxOf,
    toSearch: (mailbox) => ({ mailbox }),
  }),
  mail_host: choiceOf({
    name: 'mailHost',
    param: 'mail_host',
    read: mailHostIn,
    none: null,
    toSearch: () => undefined,
  }),
  list_entry: choiceOf({
    name: 'listEntry',
    param: 'list_entry',
    read: (text) => idIn('list_entry', text),
    none: null,
    toSearch: () => undefined,
  }),
  campaign: choiceOf({
    name: 'campaign',
    param: 'campaign',
    read: (text) => idIn('campaign', text),
    none: null,
    toSearch: () => undefined,
  }),
  period: (text, _, { now, timeZone }) => recentSpanOf(text, now, timeZone),
  from: (text) => ({ from: instantOf('from', text) }),
  to: (text) => ({ to: instantOf('to', text) }),
  feedback: (text, ...rest) => (text === 'any' ? { feedback: 'any' } : readFeedback(text, ...rest)),
  session_id: choiceOf({
    name: 'sessionId',
    param: 'session_id',
    read: (text) => text,
    none: null,
    toSearch: (sessionId) => (sessionId === null ? undefined : { sessionId }),
  }),
  request_id: choiceOf({
    name: 'requestId',
    param: 'request_id',
    read: (text) => text.trim(),
    toSearch: (requestId) => ({ requestId }),
  }),
  outcome: (text) => ({ outcomes: outcomesOf(text) }),
  attack: (text) => ({ attack: attackOf(text) }),
  recalled: (text) => ({ recalled: readRecallFilter(text) }),
};

interface ChoiceReading<Name extends keyof ChosenValues> {
  readonly name: Name;
  readonly param: keyof AssessmentFilter;
  /** @throws Problem `invalid_value` */
  read(text: string, readers: SearchReaders): ChosenValues[Name];
  /** Stands for the signups that have no value; absent: all have one. */
  readonly none?: ChosenValues[Name];
  /** The search for a single value; `undefined`: only a choice finds it. */
  toSearch(value: ChosenValues[Name]): HistorySearch | undefined;
}

const readFeedback = choiceOf({
  name: 'feedback',
  param: 'feedback',
  read: (text) => oneOf(LABELS, 'feedback', text),
  none: null,
  toSearch: (label) => ({ feedback: label ?? 'none' }),
});

/** Members of the query that are no filters. */
const BESIDE = ['cursor', 'limit'];

/** @throws Problem `invalid_value` with the member at fault; an unknown member is refused, not ignored */
export function readLogFilter(
  query: Readonly<Record<string, string>>,
  readers: SearchReaders,
  clock: AccountClock,
): HistorySearch {
  const parts = Object.entries(query)
    .filter(([name, value]) => !BESIDE.includes(name) && value !== '')
    .map(([name, value]) => {
      if (!Object.hasOwn(READINGS, name)) {
        throw unusable(
          name,
          'This filter does not exist.',
          `The filters are ${Object.keys(READINGS).join(', ')}.`,
        );
      }
      return READINGS[name as keyof AssessmentFilter](value, readers, clock);
    });
  return parts.reduce(narrow, {});
}

/** Combines two filters: an instant together with a period makes it shorter, never longer. */
function narrow(search: HistorySearch, part: HistorySearch): HistorySearch {
  const from = Math.max(search.from ?? 0, part.from ?? 0);
  const to = Math.min(search.to ?? Number.POSITIVE_INFINITY, part.to ?? Number.POSITIVE_INFINITY);
  return {
    ...search,
    ...part,
    ...((search.where ?? part.where) && { where: { ...search.where, ...part.where } }),
    ...(from > 0 && { from }),
    ...(to < Number.POSITIVE_INFINITY && { to }),
  };
}

function choiceOf<Name extends keyof ChosenValues>(reading: ChoiceReading<Name>): Reading {
  const { name, param, read, none, toSearch } = reading;
  return (text, readers) => {
    const readValue = (value: string | null) => {
      if (value !== null) return read(value, readers);
      if (none !== undefined) return none;
      throw unusable(param, `Every signup has a value for \`${param}\`.`, 'Send a value instead of `none`.');
    };
    const written = valuesOf(param, text);
    const any = written.any.map(readValue);
    const not = written.not.map(readValue);
    const [only] = any;
    const single = only !== undefined && any.length === 1 ? toSearch(only) : undefined;
    if (single === undefined) return { where: { [name]: { any, not } } };
    return not.length === 0 ? single : { ...single, where: { [name]: { any: [], not } } };
  };
}

function valuesOf(param: string, text: string): FilterValues {
  const values = parseFilterValues(text);
  const count = values.any.length + values.not.length;
  if (count >= 1 && count <= MAX_VALUES) return values;
  throw unusable(
    param,
    `\`${param}\` has ${count} values.`,
    `Send 1 to ${MAX_VALUES} values, separated by commas, with \`!\` before a value to leave out.`,
  );
}

function verdictsOf(text: string): Verdict[] {
  const { any, not } = valuesOf('verdict', text);
  const read = (value: string | null) => oneOf(VERDICTS, 'verdict', value ?? 'none');
  const choice = { any: any.map(read), not: not.map(read) };
  return VERDICTS.filter((verdict) => chooses(choice, (value) => value === verdict));
}

function outcomesOf(text: string): readonly SignupOutcome[] {
  if (text === 'any') return SIGNUP_OUTCOMES;
  const { any, not } = valuesOf('outcome', text);
  if (not.length > 0)
    throw unusable('outcome', 'Outcomes cannot be left out.', 'Send those that the signups have.');
  return [...new Set(any.map((value) => oneOf(SIGNUP_OUTCOMES, 'outcome', value ?? 'none')))];
}

function domainScopeOf(text: string, readers: SearchReaders): DomainScope {
  const below = text.trim().startsWith('.');
  const domain = readers.domain(below ? text.trim().slice(1) : text);
  if (domain !== undefined) return { domain, below };
  throw unusable(
    'domain',
    `${shown(text)} is not a domain.`,
    'Send a domain such as example.com, or .example.com for a domain and its sub-domains.',
  );
}

function blockOf(text: string, readers: SearchReaders): AddressBlock {
  const ip = readers.block(text);
  if (ip !== undefined) return ip;
  throw unusable(
    'ip',
    `${shown(text)} is not an IP address or a CIDR block.`,
    'Send an address such as 203.0.113.7 or a block such as 203.0.113.0/24.',
  );
}

function asnOf(text: string): number {
  const asn = Number(/^(?:as)?(\d{1,10})$/i.exec(text.trim())?.[1]);
  if (asn <= HIGHEST_ASN) return asn;
  throw unusable('asn', `${shown(text)} is not an AS number.`, 'Send a number such as AS64500.');
}

function countryOf(text: string): string {
  if (/^[a-z]{2}$/i.test(text.trim())) return text.trim().toUpperCase();
  throw unusable('country', `${shown(text)} is not a country code.`, 'Send two letters such as FR.');
}

function mailboxOf(text: string): string {
  if (MAILBOX.test(text)) return text;
  throw unusable(
    'mailbox',
    'This is not the hash of a mailbox.',
    'Send the hash that a search for the address returned. An address itself must not be in a URL.',
  );
}

function idIn(param: string, text: string): string {
  if (ID.test(text)) return text;
  throw unusable(param, `${shown(text)} is not an id.`, 'Send the id that the dashboard links to.');
}

function attackOf(text: string): string {
  if (ATTACK.test(text)) return text;
  throw unusable(
    'attack',
    `${shown(text)} is not the id of a wave or an alert.`,
    'Send an id such as cmp_….',
  );
}

function mailHostIn(text: string): string {
  const name = text.trim().toLowerCase();
  if (MAIL_HOST.test(name)) return name;
  throw unusable('mail_host', `${shown(text)} is not a host name.`, 'Send a name such as mail.example.com.');
}

function scoreOf(param: string, text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw unusable(param, `${shown(text)} is not a score.`, 'Send a whole number from 0 to 100.');
}

function instantOf(param: string, text: string): number {
  // In a URL, the + of an offset that was not escaped arrives as a space.
  const at = parseInstant(text.replace(' ', '+'));
  if (at !== undefined) return at;
  throw unusable(
    param,
    `${shown(text)} is not a time.`,
    'Send an RFC 3339 time such as 2026-11-21T12:00:00Z.',
  );
}
