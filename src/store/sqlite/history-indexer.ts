/** Brings the index of the history up to date: postings and rollups of each assessment, in order of commit. */
import { inTransaction, type SqliteConnection } from './connection.ts';
import { type TermSource, termsOf } from './history-postings.ts';
import { ROLLUP_TEXTS, type Rollup, type RollupSource, rollUp } from './history-rollup.ts';

export interface Indexer {
  /** Indexes at most `limit` assessments in one transaction, and returns how many. */
  step(limit: number): number;
  state(): IndexState;
  /** About when the oldest assessment that is not indexed was made, milliseconds since the epoch. */
  leftFrom(): number;
  /** Removes assessments that are still stored but about to be deleted; those that are not indexed yet never will be. */
  remove(requestIds: readonly string[]): void;
}

/** Assessments are numbered in order of commit, nearly without gaps. */
export interface IndexState {
  readonly oldest: number;
  /** The last one that is indexed. */
  readonly indexed: number;
  readonly newest: number;
  /** How many are not indexed yet. */
  readonly left: number;
}

/** How many assessments share a segment of the postings. */
const SEGMENT = 131_072;
const VALUES_A_STATEMENT = 100;

interface Row extends TermSource, RollupSource {
  readonly seq: number;
  readonly request_id: string;
  readonly account_id: string;
  readonly mode: string;
  readonly verdict: string;
  readonly reasons: string;
}

type Posting = readonly [segment: number, term: number, at: number, seq: number];

const COLUMNS = `SELECT a.seq, request_id, account_id, mode, at, verdict, reasons, email_domain, ip, network, mailbox_hash,
    session_id, asn, country_code, key_id,
    ${ROLLUP_TEXTS}
  FROM assessments AS a JOIN assessment_documents AS d ON d.seq = a.seq`;
const READ = `${COLUMNS} WHERE a.seq > ? ORDER BY a.seq LIMIT ?`;
const READ_ONE = `${COLUMNS} WHERE request_id = ?`;
const ADD_TALLY = `INSERT INTO tallies (account_id, mode, kind, slot, name, count, weight) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count, weight = weight + excluded.weight`;
const WIDEN_SEGMENT = `INSERT INTO segments (segment, min_at, max_at) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET min_at = min(min_at, excluded.min_at), max_at = max(max_at, excluded.max_at)`;

export function createIndexer(log: SqliteConnection, index: SqliteConnection): Indexer {
  const readRows = log.prepare(READ);
  const readRow = log.prepare(READ_ONE);
  const position = createPosition(log, index);
  const indexedRows = createIndexedRows(index);
  /** About to be deleted before they are indexed. */
  const leftOut = new Set<number>();

  return {
    step(limit) {
      if (position.state().left === 0) return 0;
      return inTransaction(index, () => {
        // Another process may have indexed them meanwhile.
        const rows = readRows.all(position.indexed(), limit) as Row[];
        const last = rows.at(-1);
        if (last === undefined) return 0;
        const leaving = rows.filter(({ seq }) => leftOut.has(seq));
        indexedRows.add(leaving.length === 0 ? rows : rows.filter(({ seq }) => !leftOut.has(seq)));
        position.move(
          last.seq,
          leaving.map(({ request_id }) => request_id),
        );
        return rows.length;
      });
    },
    state: position.state,
    leftFrom: position.leftFrom,
    remove(requestIds) {
      inTransaction(index, () => {
        const rows = requestIds.flatMap((requestId) => (readRow.get(requestId) as Row | undefined) ?? []);
        const indexed = position.indexed();
        for (const { seq } of rows) if (seq > indexed) leftOut.add(seq);
        indexedRows.remove(rows);
        position.move(indexed, requestIds);
      });
    },
  };
}

