/** Faults of a migration: a kill at any point, an unusable database, a running service, different rows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { checkOf } from '../../src/store/secret-use.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { BIN, failureOf, gatehouse, spawnGatehouse } from '../support/command.ts';
import { type Filled, fillStore } from '../support/fill-store.ts';
import { IS_LONG } from '../support/long-version.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';
import { newDatabase, newMigratedDatabase, sharedPostgresUrl } from '../support/shared-servers.ts';
import { withStored } from '../support/stored.ts';

/** Several batches. */
const COUNT = 1_200;
/** One batch. */
const FEW = 300;
const SECRET = 'a1'.repeat(32);

interface Printed {
  readonly assessments_added: number;
  readonly changed_meanwhile: boolean;
  readonly tables: readonly { table: string; rows: number; hash: string }[];
}

let installation: Installation;
let filled: Filled;
beforeAll(async () => {
  installation = await createInstallation();
  filled = await fill(installation, COUNT);
});
afterAll(() => installation.remove());

const fill = (where: Installation, count: number) =>
  withStored(where, async (store) => {
    writeFileSync(secretFile(where), SECRET);
    return fillStore(store, count, Date.now());
  });

const secretFile = ({ environment }: Installation) =>
  join(environment.GATEHOUSE_DATA_DIR as string, 'secret.key');
const run = (where: Installation, url: string, more: Environment = {}) =>
  gatehouse(['migrate', '--to', url], { ...where.environment, ...more });

async function migrate(where: Installation, url: string): Promise<Printed> {
  const ended = await run(where, url);
  expect(ended).toMatchObject({ status: 0 });
  return JSON.parse(ended.stdout) as Printed;
}

async function refused(where: Installation, url: string, more: Environment = {}): Promise<string> {
  return failureOf(await run(where, url, more), 1);
}

async function ask(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function stored(url: string): Promise<number> {
  const [found] = await ask(url, "SELECT to_regclass('installation') IS NOT NULL AS there");
  if (!found?.there) return 0;
  return Number((await ask(url, 'SELECT count(*) AS n FROM assessments'))[0]?.n);
}

/** Blocks a migration at a certain point until the work is done. */
async function blocked<T>(url: string, block: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`BEGIN; ${block}`);
    return await work(client);
  } finally {
    await client.end();
  }
}

const SESSIONS =
  "SELECT pid FROM pg_stat_activity WHERE application_name = 'gatehouse migrate' AND datname = current_database()";
const WAITING = `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND application_name = 'gatehouse migrate' AND datname = current_database()`;

async function untilWaiting(client: pg.Client, ended: () => boolean): Promise<void> {
  const waiting = async () => {
    // The blocker is in a transaction, which otherwise sees the sessions as they were at its first query.
    await client.query('SELECT pg_stat_clear_snapshot()');
    return (await client.query(WAITING)).rows[0].waiting as number;
  };
  while ((await waiting()) === 0) {
    if (ended()) throw new Error('the migration ended without waiting');
    await sleep(5);
  }
}

/** Kills a migration while it waits. */
async function killAt(url: string, block: string): Promise<void> {
  await blocked(url, block, async (client) => {
    const child = spawn(process.execPath, [BIN, 'migrate', '--to', url], { env: installation.environment });
    const exited = once(child, 'exit');
    try {
      await untilWaiting(client, () => child.exitCode !== null);
    } finally {
      child.kill('SIGKILL');
    }
    await exited;
  });
  // The server notices the kill when its statement no longer waits.
  while ((await ask(url, SESSIONS)).length > 0) await sleep(5);
}

