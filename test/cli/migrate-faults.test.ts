/** What may come between a move: a kill, a database that is not fit, a service that runs, rows that are not what they were. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkOf } from '../../src/store/secret-use.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { failureOf, gatehouse, ROOT } from '../support/command.ts';
import { type Filled, fillStore } from '../support/fill-store.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';
import { newDatabase, sharedPostgresUrl } from '../support/shared-servers.ts';
import { withStored } from '../support/stored.ts';

const COUNT = 12_000;
const BIN = join(ROOT, 'bin/gatehouse.js');
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

/** How many assessments are there, and in how many copies of one the most. */
async function stored(url: string): Promise<number> {
  const [found] = await ask(url, "SELECT to_regclass('installation') IS NOT NULL AS there");
  if (!found?.there) return 0;
  return Number((await ask(url, 'SELECT count(*) AS n FROM assessments'))[0]?.n);
}

describe('a move that is killed', () => {
  it('goes on where it was: nothing is lost, nothing is there twice', { timeout: 120_000 }, async () => {
    const whole = await newDatabase();
    const expected = await migrate(installation, whole);
    expect(expected).toMatchObject({ assessments_added: COUNT, changed_meanwhile: false });

    const url = await newDatabase();
    const seen = [0];
    while (seen.length < 4) {
      const child = spawn(process.execPath, [BIN, 'migrate', '--to', url], { env: installation.environment });
      const ended = once(child, 'exit');
      const least = seen.at(-1) as number;
      while ((await stored(url)) <= least && child.exitCode === null) await sleep(5);
      child.kill('SIGKILL');
      await ended;
      seen.push(await stored(url));
    }
    expect(seen[1]).toBeGreaterThan(0);
    expect(seen[1]).toBeLessThan(COUNT);
    const rest = await migrate(installation, url);
    expect(rest.assessments_added).toBe(COUNT - (seen.at(-1) as number));
    expect(rest.tables).toEqual(expected.tables);
  });
});

describe('a move that was finished', () => {
  let own: Installation;
  let url: string;
  beforeAll(async () => {
    own = await createInstallation();
    filled = await fill(own, 3_000);
    url = await newDatabase();
    await migrate(own, url);
  });
  afterAll(() => own.remove());

  it('only compares, when nothing is new: no row is written again', async () => {
    const written = `SELECT sum(xmin::text::bigint) AS n FROM feedback
      UNION ALL SELECT sum(xmin::text::bigint) FROM keys UNION ALL SELECT sum(xmin::text::bigint) FROM audit`;
    const before = await ask(url, written);
    expect(await migrate(own, url)).toMatchObject({ assessments_added: 0, changed_meanwhile: false });
    expect(await ask(url, written)).toEqual(before);
  });

  it('brings over what came since: assessments, feedback, uses of keys, what was removed', async () => {
    const now = Date.now();
    const [first] = filled.assessments;
    await withStored(own, async (store) => {
      const { keys } = await store.changesSince(0);
      const [entry] = await store.listEntries(filled.accountId);
      const key = keys[0]?.id as string;
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
        keyId: key,
        at: now,
      });
      await store.touchKeys(new Map([[key, now + 1_000]]));
      await store.removeListEntry(entry?.id as string);
      // The same value again, under another id.
      await store.saveListEntry({ ...(entry as NonNullable<typeof entry>), id: 'lst_again' });
    });
    expect(await migrate(own, url)).toMatchObject({ assessments_added: 1, changed_meanwhile: false });
    expect(await ask(url, "SELECT note FROM feedback WHERE outcome = 'false_negative'")).toEqual([
      { note: 'after all' },
    ]);
    expect(await ask(url, 'SELECT max(last_used_at) AS at FROM keys')).toEqual([{ at: String(now + 1_000) }]);
    const [next] = await ask(
      url,
      "SELECT nextval('assessment_seq') > (SELECT max(seq) FROM assessments) AS above",
    );
    expect(next).toEqual({ above: true });
  });

  it.each([
    ['assessment_documents (other content)', 'UPDATE assessment_documents SET body = $$x$$ || body'],
    ['assessments (other content)', 'UPDATE assessments SET score = score + 1'],
    ['assessments (3000 rows instead of 3001)', 'DELETE FROM assessments'],
  ])('tells that a row is no longer what it was: %s', async (what, change) => {
    const id = filled.assessments[700]?.requestId;
    const copy = await newDatabase();
    // Of its own, so that each is the only thing wrong.
    const client = new pg.Client({ connectionString: await sharedPostgresUrl() });
    await client.connect();
    const [name, from] = [copy, url].map((one) => new URL(one).pathname.slice(1)) as [string, string];
    await client.query(`DROP DATABASE ${name}`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
    await client.end();
    await ask(copy, `${change} WHERE request_id = '${id}'`);
    const { status, stdout, stderr } = await run(own, copy);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n').at(-1)).toBe(
      `gatehouse: the database does not hold what this installation holds: ${what}`,
    );
  });

  it('is not done again over what the new service has done', async () => {
    await ask(url, "UPDATE meta SET value = value + 1 WHERE name = 'directory_version'");
    expect(await refused(own, url)).toBe(
      'the database has been in use since this installation was moved there: moving again would undo that',
    );
  });
});

