import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';

import { createMakeId } from '../../contract/identifiers.ts';
import type { ListScope } from '../../model/list-entry.ts';
import { MAX_ROWS_READ } from '../history-search.ts';
import { type CountedVerdicts, type HistorySearch, type HistoryStore, SLOT_MS } from '../history-store.ts';
import { latencyBucket } from '../history-traffic.ts';
import { openDatabase, type Query } from './database.ts';
import { createPostgresHistory, FOR_BLOCKS, openHistoryConnections } from './history.ts';
import { openRollupWorker } from './rollup-worker.ts';
import { createSummarizeBlocks } from './summarize-blocks.ts';

const ACCOUNT = 'acc_busy';
const ROWS = 50_000;
/** Two whole months, so that the history has partitions; its newest assessment is old enough for rollups. */
const MONTHS = ['2026-04', '2026-05'];
const START = Date.UTC(2026, 3, 10);
const END = Date.UTC(2026, 4, 10);
const COUNT_LIVE = "SELECT count(*) FROM assessments WHERE account_id = $1 AND mode = 'live' AND at >= $2";
const LAST_STATEMENT =
  "SELECT query, state FROM pg_stat_activity WHERE application_name = 'gatehouse tallies' AND datname = current_database()";
const SPAN = { mode: 'live', from: START, to: END } as const;

