import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/support/an-account.ts';
import { anAssessment, asStored } from '../../../test/support/an-assessment.ts';
import { expectWithin, HANG_MS, rounds } from '../../../test/support/long-version.ts';
import {
  createDatabase,
  type PostgresServer,
  startPostgresServer,
} from '../../../test/support/postgres-server.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { addMonths, monthOf } from '../../platform/month.ts';
import { SERVICE_DEADLINES } from '../commit-deadlines.ts';
import type { AssessmentRecord } from '../store.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const MONTH = '2026-05';
const SOON = { timeout: HANG_MS, interval: 100 };
const makeId = createMakeId();
const stores: PostgresStore[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function open(url: string, options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
  const store = await openPostgresStore({ url, ...options });
  stores.push(store);
  return store;
}

async function ask<Row>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Stored records of an account, and its credits: they must always agree. */
async function stored(url: string, accountId: string): Promise<{ records: number; credits: number }> {
  const [row] = await ask<{ records: number; credits: number }>(
    url,
    `SELECT (SELECT count(*)::int FROM assessments WHERE account_id = $1) AS records,
     (SELECT coalesce(sum(used), 0)::int FROM credits WHERE account_id = $1) AS credits`,
    [accountId],
  );
  return row as { records: number; credits: number };
}

let sharing: Promise<string> | undefined;
/** For tests that read only their own accounts. */
const sharedDatabase = () => {
  sharing ??= newMigratedDatabase();
  return sharing;
};

const outcomes = (answers: PromiseSettledResult<unknown>[]) =>
  answers.map((answer) => (answer.status === 'fulfilled' ? 'stored' : String(answer.reason.code ?? 'error')));

describe('nodes on one database', () => {
  it('give the last credit to one of 500 calls', async () => {
    const url = await sharedDatabase();
    const nodes = await Promise.all([open(url), open(url), open(url)]);
    const accountId = makeId('acc', NOW);
    await (nodes[0] as PostgresStore).record(anAssessment({ accountId }));
    const calls = Array.from({ length: 500 }, (_, at) =>
      (nodes[at % 3] as PostgresStore).record(anAssessment({ accountId, cap: 2 })),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ outcome }) => outcome === 'recorded')).toEqual([
      { outcome: 'recorded', used: 2 },
    ]);
    expect(await stored(url, accountId)).toEqual({ records: 2, credits: 2 });
  });

  it('respect a cap that other nodes have nearly reached meanwhile', async () => {
    const url = await sharedDatabase();
    const [first, second] = (await Promise.all([open(url), open(url)])) as [PostgresStore, PostgresStore];
    const accountId = makeId('acc', NOW);
    const record = (node: PostgresStore) => node.record(anAssessment({ accountId, cap: 1_500 }));
    await record(first);
    await Promise.all(Array.from({ length: 1_496 }, () => record(second)));
    const answers = await Promise.all(Array.from({ length: 10 }, () => record(first)));
    expect(answers.map(({ outcome, used }) => `${outcome} ${used}`)).toEqual([
      'recorded 1498',
      'recorded 1499',
      'recorded 1500',
      ...Array.from({ length: 7 }, () => 'quota_exceeded 1500'),
    ]);
    expect(await stored(url, accountId)).toEqual({ records: 1_500, credits: 1_500 });
  });

  it('never deadlock, for whatever accounts they store at once', async () => {
    const url = await sharedDatabase();
    const nodes = await Promise.all([open(url), open(url)]);
    const accounts = Array.from({ length: 40 }, () => makeId('acc', NOW));
    const calls = nodes.flatMap((node, turn) =>
      (turn === 0 ? accounts : [...accounts].reverse()).flatMap((accountId) =>
        Array.from({ length: 10 }, () => node.record(anAssessment({ accountId, cap: 13 }))),
      ),
    );
    await Promise.all(calls);
    for (const accountId of accounts) {
      expect(await stored(url, accountId)).toEqual({ records: 13, credits: 13 });
    }
  });

  it('notice each other’s changes', async () => {
    const ALL = [
      'directory',
      'lists',
      'mail_hosts',
      'hash_keys',
      'campaigns',
      'mailboxes',
      'mailbox_removals',
    ];
    const url = await newMigratedDatabase();
    const [first, second] = await Promise.all([open(url), open(url)]);
    const heard: string[] = [];
    second.onChange((what) => heard.push(what));
    while (heard.length < ALL.length) await sleep(5);
    expect(heard.splice(0)).toEqual(ALL);
    const account = anAccount({ id: makeId('acc', NOW), name: 'a', createdAt: NOW });
    await first.saveAccount(account);
    while (heard.length < 1) await sleep(5);
    await ask(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse listens' AND datname = current_database()",
    );
    heard.splice(0);
    while (heard.length < ALL.length) await sleep(5);
    expect(heard.splice(0)).toEqual(ALL);
    await first.changeAccount(account.id, { name: 'b' });
    while (heard.length < 1) await sleep(5);
    expect(heard).toEqual(['directory']);
  });

  it('share one secret, whether the first node makes it or all are configured with it', async () => {
    const url = await newMigratedDatabase();
    const [first, second] = await Promise.all([open(url), open(url)]);
    const [made, same] = await Promise.all([first.secret(undefined), second.secret(undefined)]);
    expect(made).toHaveLength(32);
    expect(same).toEqual(made);
    expect(await first.secret(made)).toEqual(made);
    await expect(first.secret(Buffer.alloc(32, 1))).rejects.toThrow(
      'GATEHOUSE_SECRET is not the secret that this database is used with',
    );

    const elsewhere = await open(await newMigratedDatabase());
    const configured = Buffer.alloc(32, 7);
    expect(await elsewhere.secret(configured)).toEqual(configured);
    expect(await elsewhere.secret(configured)).toEqual(configured);
    await expect(elsewhere.secret(Buffer.alloc(32, 8))).rejects.toThrow('is not the secret');
    await expect(elsewhere.secret(undefined)).rejects.toThrow('set GATEHOUSE_SECRET');
  });

  it('make no new secret for data of another one, unless an option asks for it', async () => {
    const url = await newMigratedDatabase();
    const store = await open(url);
    const made = await store.secret(undefined);
    await store.record(anAssessment());
    await ask(url, 'DELETE FROM installation');
    await expect(store.secret(undefined)).rejects.toThrow('the secret that this database was used with');
    const losses: string[] = [];
    const next = await store.secret(undefined, { onLoss: (loss) => losses.push(loss) });
    expect(losses).toEqual(['1 assessment is no longer found by its address']);
    expect(next).not.toEqual(made);
    expect(await store.secret(undefined)).toEqual(next);
  });

  it('refuse a newer or missing database in one line without the password', async () => {
    const url = new URL(await newMigratedDatabase());
    url.password = 'hush';
    await migrate(url.href);
    await ask(url.href, "INSERT INTO gatehouse_migrations (number, name) VALUES (999, '999-future.sql')");
    await expect(openPostgresStore({ url: url.href })).rejects.toThrow(
      /^cannot use the database 127\.0\.0\.1:\d+\/test_\w+: the database has schema 999, newer/,
    );
    await expect(openPostgresStore({ url: 'postgres://me:hush@127.0.0.1:1/x' })).rejects.toThrow(
      /^cannot use the database 127\.0\.0\.1:1\/x: connect ECONNREFUSED 127\.0\.0\.1:1; start PostgreSQL there, .*$/,
    );
    url.pathname = '/nowhere';
    await expect(openPostgresStore({ url: url.href })).rejects.toThrow(
      /^cannot use the database 127\.0\.0\.1:\d+\/nowhere: database "nowhere" does not exist; create the database, .*$/,
    );
  });
});