describe('a migration that is killed', () => {
  /** The id of an assessment in the last batch. */
  const LATE = COUNT - 10;
  let url: string;
  let expected: Printed;
  beforeAll(async () => {
    expected = await migrate(installation, await newDatabase());
    expect(expected).toMatchObject({ assessments_added: COUNT, changed_meanwhile: false });
    url = await newMigratedDatabase();
    await ask(
      url,
      `CREATE FUNCTION wait_at() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.seq IN (1, ${LATE}) THEN PERFORM pg_advisory_xact_lock(NEW.seq); END IF; RETURN NEW; END $$;
      CREATE TRIGGER wait_at BEFORE INSERT ON assessments FOR EACH ROW EXECUTE FUNCTION wait_at()`,
    );
  });

  const SHARE = (table: string) => `LOCK TABLE ${table} IN SHARE MODE`;
  const AT = (seq: number) => `SELECT pg_advisory_xact_lock(${seq})`;
  type Point = [point: string, block: string, assessments: 'none' | 'some' | 'all'];
  /** In this order: what one run has migrated, the next one does not touch again. */
  const ALL_POINTS: Point[] = [
    ['before its first table', SHARE('accounts'), 'none'],
    ['between two tables', SHARE('audit'), 'none'],
    ['before its last small table', SHARE('meta'), 'none'],
    ['in its first batch of assessments', AT(1), 'none'],
    ['in its last batch of assessments', AT(LATE), 'some'],
    ['before it compares', 'LOCK TABLE assessments IN SHARE UPDATE EXCLUSIVE MODE', 'all'],
  ];
  const SHORT = ['between two tables', 'in its last batch of assessments', 'before it compares'];
  it.each(IS_LONG ? ALL_POINTS : ALL_POINTS.filter(([point]) => SHORT.includes(point)))(
    '%s leaves a state from which the next run continues',
    { timeout: 180_000 },
    async (point, block, assessments) => {
      await killAt(url, block);
      const count = await stored(url);
      expect({ point, count: count === 0 ? 'none' : count === COUNT ? 'all' : 'some' }).toEqual({
        point,
        count: assessments,
      });
    },
  );

  it('leaves a database that services and commands refuse, with the advice to run the migration again', async () => {
    const environment = { ...installation.environment, DATABASE_URL: url };
    for (const command of [['start'], ['account', 'list']])
      expect(failureOf(await gatehouse(command, environment), 1)).toMatch(
        /^DATABASE_URL: cannot use the database \S+: a migration into it was interrupted, or still runs: .*`gatehouse migrate --to` .*again/,
      );
  });

  it('is correct when it is run again: the same rows, nothing lost or doubled', async () => {
    expect(await migrate(installation, url)).toMatchObject({ assessments_added: 0, tables: expected.tables });
    const environment = { ...installation.environment, DATABASE_URL: url };
    expect(await gatehouse(['account', 'list'], environment)).toMatchObject({ status: 0 });
  });
});