describe('a database that is not fit', () => {
  let other: Installation;
  beforeAll(async () => {
    other = await createInstallation();
    await fill(other, 20);
  });
  afterAll(() => other.remove());

  it('holds another installation: nothing of it is changed', async () => {
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

  it('cannot be reached, or is none', async () => {
    const nowhere = await refused(other, 'postgres://nobody@127.0.0.1:9/none');
    expect(nowhere).toMatch(/^cannot use the database 127\.0\.0\.1:9\/none: .*ECONNREFUSED/);
    expect(failureOf(await run(other, 'mysql://u:secret@x/y'), 2)).toMatch(
      /must be a URL like postgres:(?!.*secret)/,
    );
    expect(failureOf(await gatehouse(['migrate'], other.environment), 2)).toMatch(/--to/);
  });

  it('is used by another gatehouse at this moment', async () => {
    const url = await newDatabase();
    const node = new pg.Client({ connectionString: url, application_name: 'gatehouse' });
    await node.connect();
    onTestFinished(() => node.end());
    expect(await refused(other, url)).toMatch(/^a Gatehouse runs on this database: stop it/);
    expect(await stored(url)).toBe(0);
  });
});

describe('an installation', () => {
  it('that is none is not made one', async () => {
    const empty = await createInstallation();
    onTestFinished(empty.remove);
    expect(await refused(empty, await newDatabase())).toMatch(
      /^there is no installation in .+GATEHOUSE_DATA_DIR/,
    );
  });

  it('whose secret is given leaves only what tells it from others', async () => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    await fill(own, 10);
    const url = await newDatabase();
    rmSync(secretFile(own));
    expect(await run(own, url, { GATEHOUSE_SECRET: SECRET })).toMatchObject({ status: 0 });
    const kept = await ask(
      url,
      "SELECT name, encode(value, 'hex') AS value FROM installation WHERE name LIKE 'secret%'",
    );
    expect(kept.map(({ name }) => name)).toEqual(['secret_check']);
    expect(kept[0]?.value).not.toBe(SECRET);
  });

  it.each([
    ['given', 'GATEHOUSE_SECRET is not the secret that the database there is used with'],
    ['in the file', 'secret.key in'],
  ])('does not move with another secret, %s, than its own', async (place, words) => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    await fill(own, 10);
    const database = new Database(join(own.environment.GATEHOUSE_DATA_DIR as string, 'gatehouse.db'));
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

  it('that is being used moves all the same, and says that something is left to be moved', async () => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    const { accountId } = await fill(own, 3_000);
    const url = await newDatabase();
    let moving = true;
    let recorded = 0;
    const using = withStored(own, async (store) => {
      while (moving) {
        const id = String(recorded).padStart(8, '0');
        await store.record(
          anAssessment({ accountId, at: Date.now(), requestId: `req_01ky000000000000000${id.slice(-7)}` }),
        );
        recorded += 1;
        await sleep(2);
      }
    });
    const first = await migrate(own, url).finally(() => {
      moving = false;
    });
    await using;
    expect(first.changed_meanwhile).toBe(true);
    const rest = await migrate(own, url);
    expect(rest.changed_meanwhile).toBe(false);
    expect(first.assessments_added + rest.assessments_added).toBe(3_000 + recorded);
  });
});