describe('a batch', () => {
  it('contains what arrived during the batch before', async () => {
    const url = await sharedDatabase();
    const batches: number[] = [];
    const store = await open(url, { onBatch: (jobs) => batches.push(jobs) });
    const records = Array.from({ length: 200 }, () => store.record(anAssessment()));
    const feedback = { outcome: 'false_positive', note: null, keyId: 'k', at: NOW } as const;
    const marks = Array.from({ length: 20 }, () =>
      store.saveFeedback({ requestId: makeId('req', NOW), ...feedback }),
    );
    await Promise.all([...records, ...marks]);
    expect(batches.reduce((sum, jobs) => sum + jobs, 0)).toBe(220);
    expect(batches.length).toBeLessThan(10);
  });

  it('stores everything except bad records', async () => {
    const url = await sharedDatabase();
    const store = await open(url);
    const accountId = makeId('acc', NOW);
    const assessments = Array.from({ length: 30 }, () => anAssessment({ accountId, cap: 25 }));
    assessments[7] = anAssessment({ accountId, facts: 'a NUL \u0000 in facts' });
    assessments[9] = anAssessment({ accountId, requestId: (assessments[3] as AssessmentRecord).requestId });
    const answers = await Promise.allSettled(assessments.map((assessment) => store.record(assessment)));
    const failed = answers.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []));
    expect(failed).toEqual([7, 9]);
    expect(await stored(url, accountId)).toEqual({ records: 25, credits: 25 });
  });

  it('gets a partition for any month, from any number of nodes at once', async () => {
    const url = await sharedDatabase();
    const nodes = await Promise.all([open(url), open(url), open(url)]);
    const times = [1999, 2026, 2031].flatMap((year) => [0, 6, 11].map((month) => Date.UTC(year, month, 1)));
    const assessments = nodes.flatMap((node) =>
      times.map((at) => ({ node, assessment: anAssessment({ at }) })),
    );
    await Promise.all(assessments.map(({ node, assessment }) => node.record(assessment)));
    for (const { node, assessment } of assessments) {
      expect(await node.findStored(assessment.requestId, { accountId: 'acc_a', mode: 'live' })).toEqual(
        asStored(assessment),
      );
    }
    await expect((nodes[0] as PostgresStore).record(anAssessment({ requestId: 'req_1' }))).rejects.toThrow(
      'no request id',
    );
  });
});