describe('a migration that ended', () => {
  let own: Installation;
  let url: string;
  beforeAll(async () => {
    own = await createInstallation();
    filled = await fill(own, FEW);
    url = await newDatabase();
    await migrate(own, url);
  });
  afterAll(() => own.remove());

  it('only compares when nothing is new: no row is written again', async () => {
    const written = `SELECT sum(xmin::text::bigint) AS n FROM feedback
      UNION ALL SELECT sum(xmin::text::bigint) FROM keys UNION ALL SELECT sum(xmin::text::bigint) FROM audit`;
    const before = await ask(url, written);
    expect(await migrate(own, url)).toMatchObject({ assessments_added: 0, changed_meanwhile: false });
    expect(await ask(url, written)).toEqual(before);
  });

  it('also migrates later changes: assessments, feedback, uses of keys, deletions', async () => {
    const now = Date.now();
    const [first] = filled.assessments;
    await withStored(own, async (store) => {
      const { keys } = await store.changesSince(0);
      const [entry] = await store.listEntries(filled.accountId);
      const [key] = keys;
      await store.record(
        anAssessment({
          accountId: filled.accountId,
          at: now,
          requestId: 'req_01ky0000000000000000000000',
        }),
      );
      await store.saveFeedback({
        requestId: first?.requestId as string,
        outcome: 'false_negative',
        note: 'after all',
        keyId: key?.id as string,
        at: now,
      });
      await store.storeLastUses('keys', new Map([[key?.hash as string, now + 1_000]]));
      await store.removeListEntry(entry?.id as string);
      // The same value again, with another id.
      await store.saveListEntry({ ...(entry as NonNullable<typeof entry>), id: 'lst_again' });
    });
    expect(await migrate(own, url)).toMatchObject({ assessments_added: 1, changed_meanwhile: false });
    expect(await ask(url, "SELECT note FROM feedback WHERE outcome = 'false_negative'")).toEqual([
      { note: 'after all' },
    ]);
    expect(await ask(url, 'SELECT max(last_used_at) AS at FROM keys')).toEqual([{ at: String(now + 1_000) }]);
    const [next] = await ask(
      url,
      'SELECT last_value >= (SELECT max(seq) FROM assessments) AND is_called AS above FROM assessment_seq',
    );
    expect(next).toEqual({ above: true });
  });

  it.each([
    ['assessments (other content)', 'UPDATE assessments SET facts = $$x$$ || facts'],
    ['assessments (other content)', 'UPDATE assessments SET score = score + 1'],
    [`assessments (${FEW} rows instead of ${FEW + 1})`, 'DELETE FROM assessments'],
  ])('reports that a row has changed: %s', async (what, change) => {
    const id = filled.assessments[200]?.requestId;
    const copy = await newDatabase();
    // A separate copy, so that each difference is the only one.
    const client = new pg.Client({ connectionString: await sharedPostgresUrl() });
    await client.connect();
    const [name, from] = [copy, url].map((address) => new URL(address).pathname.slice(1)) as [string, string];
    await client.query(`DROP DATABASE ${name}`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
    await client.end();
    await ask(copy, `${change} WHERE request_id = '${id}'`);
    const { status, stdout, stderr } = await run(own, copy);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n').at(-1)).toBe(
      `gatehouse: the database differs from this installation in ${what}: empty it and run this again`,
    );
  });

  it('is not repeated over changes of the new service', async () => {
    await ask(url, "UPDATE meta SET value = value + 1 WHERE name = 'directory_version'");
    expect(await refused(own, url)).toBe(
      'the database has been used since this installation migrated into it: to migrate again would undo that',
    );
  });
});

describe('an unsuitable database', () => {
  let other: Installation;
  beforeAll(async () => {
    other = await createInstallation();
    await fill(other, 20);
  });
  afterAll(() => other.remove());

  it('contains another installation, which is not changed', async () => {
    const url = await newDatabase();
    await migrate(other, url);
    const accounts = await ask(url, 'SELECT * FROM accounts');
    expect(await refused(installation, url)).toMatch(
      /^the database belongs to another installation: acc_\w+ is unknown here$/,
    );
    expect(await ask(url, 'SELECT * FROM accounts')).toEqual(accounts);
    expect(await stored(url)).toBe(20);
  });

  it('has another secret', async () => {
    const url = await newDatabase();
    await migrate(other, url);
    await ask(url, "UPDATE installation SET value = '\\x00' WHERE name = 'secret'");
    expect(await refused(other, url)).toBe('the database is used with another secret than this installation');
  });

  it('cannot be reached, or does not exist', async () => {
    const nowhere = await refused(other, 'postgres://nobody@127.0.0.1:9/none');
    expect(nowhere).toMatch(/^cannot use the database 127\.0\.0\.1:9\/none: .*ECONNREFUSED/);
    expect(failureOf(await run(other, 'mysql://u:secret@x/y'), 2)).toMatch(
      /must be a URL like postgres:(?!.*secret)/,
    );
    expect(failureOf(await gatehouse(['migrate'], other.environment), 2)).toMatch(/--to/);
  });

  it('is in use by another gatehouse', async () => {
    const url = await newDatabase();
    const node = new pg.Client({ connectionString: url, application_name: 'gatehouse' });
    await node.connect();
    onTestFinished(() => node.end());
    expect(await refused(other, url)).toMatch(/^a Gatehouse runs on this database: stop it/);
    expect(await stored(url)).toBe(0);
  });
});