describe('the history of a filled database', () => {
  let url: string;
  let client: pg.Client;
  let history: HistoryStore;
  let database: ReturnType<typeof openHistoryConnections>;
  let blocks: typeof database;
  const statements: [sql: string, values: readonly unknown[], query: Query][] = [];

  beforeAll(async () => {
    url = await newMigratedDatabase();
    client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const month of MONTHS) await client.query(partitionsOf(month));
    await client.query(FILL, [ACCOUNT, START, END, ROWS]);
    await client.query('ANALYZE assessments');
    await summarize();
    database = openHistoryConnections(url);
    blocks = openHistoryConnections(url, FOR_BLOCKS);
    const noted =
      ({ query }: typeof database): Query =>
      (sql, values = []) => {
        statements.push([sql as string, values, query]);
        return query(sql, values);
      };
    history = createPostgresHistory(noted(database), noted(blocks));
  });
  afterAll(async () => {
    await database.close();
    await blocks.close();
    await client.end();
  });

  /** Returns the indexes that a query used, and the maximum number of its rows that they returned. */
  async function plansOf(work: () => Promise<unknown>) {
    statements.length = 0;
    await work();
    const seen: Scan[] = [];
    for (const [sql, values, query] of [...statements]) {
      const [row] = await query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
        values as [],
      );
      const plans = row?.['QUERY PLAN'] as unknown as [{ Plan: Node }];
      seen.push(...scansOf(plans[0].Plan));
    }
    const scans = seen.filter(({ name }) => name.startsWith('assessments_2026'));
    const indexes = new Set(scans.flatMap(({ index }) => index ?? []).map(nameOf));
    return { indexes: [...indexes].sort(), maxRows: sum(scans) };
  }

  const filters: [HistorySearch, indexes: string[]][] = [
    [{}, ['by_time']],
    [{ mode: 'live', verdicts: ['block'] }, ['by_time']],
    [{ reason: 'email_disposable' }, ['by_time']],
    [{ country: 'DE', scoreMin: 20 }, ['by_time']],
    [{ keyId: 'key_1' }, ['by_time']],
    [{ from: START, to: START + 3_600_000 }, ['by_time']],
    [{ domain: 'd7.example' }, ['by_block', 'by_time']],
    [{ domain: 'mail.example' }, ['by_time']],
    [{ domain: 'nowhere.example' }, ['by_block', 'by_time']],
    [{ ip: { first: '198.51.100.7', last: '198.51.100.7' } }, ['by_block', 'by_time']],
    [{ ip: { first: '198.51.100.0', last: '198.51.100.255' } }, ['by_block', 'by_time']],
    [{ ip: { first: '198.51.0.0', last: '198.51.255.255' } }, ['by_time']],
    [{ ip: { first: '2001:db8::7', last: '2001:db8::7' } }, ['by_block', 'by_time']],
    [{ ip: { first: '2001:db8::', last: '2001:db8::ffff:ffff:ffff:ffff' } }, ['by_block', 'by_time']],
    [{ asn: 64_503 }, ['by_block', 'by_time']],
    [{ asn: 0 }, ['by_time']],
    [{ sessionId: 's77' }, ['by_block', 'by_time']],
    [{ domain: 'mail.example', sessionId: 's77', asn: 64_501 }, ['by_block', 'by_time']],
    [{ requestId: createMakeId()('req', START) }, ['pkey']],
  ];

  it.each(filters)('uses the right index for %j', async (search, expected) => {
    const { indexes, maxRows } = await plansOf(() => history.findAssessments(ACCOUNT, search, null, 50));
    expect(withoutShortSpans(indexes)).toEqual(expected);
    // Values that every block of pages may have are looked for in all of them, once.
    expect(maxRows).toBeLessThan(indexes.includes('by_block') ? 1.1 * ROWS : 1.25 * MAX_ROWS_READ);
  });

  it.each(filters)('counts %j, and reads no more than a search does', async (search) => {
    let counted: CountedVerdicts | undefined;
    const { indexes, maxRows } = await plansOf(async () => {
      counted = await history.countVerdicts(ACCOUNT, search);
    });
    expect(maxRows).toBeLessThan(indexes.includes('by_block') ? 1.1 * ROWS : 1.25 * MAX_ROWS_READ);
    const { allow, challenge, block, reached } = counted as CountedVerdicts;
    const all: string[] = [];
    for await (const rows of history.exportAssessments(ACCOUNT, {
      ...search,
      from: reached ?? search.from ?? 0,
    }))
      all.push(...rows.map(({ requestId }) => requestId));
    // Signups of the instant itself may be counted or not.
    expect(Math.abs(all.length - allow - challenge - block)).toBeLessThanOrEqual(reached === null ? 0 : 1);
  });

  it.each([{ domain: 'nowhere.example' }, { sessionId: 's77' }, { sessionId: 's77', asn: 64_501 }])(
    'reads few blocks of pages for %j',
    async (search) => {
      const { maxRows } = await plansOf(() => history.findAssessments(ACCOUNT, search, null, 50));
      expect(maxRows).toBeLessThan(ROWS / 8);
    },
  );

  it('finds related signups by their properties', async () => {
    const [signup] = (await history.findAssessments(ACCOUNT, { sessionId: 's77' }, null, 1)).rows;
    const { indexes } = await plansOf(() => history.related(ACCOUNT, signup?.requestId as string));
    expect(indexes).toEqual(['by_block', 'by_time', 'pkey']);
  });

  it('is searched in limited steps, without missing anything', async () => {
    await client.query("UPDATE assessments SET score = 101 WHERE seq IN (2, 3) AND account_id = 'acc_busy'");
    const found: string[] = [];
    let pageCount = 0;
    let after = null;
    do {
      const page = await history.findAssessments(ACCOUNT, { scoreMin: 101 }, after, 50);
      found.push(...page.rows.map(({ requestId }) => requestId));
      after = page.next;
      expect(page.partial).toBe(after !== null);
      pageCount += 1;
    } while (after !== null);
    expect(found).toHaveLength(2);
    expect(pageCount).toBeGreaterThanOrEqual(Math.floor(ROWS / (MAX_ROWS_READ + 5_000)));
  });

  it.each([
    [{ domain: 'd7.example' }, "email_domain = 'd7.example'", ['by_block', 'by_time']],
    [{ asn: 64_503 }, 'asn = 64503', ['by_block', 'by_time']],
    [{ country: 'DE' }, "country_code = 'DE'", ['by_time']],
  ] as const)('finds the signups that an entry for %j may match by its index', async (scope, sql, served) => {
    const { indexes } = await plansOf(() => candidates(scope, 4_000));
    expect(withoutShortSpans(indexes)).toEqual(served);
    const { found, reached } = await candidates(scope, ROWS + 1_000);
    const { rows } = await client.query(`${COUNT_LIVE} AND ${sql}`, [ACCOUNT, START]);
    expect({ found, reached }).toEqual({ found: Number(rows[0].count), reached: null });
  });

  it('searches only the newest signups for a list entry if too many may match', async () => {
    const { found, reached } = await candidates({ country: 'DE' }, 4_000);
    expect(reached).toBeGreaterThan(START);
    const { rows } = await client.query(`${COUNT_LIVE} AND country_code = 'DE'`, [ACCOUNT, reached]);
    expect(Number(rows[0].count) - found).toBeLessThanOrEqual(1);
    expect(Number(rows[0].count) - found).toBeGreaterThanOrEqual(0);
  });

  it('finds all signups of a domain by its index, but not of every subdomain', async () => {
    const ends: Record<string, number | null> = {};
    for await (const chunk of history.listCandidates(ACCOUNT, { domain: 'd7.example' }, START, 4_000))
      ends[chunk.below ? 'below' : 'own'] = chunk.reached;
    expect(ends).toEqual({ own: null, below: expect.any(Number) });
  });

  async function candidates(scope: ListScope, limit: number) {
    let found = 0;
    let reached: number | null = null;
    for await (const chunk of history.listCandidates(ACCOUNT, scope, START, limit)) {
      found += chunk.candidates.length;
      reached = chunk.reached;
    }
    return { found, reached };
  }

  it('has summaries of new pages, which do not wait for a vacuum', async () => {
    await client.query(FILL, ['acc_third', END - 60_000, END - 1, 5_000]);
    await client.query('BEGIN');
    await client.query('LOCK TABLE assessments_2026_05 IN SHARE UPDATE EXCLUSIVE MODE');
    await summarize();
    await client.query('ROLLBACK');
    expect(await summarizedNow()).toBeGreaterThan(0);
    await client.query(FILL, ['acc_third', END - 60_000, END - 1, 5_000]);
    await summarize();
    expect(await summarizedNow()).toBe(0);
  });

  it('has summaries of new pages soon after the start', async () => {
    await client.query(FILL, ['acc_third', END - 60_000, END - 1, 5_000]);
    const worker = openRollupWorker({ url, clock: () => END, onFault: () => {}, startMs: 0 });
    // Its last statement.
    await expect
      .poll(async () => (await client.query(LAST_STATEMENT)).rows)
      .toEqual([{ query: 'COMMIT', state: 'idle' }]);
    await worker.close();
    expect(await summarizedNow()).toBe(0);
  });

  async function summarize(): Promise<void> {
    const background = openDatabase({ url, connections: 1 });
    await createSummarizeBlocks(background)();
    await background.close();
  }

  /** Summarizes the newest month, and returns how many blocks needed it. */
  async function summarizedNow(): Promise<number> {
    const { rows } = await client.query(
      "SELECT brin_summarize_new_values(oid) AS count FROM pg_class WHERE relname LIKE 'assessments_2026_05_at_hash%'",
    );
    return rows[0].count;
  }

  describe('rollups', () => {
    const newWorker = () =>
      openRollupWorker({
        url,
        clock: () => END,
        onFault: (error) => expect(error).toBeUndefined(),
        busyFrom: 1,
        startMs: null,
      });
    const slots = async () =>
      (await client.query('SELECT DISTINCT slot FROM tallies WHERE account_id = $1 ORDER BY slot', [ACCOUNT]))
        .rows;

    beforeAll(() =>
      client.query("INSERT INTO credits (account_id, month, used) VALUES ($1, '2026-05', 50000)", [ACCOUNT]),
    );

    it('return the same numbers as the assessments, without reading these', async () => {
      const before = await readAll();
      const workers = [newWorker(), newWorker()];
      await Promise.all(workers.map((worker) => worker.rollUp()));
      // A worker skips what another worker is doing, until its next round.
      await workers[0]?.rollUp();
      await Promise.all(workers.map((worker) => worker.close()));
      expect(await slots()).toHaveLength((END - START) / SLOT_MS);
      expect(await readAll()).toEqual(before);
      const { maxRows } = await plansOf(() => history.traffic(ACCOUNT, SPAN));
      expect(maxRows).toBe(0);
    });

    it('are removed by a late assessment, in the same transaction', async () => {
      const at = START + 10 * SLOT_MS + 7;
      const before = (await readAll()).days;
      const count = (await slots()).length;
      await client.query('BEGIN');
      await client.query(FILL, [ACCOUNT, at, at + 1, 1]);
      const other = newWorker();
      await other.rollUp();
      expect(await readAll()).toMatchObject({ days: before });
      await client.query('COMMIT');
      expect(await slots()).toHaveLength(count - 1);
      const after = await readAll();
      expect(allOf(after.days)).toBe(allOf(before) + 1);
      await other.close();
      const fresh = newWorker();
      await fresh.rollUp();
      await fresh.close();
      expect(await slots()).toHaveLength(count);
      expect(await readAll()).toEqual(after);
    });

    it('are removed when an assessment is undone', async () => {
      const before = (await readAll()).days;
      const { rowCount } = await client.query(
        'DELETE FROM assessments WHERE account_id = $1 AND at >= $2 AND at < $3',
        [ACCOUNT, END - SLOT_MS, END],
      );
      expect(rowCount).toBeGreaterThan(10);
      expect(allOf((await readAll()).days)).toBe(allOf(before) - (rowCount ?? 0));
    });

    it('are not made while a late assessment is not committed', async () => {
      const at = END - SLOT_MS + 7;
      const count = (await slots()).length;
      await client.query(FILL, [ACCOUNT, at, at + 1_000, 30]);
      await client.query('BEGIN');
      await client.query(FILL, [ACCOUNT, at, at + 1, 1]);
      const late = newWorker();
      await late.rollUp();
      expect(await slots()).toHaveLength(count);
      await client.query('COMMIT');
      await late.rollUp();
      await late.close();
      expect(await slots()).toHaveLength(count + 1);
    });

    it('are removed when their month is dropped', async () => {
      const old = Math.floor(Date.UTC(2026, 2, 31) / SLOT_MS);
      await client.query(
        "INSERT INTO accounts VALUES ($1, 'a', 'pro', false, NULL, NULL, NULL, NULL, 'UTC', 0, 1)",
        [ACCOUNT],
      );
      await client.query("INSERT INTO tallies VALUES ($1, $2, 'live', '{}', '{}', '{}')", [ACCOUNT, old]);
      const before = await slots();
      const worker = newWorker();
      await worker.rollUp();
      await worker.close();
      expect(before[0].slot).toBe(old);
      expect(await slots()).toEqual(before.slice(1));
    });

    async function readAll() {
      const traffic = await history.traffic(ACCOUNT, SPAN);
      const labels = await history.labelCounts(ACCOUNT, SPAN);
      const days = await history.dayCounts(ACCOUNT, START, END);
      // The last digits of a sum of fractions depend on the order.
      const reasons = traffic.reasons.map((reason) => ({
        ...reason,
        meanWeight: reason.meanWeight.toFixed(6),
      }));
      return { traffic: { ...traffic, readAt: 0, reasons }, labels, days };
    }
  });

  it('cancels a query that takes too long, and refuses more than it can queue', async () => {
    // This node cancels queries that get a connection late, earlier than the server would.
    const sleeps = ['SELECT pg_sleep(20)', ...Array(11).fill('SELECT pg_sleep(2)')];
    const slow = await Promise.allSettled(sleeps.map((sql) => database.query(sql)));
    const late = slow.filter((result) => result.status === 'rejected');
    expect(slow[0]).toBe(late[0]);
    expect(late.length).toBeGreaterThanOrEqual(5);
    for (const { reason } of late)
      expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    const refused: { code?: string }[] = [];
    const queries = Array.from({ length: 250 }, () =>
      database.query('SELECT 1').catch((error) => void refused.push(error)),
    );
    // Immediately, before any waiting query is late.
    await new Promise(setImmediate);
    expect(refused.map(({ code }) => code)).toEqual(Array(50).fill('unavailable'));
    await Promise.all(queries);
  });

  it('counts latencies in the same buckets as the code that reads them', async () => {
    const { rows } = await client.query(
      'SELECT ms, gatehouse_latency_bucket(ms) AS bucket FROM generate_series(0, 70000) AS ms',
    );
    expect(rows.every(({ ms, bucket }) => bucket === latencyBucket(ms))).toBe(true);
    const ends = Array.from({ length: 24 }, (_, bit) => 2 ** (bit + 7) - 1);
    const { rows: wide } = await client.query(
      'SELECT ms, gatehouse_latency_bucket(ms) AS bucket FROM unnest($1::int[]) AS ms',
      [ends],
    );
    expect(wide.every(({ ms, bucket }) => bucket === latencyBucket(ms))).toBe(true);
  });
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