describe('months', () => {
  const partitions = async (url: string) =>
    (
      await ask<{ name: string }>(
        url,
        `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^assessments_\\d' ORDER BY 1`,
      )
    ).map(({ name }) => name.slice('assessments_'.length));

  it('of now and next exist in advance', async () => {
    const url = await newMigratedDatabase();
    await open(url, { clock: () => Date.UTC(2026, 11, 31, 23, 59) });
    expect(await partitions(url)).toEqual(['2026_12', '2027_01']);
  });

  it('are dropped after their retention, except the current one, and can be created again', async () => {
    const url = await newMigratedDatabase();
    const first = await open(url, { clock: () => NOW });
    const old = anAssessment({ at: Date.UTC(2026, 1, 3) });
    await first.record(old);
    await first.record(anAssessment({ at: Date.UTC(2026, 2, 3) }));
    await first.record(anAssessment({ at: NOW }));
    await open(url, { clock: () => NOW, retention: { months: 2 } });
    expect(await partitions(url)).toEqual(['2026_03', '2026_05', '2026_06']);
    expect(await first.findStored(old.requestId, { accountId: 'acc_a', mode: 'live' })).toBeUndefined();
    await first.record(old);
    expect(await partitions(url)).toContain('2026_02');
    await open(url, { clock: () => NOW, retention: { months: 0 } });
    expect(await partitions(url)).toEqual(['2026_05', '2026_06']);
  });

  it('are dropped by days when the whole month is older', async () => {
    const url = await newMigratedDatabase();
    const first = await open(url, { clock: () => NOW });
    for (const day of [1, 28]) await first.record(anAssessment({ at: Date.UTC(2026, 1, day) }));
    await first.record(anAssessment({ at: Date.UTC(2026, 3, 30) }));
    await open(url, { clock: () => NOW, retention: { days: 61 } });
    expect(await partitions(url)).toContain('2026_02');
    await open(url, { clock: () => NOW, retention: { days: 60 } });
    expect(await partitions(url)).not.toContain('2026_02');
    expect(await partitions(url)).toContain('2026_04');
  });

  it('are kept if the clock of a node is 60 days ahead, even after it stored something', async () => {
    const url = await newMigratedDatabase();
    const now = Date.now();
    const first = await open(url, {});
    const stored = [0, -1, -2].map((count) => addMonths(monthOf(now), count));
    for (const month of stored) await first.record(anAssessment({ at: Date.parse(`${month}-01T12:00Z`) }));
    const kept = stored.slice(0, 2).map((month) => month.replace('-', '_'));
    const clock = () => now + 60 * 86_400_000;
    const ahead = await open(url, { clock, retention: { months: 1 } });
    expect((await partitions(url)).slice(0, 2)).toEqual(kept.toReversed());
    await ahead.record(anAssessment({ at: clock() }));
    await open(url, { clock, retention: { months: 1 } });
    expect((await partitions(url)).slice(0, 2)).toEqual(kept.toReversed());
  });

  it('are counted back from the newest assessment, whatever the clock of the database says', async () => {
    const url = await newMigratedDatabase();
    const first = await open(url, { clock: () => NOW });
    // The clock of the database is that of the machine, which is much later.
    for (const month of [1, 2, 3]) await first.record(anAssessment({ at: Date.UTC(2025, month, 3) }));
    await open(url, { clock: () => NOW, retention: { months: 1 } });
    expect((await partitions(url)).slice(0, 2)).toEqual(['2025_03', '2025_04']);
  });

  it('are dropped at the next start if another client reads them, and never prevent a start', async () => {
    const url = await newMigratedDatabase();
    const first = await open(url, { clock: () => NOW });
    for (const month of [0, 1, 2, 4]) await first.record(anAssessment({ at: Date.UTC(2026, month, 3) }));
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM assessments_2026_02');
    await open(url, { clock: () => NOW, retention: { months: 0 } });
    expect(await partitions(url)).toEqual(['2026_02', '2026_05', '2026_06']);
    await reader.end();
    await open(url, { clock: () => NOW, retention: { months: 0 } });
    expect(await partitions(url)).toEqual(['2026_05', '2026_06']);
  });
});

