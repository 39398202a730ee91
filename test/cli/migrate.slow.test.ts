/** `gatehouse migrate`: an embedded installation has the same content in PostgreSQL as in its folder, however often the migration was interrupted. */
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { STATE_TABLES } from '../../src/store/migrate-copy.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import type { Store } from '../../src/store/store.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { gatehouse, spawnGatehouse } from '../support/command.ts';
import { databaseFile } from '../support/crash-database.ts';
import { type Filled, factsAt, fillStore, ODD } from '../support/fill-store.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { newDatabase } from '../support/shared-servers.ts';
import { withStored } from '../support/stored.ts';

const COUNT = 1_000;
const DAY_MS = 86_400_000;
/** The first is managed by the database itself, from other tables; batches become rows in the table of the history. */
const DERIVED_TABLES = ['knowledge_size', 'assessment_batches'];

let installation: Installation;
let filled: Filled;
beforeAll(async () => {
  const filling = await createInstallation();
  filled = await withStored(filling, (store) => fillStore(store, COUNT, Date.now()));
  installation = await createInstallation();
  // libsql closes a file when its statements are garbage-collected, and then writes the write-ahead log into it: so no process has the copy open.
  for (const suffix of ['', '-wal'])
    cpSync(`${databaseFile(filling)}${suffix}`, `${databaseFile(installation)}${suffix}`);
  await filling.remove();
  writeFileSync(secretFile(), randomBytes(32).toString('hex'));
});
afterAll(() => installation.remove());

interface Printed {
  readonly assessments_added: number;
  readonly changed_meanwhile: boolean;
  readonly tables: readonly { table: string; rows: number; hash: string }[];
}

const secretFile = () => join(installation.environment.GATEHOUSE_DATA_DIR as string, 'secret.key');
async function migrate(url: string): Promise<Printed> {
  // In a separate process, which has closed the folder when it ends.
  const { status, stdout, stderr } = await spawnGatehouse(['migrate', '--to', url], installation.environment);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return JSON.parse(stdout) as Printed;
}

