/** Finds assessments by their properties: each is a term, a number under which the index has their positions, newest first. */
import type { HistoryPosition } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';

/** Positions of assessments, newest first. */
export interface PositionSource {
  /** The next positions strictly before one, not older than `from`; fewer than `count` only at the end. */
  read(before: HistoryPosition, from: number, count: number): readonly HistoryPosition[];
  /** About how many there are; counts up to `max`. */
  estimate(before: HistoryPosition, from: number, max: number): number;
}

interface Segment {
  readonly segment: number;
  readonly max_at: number;
}

export function createPostings(index: SqliteConnection): (term: number) => PositionSource {
  const readSegments = index.prepare(
    'SELECT segment, max_at FROM segments WHERE min_at <= ? AND max_at >= ? ORDER BY max_at DESC',
  );
  const readPositions = index.prepare(
    `SELECT at, seq FROM postings WHERE segment = ? AND term = ? AND (at, seq) < (?, ?) AND at >= ?
     ORDER BY at DESC, seq DESC LIMIT ?`,
  );
  const countPositions = index.prepare(
    `SELECT count(*) AS count FROM
       (SELECT 1 FROM postings WHERE segment = ? AND term = ? AND (at, seq) < (?, ?) AND at >= ? LIMIT ?)`,
  );

  return (term) => ({
    read(before, from, count) {
      let found: HistoryPosition[] = [];
      for (const { segment, max_at: newest } of readSegments.all(before.at, from) as Segment[]) {
        // Segments overlap a little in time: only positions newer than all of the next one are final.
        const last = found[count - 1];
        if (last !== undefined && last.at > newest) break;
        const positions = readPositions.all(
          segment,
          term,
          before.at,
          before.seq,
          from,
          count,
        ) as HistoryPosition[];
        if (positions.length > 0) found = newestOf([...found, ...positions], count);
      }
      return found;
    },
    estimate(before, from, max) {
      let sum = 0;
      for (const { segment } of readSegments.all(before.at, from) as Segment[]) {
        const row = countPositions.get(segment, term, before.at, before.seq, from, max - sum);
        sum += (row as { count: number }).count;
        if (sum >= max) break;
      }
      return sum;
    },
  });
}

/** Several sources as one, without repetitions. */
export function mergeSources(sources: readonly PositionSource[]): PositionSource {
  if (sources.length === 1) return sources[0] as PositionSource;
  return {
    read(before, from, count) {
      const all = sources.flatMap((source) => source.read(before, from, count));
      return newestOf(all, count);
    },
    estimate(before, from, max) {
      return sources.reduce((sum, source) => sum + source.estimate(before, from, max), 0);
    },
  };
}

function newestOf(positions: HistoryPosition[], count: number): HistoryPosition[] {
  positions.sort((a, b) => b.at - a.at || b.seq - a.seq);
  return positions.filter(({ seq }, index) => seq !== positions[index - 1]?.seq).slice(0, count);
}

/** Properties that assessments are found by. `near` is the first three octets of an IPv4 address. */
export type TermKind =
  | 'mode'
  | 'verdict'
  | 'reason'
  | 'domain'
  | 'network'
  | 'near'
  | 'mailbox'
  | 'session'
  | 'asn'
  | 'country'
  | 'key';

/** The columns that terms are made of, as they are stored. */
export interface TermSource {
  readonly account_id: string;
  readonly mode: string;
  readonly verdict: string;
  readonly reasons: string;
  readonly email_domain: string;
  readonly ip: string | null;
  readonly network: string | null;
  readonly mailbox_hash: string;
  readonly session_id: string | null;
  readonly asn: number;
  readonly country_code: string;
  readonly key_id: string;
}

export function termsOf(row: TermSource): number[] {
  const of = (kind: TermKind, value: string) => termOf(row.account_id, kind, value);
  const terms = [
    of('mode', row.mode),
    of('verdict', row.verdict),
    of('domain', row.email_domain),
    of('mailbox', row.mailbox_hash),
    of('key', row.key_id),
  ];
  if (row.reasons !== '') for (const code of row.reasons.split(' ')) terms.push(of('reason', code));
  if (row.session_id !== null) terms.push(of('session', row.session_id));
  if (row.ip !== null) terms.push(...addressTerms(row, of));
  return terms;
}

function addressTerms(row: TermSource, of: (kind: TermKind, value: string) => number): number[] {
  const ip = row.ip as string;
  const near = nearOf(ip);
  const terms = [of('network', ip), of('asn', String(row.asn)), of('country', row.country_code)];
  if (row.network !== null && row.network !== ip) terms.push(of('network', row.network));
  if (near !== undefined) terms.push(of('near', near));
  return terms;
}

/** The first three octets of an IPv4 address. */
export function nearOf(ip: string): string | undefined {
  return ip.includes(':') ? undefined : ip.slice(0, ip.lastIndexOf('.'));
}

/**
 * 53 bits of a fast hash, not a secret one. A collision costs time only: every assessment that is found by a term is
 * compared with the search.
 */
export function termOf(accountId: string, kind: TermKind, value: string): number {
  const text = `${accountId} ${kind} ${value}`;
  let low = 0x2f0b4c47;
  let high = 0x5d588b65;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995);
    high ^= high >>> 15;
  }
  low ^= high >>> 13;
  low = Math.imul(low ^ (low >>> 16), 0x7feb352d);
  high = Math.imul(high ^ (high >>> 15) ^ low, 0x2c1b3c6d);
  return (high >>> 11) * 0x1_0000_0000 + ((low ^ (low >>> 15)) >>> 0);
}