describe('an installation', () => {
  it('that does not exist is not created', async () => {
    const empty = await createInstallation();
    onTestFinished(empty.remove);
    expect(await refused(empty, await newDatabase())).toMatch(
      /^there is no installation in .+GATEHOUSE_DATA_DIR/,
    );
  });

  it('whose secret is configured stores only a check value of it', async () => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    await fill(own, 10);
    const url = await newDatabase();
    rmSync(secretFile(own));
    expect(await run(own, url, { GATEHOUSE_SECRET: SECRET })).toMatchObject({ status: 0 });
    const checks = await ask(
      url,
      "SELECT name, encode(value, 'hex') AS value FROM installation WHERE name LIKE 'secret%'",
    );
    expect(checks.map(({ name }) => name)).toEqual(['secret_check']);
    expect(checks[0]?.value).not.toBe(SECRET);
  });

  it.each([
    ['given', 'GATEHOUSE_SECRET is not the secret that the database there is used with'],
    ['in the file', 'secret.key in'],
  ])('does not move with another secret, %s, than its own', async (place, words) => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    await fill(own, 10);
    const database = openSqlite(join(own.environment.GATEHOUSE_DATA_DIR as string, 'gatehouse.db'));
    const check = checkOf(Buffer.from(SECRET, 'hex'));
    database.prepare("INSERT OR REPLACE INTO installation VALUES ('secret_check', ?)").run([check]);
    database.close();
    const [url, wrong] = [await newDatabase(), '77'.repeat(32)];
    if (place === 'given') rmSync(secretFile(own));
    else writeFileSync(secretFile(own), wrong);
    expect(await refused(own, url, place === 'given' ? { GATEHOUSE_SECRET: wrong } : {})).toContain(words);
    expect(await stored(url)).toBe(0);
    rmSync(secretFile(own), { force: true });
    expect(await run(own, url, { GATEHOUSE_SECRET: SECRET })).toMatchObject({ status: 0 });
  });

  it('that a service uses is not migrated, and no service starts on it while it is migrated', async () => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    await fill(own, 20);
    const url = await newMigratedDatabase();
    const service = await own.start();
    expect(await refused(own, url)).toMatch(
      /^a service \(process \d+, since .+\) uses the data folder .+: stop it/,
    );
    expect(await stored(url)).toBe(0);
    await service.stop();
    await blocked(url, 'LOCK TABLE audit IN SHARE MODE', async (client) => {
      let ended = false;
      const migrating = migrate(own, url).finally(() => {
        ended = true;
      });
      await untilWaiting(client, () => ended);
      const migration =
        /a migration \(process \d+, since .+\) uses the data folder .+: wait until it has ended/;
      await expect(own.start()).rejects.toThrow(migration);
      const second = await spawnGatehouse(['migrate', '--to', url], own.environment);
      expect(failureOf(second, 1)).toMatch(migration);
      await client.query('ROLLBACK');
      expect(await migrating).toMatchObject({ assessments_added: 20 });
    });
  });

  it('that a command changes meanwhile is migrated without the change, and the migration reports what is missing', async () => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    await fill(own, 20);
    const url = await newMigratedDatabase();
    await blocked(url, 'LOCK TABLE audit IN SHARE MODE', async (client) => {
      let ended = false;
      const migrating = migrate(own, url).finally(() => {
        ended = true;
      });
      await untilWaiting(client, () => ended);
      const entry = { at: 1, by: 'x', accountId: null, action: 'changed_meanwhile', target: '', detail: '' };
      await withStored(own, (store) => store.audit(entry));
      await client.query('ROLLBACK');
      expect(await migrating).toMatchObject({ changed_meanwhile: true });
    });
    const missing = "SELECT count(*)::int AS n FROM audit WHERE action = 'changed_meanwhile'";
    expect(await ask(url, missing)).toEqual([{ n: 0 }]);
    expect(await migrate(own, url)).toMatchObject({ changed_meanwhile: false, assessments_added: 0 });
    expect(await ask(url, missing)).toEqual([{ n: 1 }]);
  });
});