async function ask(url: string, sql: string, ...values: unknown[]): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** All answers of a store. */
async function answersOf(store: Store, { accountId, assessments }: Filled) {
  const reader = { accountId, mode: 'live' } as const;
  const documents: unknown[] = [];
  for (const { requestId } of assessments.filter((_, index) => index % 37 === 0)) {
    documents.push([
      await store.findStored(requestId, reader),
      await store.findFeedback(requestId),
      await store.findAssessment(accountId, requestId),
    ]);
  }
  const month = new Date().toISOString().slice(0, 7);
  const users = await store.users();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const span = { mode: 'live', from: today - 100 * DAY_MS, to: today + DAY_MS } as const;
  return {
    documents,
    used: await store.creditsUsed(accountId, month),
    attempts: (await all(store.liveAttempts(0))).flat(),
    directory: await store.changesSince(0),
    versions: [await store.directoryVersion(), await store.listsVersion()],
    lists: await store.listEntries(accountId),
    changes: await all(store.listChangesSince(0)),
    users,
    memberships: await store.memberships({}),
    invitations: await store.invitations({}),
    policies: await store.policies(accountId),
    audit: [await store.auditEntries(accountId, null, 10), await store.auditEntries(null, null, 10)],
    link: await store.findLink(createHash('sha256').update('reset').digest('hex'), Date.now()),
    knowledge: await store.cache.get('rdap odd'),
    log: await all(store.exportAssessments(accountId, {})),
    mistakes: await store.reportedMistakes(accountId, { mode: 'live', since: 0 }, null, 200),
    days: await store.dayCounts(accountId, span.from, span.to),
    traffic: { ...(await store.traffic(accountId, span)), readAt: 0 },
    labels: await store.labelCounts(accountId, span),
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a migrated installation', () => {
  let url: string;
  let printed: Printed;
  beforeAll(async () => {
    url = await newDatabase();
    const before = fileHash();
    printed = await migrate(url);
    expect(fileHash()).toBe(before);
  });

  const fileHash = () =>
    createHash('sha256')
      .update(readFileSync(databaseFile(installation)))
      .digest('hex');

  it('is complete: every table of the folder’s database is there', async () => {
    const database = openSqlite(databaseFile(installation), { readOnly: true });
    onTestFinished(() => void database.close());
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
      name: string;
    }[];
    // The secret is moved separately, and its check value is created there; free pages of the file are overwritten with zeros; nothing uses "once"; SQLite keeps "sqlite_sequence" by itself.
    const unmoved = ['installation', 'zeros', 'once', 'sqlite_sequence'];
    const moved = tables.map(({ name }) => name).filter((name) => !unmoved.includes(name));
    expect(moved.sort()).toEqual([...STATE_TABLES, ...DERIVED_TABLES].sort());
    expect(printed).toMatchObject({ assessments_added: COUNT, changed_meanwhile: false });
    for (const { table, rows } of printed.tables) {
      const count = (sql: string) => (database.prepare(sql).get() as { n: number }).n;
      const isHistory = table === 'assessments';
      const expected = isHistory ? COUNT : count(`SELECT count(*) AS n FROM ${table}`);
      expect({ table, rows }).toEqual({ table, rows: expected });
      const empty = ['auth_sessions', 'auth_two_factors'].includes(table);
      expect(rows > 0, table).toBe(!empty);
      const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as {
        name: string;
      }[];
      const there = await ask(
        url,
        'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
        table,
      );
      const missing = columns.filter(({ name }) => !there.some((column) => column.name === name));
      expect(missing, table).toEqual([]);
    }
  });

  it('gives the same answers as before', { timeout: 180_000 }, async () => {
    const embedded = await withStored(installation, (store) => answersOf(store, filled));
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    const moved = await answersOf(store, filled);
    for (const name of Object.keys(embedded) as (keyof typeof embedded)[])
      expect(moved[name], name).toEqual(embedded[name]);
    expect(embedded.documents[0]).toMatchObject([{ facts: factsAt(0) }, { note: ODD }, {}]);
    expect(embedded.attempts).toHaveLength((COUNT * 9) / 10);
  });

  it('keeps its secret', async () => {
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    expect((await store.secret(undefined)).toString('hex')).toBe(readFileSync(secretFile(), 'utf8'));
  });
});

describe('a service on the migrated database', () => {
  const IP = '79.192.0.1';
  let scene: Scene;
  let client: Client;
  let answers: Answer<Assessment>[];
  let usage: string;
  beforeAll(async () => {
    scene = await startScene();
    const send = (name: string) => scene.live.assess({ email: colleague(name), ip: IP, session_id: ODD });
    answers = [
      await send('jo'),
      await send('jim'),
      await scene.sandbox.assess({ email: 'block@example.com' }),
    ];
    usage = (await scene.live.usage()).text;
    await scene.service.stop();
    const url = await newDatabase();
    expect(await gatehouse(['migrate', '--to', url], scene.installation.environment)).toMatchObject({
      status: 0,
    });
    const service = await scene.installation.start({ DATABASE_URL: url });
    client = createClient(service.url, scene.account.live);
  });
  afterAll(async () => {
    client?.close();
    await scene?.end();
  });

  it('repeats earlier answers byte for byte, to the same keys', async () => {
    for (const { json, text } of answers) {
      const again = await client.get(json.request_id);
      expect([again.status, again.text]).toEqual([200, text]);
    }
    const sandbox = answers.at(-1) as Answer<Assessment>;
    expect((await client.get(sandbox.json.request_id, scene.account.test)).text).toBe(sandbox.text);
  });

  it('continues the used credits and the velocity counts', async () => {
    expect((await client.usage()).text).toBe(usage);
    const { velocity } = (await client.assess({ email: colleague('jack'), ip: IP })).json.signals;
    expect(velocity).toMatchObject({ ip_signups_1h: 3, ip_signups_24h: 3 });
    expect((await client.usage()).json.assessments_used).toBe(3);
  });

  it('recognizes known addresses, because the secret was migrated too', async () => {
    const again = await client.assess({ email: colleague('jo'), ip: IP });
    expect(again.json.signals.velocity.email_domain_1h).toBe(3);
  });
});
