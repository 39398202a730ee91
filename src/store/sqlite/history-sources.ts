/** Chooses what a search reads the index by: the property that the fewest assessments have. */
import type { HistorySearch } from '../history-search.ts';
import type { LogPosition } from '../history-store.ts';
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
  search: HistorySearch,
  before: LogPosition,
  from: number,
) => PositionSource;

export function createChoosePositions(log: SqliteConnection, index: SqliteConnection): ChoosePositions {
  const postings = createPostings(index);
  const byRequest = createRequestSource(log);
  const byFeedback = createFeedbackSource(log);
  return (accountId, search, before, from) => {
    if (search.requestId !== undefined) return byRequest(encodeText(search.requestId));
    const sources = termsAsked(search).map(({ kind, values }) =>
      mergeSources(values.map((value) => postings(termOf(accountId, kind, value)))),
    );
    if (search.feedback !== undefined && search.feedback !== 'none') sources.unshift(byFeedback(accountId));
    return rarest(sources, before, from);
  };
}

function rarest(sources: readonly PositionSource[], before: LogPosition, from: number): PositionSource {
  let best = sources[0] as PositionSource;
  let least = Number.POSITIVE_INFINITY;
  if (sources.length === 1) return best;
  for (const source of sources) {
    const estimate = source.estimate(before, from, COUNT_TO);
    if (estimate < least) [best, least] = [source, estimate];
    if (least === 0) break;
  }
  return best;
}

interface Asked {
  readonly kind: TermKind;
  readonly values: readonly string[];
}

/** Rarest first as a rule: among properties that are all common, the first is taken. */
function termsAsked(search: HistorySearch): Asked[] {
  const asked: Asked[] = [];
  const ask = (kind: TermKind, value: string | number | undefined) => {
    if (value !== undefined) asked.push({ kind, values: [String(value)] });
  };
  ask('session', search.sessionId === undefined ? undefined : encodeText(search.sessionId));
  ask('mailbox', search.mailbox);
  ask('network', search.network);
  if (search.ip !== undefined) asked.push(...addressAsked(search.ip));
  ask('domain', search.domain);
  ask('asn', search.asn);
  ask('reason', search.reason);
  ask('country', search.country);
  ask('key', search.keyId);
  if (search.verdicts !== undefined) asked.push({ kind: 'verdict', values: search.verdicts });
  asked.push({ kind: 'mode', values: search.mode === undefined ? MODES : [search.mode] });
  return asked;
}

/** A block wider than what is indexed is looked for among all. */
function addressAsked({ first, last }: { readonly first: string; readonly last: string }): Asked[] {
  if (first === last) return [{ kind: 'network', values: [first] }];
  const near = nearOf(first);
  return near !== undefined && near === nearOf(last) ? [{ kind: 'near', values: [near] }] : [];
}

function createRequestSource(log: SqliteConnection): (requestId: string) => PositionSource {
  const read = log.prepare(
    'SELECT at, seq FROM assessments WHERE request_id = ? AND (at, seq) < (?, ?) AND at >= ?',
  );
  return (requestId) => ({
    read: (before, from) => read.all(requestId, before.at, before.seq, from) as LogPosition[],
    estimate: () => 1,
  });
}

function createFeedbackSource(log: SqliteConnection): (accountId: string) => PositionSource {
  const places = `SELECT assessed_at AS at, seq FROM feedback
    WHERE account_id = ? AND (assessed_at, seq) < (?, ?) AND assessed_at >= ?`;
  const read = log.prepare(`${places} ORDER BY assessed_at DESC, seq DESC LIMIT ?`);
  const count = log.prepare(`SELECT count(*) AS count FROM (${places} LIMIT ?)`);
  return (accountId) => ({
    read: (before, from, limit) => read.all(accountId, before.at, before.seq, from, limit) as LogPosition[],
    estimate: (before, from, most) =>
      (count.get(accountId, before.at, before.seq, from, most) as { count: number }).count,
  });
}