/** How far the index is behind the database. */
function createPosition(log: SqliteConnection, index: SqliteConnection) {
  const readNewestOf = log.prepare(
    `SELECT request_id FROM assessments WHERE seq <= ? AND request_id NOT IN (SELECT value FROM json_each(?))
     ORDER BY seq DESC LIMIT 1`,
  );
  const readNewest = log.prepare('SELECT coalesce(max(seq), 0) AS seq FROM assessments');
  const readOldest = log.prepare('SELECT coalesce(min(seq), 1) AS seq FROM assessments');
  // Both ends: if the clock was set in between, the earlier one counts.
  const readLeftFrom = log.prepare(`SELECT min(at) AS at FROM (
    SELECT at FROM (SELECT at FROM assessments WHERE seq > ? ORDER BY seq LIMIT 1)
    UNION ALL SELECT at FROM (SELECT at FROM assessments ORDER BY seq DESC LIMIT 1))`);
  const readProgress = index.prepare('SELECT seq FROM progress');
  const writeProgress = index.prepare('UPDATE progress SET seq = ?, request_id = ?');
  const seqOf = (row: unknown) => (row as { seq: number }).seq;
  const indexed = () => seqOf(readProgress.get());
  return {
    indexed,
    state(): IndexState {
      const [oldest, upTo, newest] = [seqOf(readOldest.get()), indexed(), seqOf(readNewest.get())];
      return { oldest, indexed: upTo, newest, left: Math.max(0, newest - Math.max(upTo, oldest - 1)) };
    },
    leftFrom(): number {
      return (readLeftFrom.get(indexed()) as { at: number | null }).at ?? Number.POSITIVE_INFINITY;
    },
    /** Also notes the newest record up to `seq`, by which the index knows its database; those about to be deleted cannot serve. */
    move(seq: number, leaving: readonly string[]): void {
      const newest = readNewestOf.get(seq, JSON.stringify(leaving)) as { request_id: string } | undefined;
      writeProgress.run(seq, newest?.request_id ?? '');
    },
  };
}

/** Adds rows to the postings, segments and rollups of the index, and removes them. */
function createIndexedRows(index: SqliteConnection) {
  const addRollup = index.prepare(ADD_TALLY);
  const widenSegment = index.prepare(WIDEN_SEGMENT);
  const addPostings = createAddPostings(index);
  const removePosting = index.prepare(
    'DELETE FROM postings WHERE segment = ? AND term = ? AND at = ? AND seq = ?',
  );

  /** Whether it was in the index: a second removal must not change the rollups. */
  function removePostings(row: Row): boolean {
    const segment = Math.floor(row.seq / SEGMENT);
    let removed = 0;
    for (const term of termsOf(row)) removed += removePosting.run(segment, term, row.at, row.seq).changes;
    return removed > 0;
  }

  return {
    add(rows: readonly Row[]): void {
      const spans = new Map<number, { min: number; max: number }>();
      const postings: Posting[] = [];
      for (const row of rows) {
        const { at, seq } = row;
        const segment = Math.floor(seq / SEGMENT);
        const span = spans.get(segment);
        spans.set(segment, { min: Math.min(span?.min ?? at, at), max: Math.max(span?.max ?? at, at) });
        for (const term of termsOf(row)) postings.push([segment, term, at, seq]);
      }
      addPostings(postings);
      for (const [segment, { min, max }] of spans) widenSegment.run(segment, min, max);
      for (const rollup of rollUp(rows)) addRollup.run(...valuesOf(rollup));
    },
    remove(rows: readonly Row[]): void {
      for (const rollup of rollUp(rows.filter(removePostings))) {
        const { count, weight } = rollup;
        addRollup.run(...valuesOf({ ...rollup, count: -count, weight: -weight }));
      }
    },
  };
}

function createAddPostings(index: SqliteConnection) {
  const statement = (count: number) =>
    index.prepare(`INSERT OR IGNORE INTO postings VALUES ${Array(count).fill('(?, ?, ?, ?)').join(', ')}`);
  const addMany = statement(VALUES_A_STATEMENT);
  const addOne = statement(1);
  return (postings: Posting[]): void => {
    // In the order of the table, so that each page is written once.
    postings.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    let at = 0;
    for (; at + VALUES_A_STATEMENT <= postings.length; at += VALUES_A_STATEMENT) {
      addMany.run(postings.slice(at, at + VALUES_A_STATEMENT).flat());
    }
    for (; at < postings.length; at += 1) addOne.run(postings[at]);
  };
}

function valuesOf({ accountId, mode, kind, slot, name, count, weight }: Rollup) {
  return [accountId, mode, kind, slot, name, count, weight];
}
