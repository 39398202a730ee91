/** Chooses what a search reads the index by: the property that the fewest assessments have. */
import type { AddressBlock, RelatedSearch } from '../history-search.ts';
import type { HistoryPosition } from '../history-store.ts';
import { encodeText } from '../text.ts';
import type { SqliteConnection } from './connection.ts';
import {
  createPostings,
  mergeSources,
  nearOf,
  type PositionSource,
  type TermKind,
  termOf,
} from './history-postings.ts';

/** One property is as common as another from here on. */
const COUNT_TO = 2_000;
const MODES = ['live', 'test'];

export type ChoosePositions = (
  accountId: string,
  search: RelatedSearch,
  before: HistoryPosition,
  from: number,
) => PositionSource;

export function createChoosePositions(log: SqliteConnection, index: SqliteConnection): ChoosePositions {
  const postings = createPostings(index);
  const byRequest = createRequestSource(log);
  const byFeedback = createFeedbackSource(log);
  const byShadow = createShadowSource(log);
  return (accountId, search, before, from) => {
    if (search.requestId !== undefined) return byRequest(encodeText(search.requestId));
    const sources = termsOfSearch(search).map(({ kind, values }) =>
      mergeSources(values.map((value) => postings(termOf(accountId, kind, value)))),
    );
    if (search.feedback !== undefined && search.feedback !== 'none') sources.unshift(byFeedback(accountId));
    if (search.shadow === true) sources.unshift(byShadow(accountId));
    return rarest(sources, before, from);
  };
}

function rarest(sources: readonly PositionSource[], before: HistoryPosition, from: number): PositionSource {
  let best = sources[0] as PositionSource;
  let lowest = Number.POSITIVE_INFINITY;
  if (sources.length === 1) return best;
  for (const source of sources) {
    const estimate = source.estimate(before, from, COUNT_TO);
    if (estimate < lowest) [best, lowest] = [source, estimate];
    if (lowest === 0) break;
  }
  return best;
}

interface TermSearch {
  readonly kind: TermKind;
  readonly values: readonly string[];
}

/** As a rule the rarest first: of several common ones, the first is taken. */
function termsOfSearch(search: RelatedSearch): TermSearch[] {
  const terms: TermSearch[] = [];
  const add = (kind: TermKind, value: string | number | undefined) => {
    if (value !== undefined) terms.push({ kind, values: [String(value)] });
  };
  add('session', search.sessionId === undefined ? undefined : encodeText(search.sessionId));
  add('mailbox', search.mailbox);
  add('network', search.network);
  if (search.ip !== undefined) terms.push(...addressTerms(search.ip));
  add('domain', search.domain);
  add('asn', search.asn);
  add('reason', search.reason);
  add('country', search.country);
  add('key', search.keyId);
  if (search.verdicts !== undefined) terms.push({ kind: 'verdict', values: search.verdicts });
  terms.push({ kind: 'mode', values: search.mode === undefined ? MODES : [search.mode] });
  return terms;
}

/** None for a block that is wider than what is indexed. */
function addressTerms({ first, last }: AddressBlock): TermSearch[] {
  if (first === last) return [{ kind: 'network', values: [first] }];
  const near = nearOf(first);
  return near !== undefined && near === nearOf(last) ? [{ kind: 'near', values: [near] }] : [];
}

function createRequestSource(log: SqliteConnection): (requestId: string) => PositionSource {
  const read = log.prepare(
    'SELECT at, seq FROM assessments WHERE request_id = ? AND (at, seq) < (?, ?) AND at >= ?',
  );
  return (requestId) => ({
    read: (before, from) => read.all(requestId, before.at, before.seq, from) as HistoryPosition[],
    estimate: () => 1,
  });
}

function createFeedbackSource(log: SqliteConnection): (accountId: string) => PositionSource {
  return createAccountSource(
    log,
    `SELECT assessed_at AS at, seq FROM feedback
      WHERE account_id = ? AND (assessed_at, seq) < (?, ?) AND assessed_at >= ?`,
  );
}

/** Reads an index of its own, which other assessments are not in. */
function createShadowSource(log: SqliteConnection): (accountId: string) => PositionSource {
  return createAccountSource(
    log,
    'SELECT at, seq FROM assessments WHERE account_id = ? AND (at, seq) < (?, ?) AND at >= ? AND shadow',
  );
}

/** @param positions statement for the positions of an account before one, from an instant on */
function createAccountSource(
  log: SqliteConnection,
  positions: string,
): (accountId: string) => PositionSource {
  const read = log.prepare(`${positions} ORDER BY at DESC, seq DESC LIMIT ?`);
  const count = log.prepare(`SELECT count(*) AS count FROM (${positions} LIMIT ?)`);
  return (accountId) => ({
    read: (before, from, limit) =>
      read.all(accountId, before.at, before.seq, from, limit) as HistoryPosition[],
    estimate: (before, from, max) =>
      (count.get(accountId, before.at, before.seq, from, max) as { count: number }).count,
  });
}