describe('a server with a fault', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.close());

  /** Opened as a service does: callers wait for at most a second. */
  const openForService = (url: string) => open(url, { forTests: { deadlines: SERVICE_DEADLINES } });
  /** On a busy machine an answer may be late, which is an error: then the record is undone. */
  async function recordAtLast(store: PostgresStore, accountId: string): Promise<void> {
    while ((await Promise.allSettled([store.record(anAssessment({ accountId }))]))[0].status === 'rejected')
      await sleep(20);
  }
  const expectStored = (url: string, accountId: string, count: number) =>
    expect.poll(() => stored(url, accountId), SOON).toEqual({ records: count, credits: count });

  it('that is gone: each call fails within a second, and calls succeed again once it is back', async () => {
    const url = await createDatabase(server.url);
    const store = await openForService(url);
    const accountId = makeId('acc', NOW);
    await recordAtLast(store, accountId);
    const load = Promise.allSettled(
      Array.from({ length: 50 }, () => store.record(anAssessment({ accountId }))),
    );
    await server.stop('immediate');
    await load;
    const began = performance.now();
    const answers = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => store.record(anAssessment({ accountId }))),
      store.creditsUsed(accountId, MONTH),
    ]);
    expect(new Set(outcomes(answers)).has('stored')).toBe(false);
    expectWithin(performance.now() - began, 1_000, 'until all have failed');
    await server.start();
    const back = performance.now();
    await recordAtLast(store, accountId);
    expectWithin(performance.now() - back, 5_000, 'until it is served again');
  });

  it('that hangs: no call takes longer than a second, and nothing is stored for a call that got an error', async () => {
    const url = await createDatabase(server.url);
    const store = await openForService(url);
    const accountId = makeId('acc', NOW);
    await recordAtLast(store, accountId);
    let good = 1;
    const took: number[] = [];
    const call = async () => {
      const began = performance.now();
      await store.record(anAssessment({ accountId })).then(
        () => (good += 1),
        () => {},
      );
      took.push(performance.now() - began);
    };
    const read = async () => {
      const began = performance.now();
      await store.findStored(makeId('req', NOW), { accountId, mode: 'live' }).catch(() => {});
      took.push(performance.now() - began);
    };
    const calls: Promise<void>[] = [];
    for (let turn = 0; turn < 300; turn += 1) {
      if (turn === 100) server.pause();
      calls.push(call(), read());
      await sleep(5);
    }
    await Promise.all(calls);
    server.resume();
    expectWithin(Math.max(...took), 1_200, 'the slowest');
    // The server now stores what it had already received; the second check comes three seconds after the first.
    await sleep(rounds(500, 6_000));
    await recordAtLast(store, accountId);
    await expectStored(url, accountId, good + 1);
  });

  it('that is slow: calls that wait too long are refused and never sent', async () => {
    const url = await createDatabase(server.url);
    const store = await openForService(url);
    const accountId = makeId('acc', NOW);
    await recordAtLast(store, accountId);
    // Another transaction locks the credits row of the account.
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT * FROM credits WHERE account_id = $1 FOR UPDATE', [accountId]);
    const calls = Array.from({ length: 6_000 }, () => store.record(anAssessment({ accountId })));
    const answers = outcomes(await Promise.allSettled(calls));
    expect(answers.filter((answer) => answer === 'unavailable').length).toBeGreaterThan(5_000);
    expect(answers).not.toContain('stored');
    await blocker.query('ROLLBACK');
    await blocker.end();
    await recordAtLast(store, accountId);
    await sleep(1_000);
    await expectStored(url, accountId, 2);
  });

  it('that loses connections under load: exactly the acknowledged records are stored, and credits agree', async () => {
    const url = await createDatabase(server.url);
    const store = await openForService(url);
    const accountId = makeId('acc', NOW);
    let good = 0;
    let stop = false;
    const callers = Array.from({ length: 32 }, async () => {
      while (!stop) {
        await store.record(anAssessment({ accountId })).then(
          () => (good += 1),
          () => {},
        );
      }
    });
    for (let turn = 0; turn < 10 || good <= 32; turn += 1) {
      await sleep(60);
      await ask(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse commits' AND datname = current_database()",
      );
    }
    stop = true;
    await Promise.all(callers);
    expect(good).toBeGreaterThan(32);
    await sleep(1_000);
    await expectStored(url, accountId, good);
  });
});