interface Scan {
  /** Size of the table, or of the index where a node reads nothing else. */
  readonly name: string;
  readonly index: string | undefined;
  readonly rows: number;
}

function scansOf(node: Node): Scan[] {
  const inner = (node.Plans ?? []).flatMap(scansOf);
  const { 'Relation Name': table, 'Index Name': index } = node;
  const name = table ?? index;
  // A plan node that never ran was not chosen.
  if (name === undefined || node['Actual Loops'] === 0) return inner;
  const removed = (node['Rows Removed by Index Recheck'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  const rows = table === undefined ? 0 : (node['Actual Rows'] + removed) * node['Actual Loops'];
  return [...inner, { name, index, rows }];
}

function sum(scans: readonly Scan[]): number {
  return scans.reduce((total, { rows }) => total + rows, 0);
}

function allOf(days: readonly { live: number; test: number }[]): number {
  return days.reduce((total, { live, test }) => total + live + test, 0);
}

/** In a span with few signups, the server may read all, by their ids. */
function withoutShortSpans(indexes: readonly string[]): readonly string[] {
  return indexes.includes('by_block') ? indexes.filter((name) => name !== 'pkey') : indexes;
}

function nameOf(index: string): string {
  if (index.endsWith('_pkey')) return 'pkey';
  if (index.includes('_account_id_at_seq')) return 'by_time';
  return index.includes('_at_hashtextextended') ? 'by_block' : index;
}

const ID = `'req_' || (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
  ((at >> (5 * (9 - digit))) & 31)::int + 1, 1), '' ORDER BY digit) FROM generate_series(0, 9) AS digit)`;

function partitionsOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const id = (at: number) => `(SELECT ${ID} FROM (VALUES (${at}::bigint)) AS input (at))`;
  const [from, to] = [Date.UTC(year, number - 1, 1), Date.UTC(year, number, 1)];
  const name = month.replace('-', '_');
  const create = ['assessments', 'feedback'].map(
    (
      table,
    ) => `EXECUTE format('CREATE TABLE ${table}_${name} PARTITION OF ${table} FOR VALUES FROM (%L) TO (%L)',
      ${id(from)}, ${id(to)});`,
  );
  return `DO $$ BEGIN ${create.join('\n')} END $$`;
}

/** $4 assessments of an account ($1), spread over a time ($2 … $3); some belong to other accounts. */
const FILL = `INSERT INTO assessments (request_id, seq, account_id, key_id, mode, at, verdict, score, reasons, email_domain,
    address_hash, mailbox_hash, email_masked, ip, network, country_code, asn, session_id, processed_ms, weights, facts)
  SELECT ${ID} || lpad(to_hex((random() * 1e15)::bigint), 16, '0'), nextval('assessment_seq'),
    CASE WHEN i % 10 = 9 THEN 'acc_other' ELSE $1 END, 'key_' || i % 3, CASE WHEN i % 20 = 1 THEN 'test' ELSE 'live' END, at,
    (ARRAY['allow', 'allow', 'challenge', 'block'])[i % 4 + 1], i % 101,
    (ARRAY['', 'email_alias', 'email_disposable ip_hosting'])[i % 3 + 1],
    CASE WHEN i % 2 = 0 THEN 'mail.example' ELSE 'd' || i % 1000 || '.example' END, 'address', 'mailbox-' || i % 9000,
    'j***@example.com', ip, CASE WHEN ip LIKE '%:%' THEN '2001:db8::/64' ELSE ip END, (ARRAY['FR', 'DE'])[i % 2 + 1],
    64500 + i % 50, CASE WHEN i % 3 = 0 THEN 's' || i / 7 END, i % 500, (ARRAY['{}', '{20}', '{60,30.5}'])[i % 3 + 1]::real[], '[]'
  FROM (
    SELECT i, $2::bigint + (i * (($3::bigint - $2::bigint) / $4::float8))::bigint AS at,
      CASE WHEN i % 50 = 3 THEN '2001:db8::' || to_hex(i % 256) ELSE '198.51.' || i % 128 || '.' || i / 128 % 256 END AS ip
    FROM generate_series(0, $4::int - 1) AS i
  ) AS signup`;
