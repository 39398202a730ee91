/** Decides what the filter of signups in a URL means. */
import { type AssessmentFilter, LABELS } from '../contract/dashboard-assessments.ts';
import { VERDICTS } from '../contract/messages.ts';
import { REASON_CODES } from '../contract/reasons.ts';
import { parseInstant } from '../platform/timestamp.ts';
import type { HistorySearch } from '../store/history-store.ts';
import { readPeriod, spanOf } from './dashboard-periods.ts';
import { oneOf, readMode, shown, unusable } from './dashboard-values.ts';

/** Readers of addresses and names; each returns `undefined` for any other text. */
export interface SearchReaders {
  /** First and last address of a block in canonical text; of a single address, the same twice. */
  readonly block: (text: string) => { readonly first: string; readonly last: string } | undefined;
  /** Lower case, A-labels. */
  readonly domain: (text: string) => string | undefined;
}

type Reading = (text: string, readers: SearchReaders, now: number) => HistorySearch;

const HIGHEST_ASN = 4_294_967_295;

const READINGS: Readonly<Record<keyof AssessmentFilter, Reading>> = {
  mode: (text) => ({ mode: readMode(text) }),
  shadow: (text) => ({ shadow: oneOf(['true', 'false'], 'shadow', text) === 'true' }),
  verdict: (text) => ({ verdicts: [oneOf(VERDICTS, 'verdict', text)] }),
  reason: (text) => ({ reason: oneOf(REASON_CODES, 'reason', text) }),
  score_min: (text) => ({ scoreMin: scoreOf('score_min', text) }),
  score_max: (text) => ({ scoreMax: scoreOf('score_max', text) }),
  domain: (text, readers) => {
    const domain = readers.domain(text);
    if (domain !== undefined) return { domain };
    throw unusable('domain', `${shown(text)} is not a domain.`, 'Send a domain such as example.com.');
  },
  ip: (text, readers) => {
    const ip = readers.block(text);
    if (ip !== undefined) return { ip };
    throw unusable(
      'ip',
      `${shown(text)} is not an IP address or a CIDR block.`,
      'Send an address such as 203.0.113.7 or a block such as 203.0.113.0/24.',
    );
  },
  asn: (text) => {
    const asn = Number(/^(?:as)?(\d{1,10})$/i.exec(text.trim())?.[1]);
    if (asn <= HIGHEST_ASN) return { asn };
    throw unusable('asn', `${shown(text)} is not an AS number.`, 'Send a number such as AS64500.');
  },
  country: (text) => {
    if (/^[a-z]{2}$/i.test(text.trim())) return { country: text.trim().toUpperCase() };
    throw unusable('country', `${shown(text)} is not a country code.`, 'Send two letters such as FR.');
  },
  key: (text) => ({ keyId: text }),
  period: (text, _, now) => spanOf(readPeriod(text), now),
  from: (text) => ({ from: instantOf('from', text) }),
  to: (text) => ({ to: instantOf('to', text) }),
  feedback: (text) => ({ feedback: oneOf([...LABELS, 'any', 'none'], 'feedback', text) }),
  session_id: (text) => ({ sessionId: text }),
  request_id: (text) => ({ requestId: text.trim() }),
};

/** Members of the query that are no filters. */
const BESIDE = ['cursor', 'limit'];

/** @throws Problem `invalid_value` with the member at fault; an unknown member is refused, not ignored */
export function readLogFilter(
  query: Readonly<Record<string, string>>,
  readers: SearchReaders,
  now: number,
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
      return READINGS[name as keyof AssessmentFilter](value, readers, now);
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
    ...(from > 0 && { from }),
    ...(to < Number.POSITIVE_INFINITY && { to }),
  };
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
