import type { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../sqlite-driver.ts';
import { createSessionStore } from '../sessions.ts';
import type { SqlStatement, SqlValue } from '../sql-database.ts';
import { createAuthDialect } from './auth-driver.ts';
import { inTransaction, type SqliteConnection } from './connection.ts';
import type { Job, JobDone } from './jobs.ts';
import { migrate } from './migrate.ts';
import { createSignInStore } from './sign-in.ts';
import { createSqlDatabase } from './sql-database.ts';
import { createUnstoredSignIns, type UnstoredSignIns } from './unstored-sign-ins.ts';

const AT = '2026-05-10T10:00:00.000Z';
const NOW = Date.parse(AT);

/** A real database whose commits wait, in order, until the test releases them. */
let database: SqliteConnection;
let waiting: (() => void)[];
let isHeld: boolean;
let failure: Error | undefined;
let faults: string[];
let unstored: UnstoredSignIns;

beforeEach(() => {
  database = openSqlite(':memory:');
  migrate(database);
  for (const user of ['jo', 'al']) addUser(user);
  [waiting, isHeld, failure, faults] = [[], false, undefined, []];
  unstored = createUnstoredSignIns({
    reads: database,
    submit,
    onFault: ({ message }) => faults.push(message),
    everyMs: 1,
  });
});
afterEach(() => {
  database.close();
});

function addUser(id: string): void {
  database
    .prepare(
      'INSERT INTO auth_users (id, name, email, emailVerified, createdAt, updatedAt) VALUES (?, ?, ?, 1, ?, ?)',
    )
    .run([id, id, `${id}@example.com`, AT, AT]);
  database
    .prepare(
      'INSERT INTO auth_credentials (id, accountId, providerId, userId, password, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run([`cred_${id}`, id, 'credential', id, 'old', AT, AT]);
}

function run(sql: string, values: SqlValue[]): number {
  const statement = database.prepare(sql);
  return /\bRETURNING\b/.test(sql) ? statement.all(values).length : statement.run(values).changes;
}

async function submit(job: Job): Promise<JobDone> {
  if (isHeld) await new Promise<void>((go) => waiting.push(go));
  if (failure !== undefined) throw failure;
  let changes = 0;
  const { statements } = job as { statements: SqlStatement[] };
  inTransaction(database, () => {
    for (const { sql, values } of statements) changes = run(sql, values as SqlValue[]);
  });
  return { outcome: 'recorded', used: 0, result: { rows: [], changes } };
}

const release = () => {
  isHeld = false;
  for (const go of waiting.splice(0)) go();
};
/** As the sign-in library writes them, on a full disk. */
const begin = (id: string, userId: string) =>
  unstored.writeInstead({
    sql: 'insert into "auth_sessions" ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId") values (?, ?, ?, ?, ?, ?)',
    values: [id, '9999-12-31T00:00:00.000Z', `token ${id}`, AT, AT, userId],
  });
const SELECT = { sql: 'select * from "auth_sessions"', values: [] };
const kept = () => idsOf(unstored.merge(SELECT, []));
const stored = () => idsOf(database.prepare('SELECT * FROM auth_sessions').all() as { id: string }[]);
const idsOf = (rows: readonly { id?: unknown }[]) => rows.map(({ id }) => id).sort();
const whenWaiting = (jobs: number) => expect.poll(() => waiting.length).toBe(jobs);

describe('sessions that could not be stored', () => {
  it('are stored as soon as possible, without a request', async () => {
    failure = new Error('the disk is full');
    begin('s1', 'jo');
    await expect.poll(() => faults.length).toBe(1);
    expect([kept(), stored()]).toEqual([['s1'], []]);
    failure = undefined;
    await expect.poll(stored).toEqual(['s1']);
    expect(kept()).toEqual([]);
    expect(faults).toEqual(['sessions kept in memory are not stored: the disk is full']);
  });

  it('are stored when the store is closed', async () => {
    unstored = createUnstoredSignIns({ reads: database, submit, onFault: () => {}, everyMs: 60_000 });
    begin('s1', 'jo');
    await unstored.close();
    expect(stored()).toEqual(['s1']);
  });

  it('are kept when they begin or change while others are being stored', async () => {
    isHeld = true;
    for (const id of ['s1', 's2']) begin(id, 'jo');
    await whenWaiting(1);
    begin('s3', 'al');
    const changed = {
      sql: 'update "auth_sessions" set "ipAddress" = ? where "id" = ?',
      values: ['::1', 's2'],
    };
    expect(unstored.write(changed)).toMatchObject({ result: { changes: 1 }, maybeStored: false });
    release();
    await expect.poll(kept).toEqual([]);
    expect(stored()).toEqual(['s1', 's2', 's3']);
    const { ipAddress } = database.prepare("SELECT ipAddress FROM auth_sessions WHERE id = 's2'").get() as {
      ipAddress: string;
    };
    expect(ipAddress).toBe('::1');
  });

  it('do not wait for one whose user is gone', async () => {
    begin('s1', 'nobody');
    begin('s2', 'jo');
    await expect.poll(kept).toEqual([]);
    expect(stored()).toEqual(['s2']);
    expect(faults).toEqual([]);
  });

  it('are also ended in the database if they are signed out while they are being stored', async () => {
    const connection = await createAuthDialect({ reads: database, submit, unstored })
      .createDriver()
      .acquireConnection();
    const signOut = (id: string) => {
      const sql = 'delete from "auth_sessions" where "id" = ?';
      return connection.executeQuery({ sql, parameters: [id] } as unknown as CompiledQuery);
    };
    isHeld = true;
    begin('s1', 'jo');
    await whenWaiting(1);
    begin('s2', 'jo');
    expect(await signOut('s2')).toMatchObject({ numAffectedRows: 1n });
    const signedOut = signOut('s1');
    await whenWaiting(2);
    release();
    expect(await signedOut).toMatchObject({ numAffectedRows: 1n });
    expect([kept(), stored()]).toEqual([[], []]);
  });
});

describe('ending sessions', () => {
  const sessions = () => createSessionStore(createSqlDatabase(database, { submit }), unstored.whileEnding);

  it('ends only the selected sessions of this user', async () => {
    isHeld = true;
    for (const [id, user] of [
      ['s1', 'jo'],
      ['s2', 'jo'],
      ['s3', 'jo'],
      ['s4', 'al'],
    ] as const)
      begin(id, user);
    await whenWaiting(1);
    failure = new Error('the disk is full');
    const done = sessions().endSessions({ userId: 'jo', only: 's1' });
    expect(kept()).toEqual(['s2', 's3', 's4']);
    release();
    await expect(done).rejects.toThrow('full');
    isHeld = true;
    const others = sessions()
      .endSessions({ userId: 'jo', except: 's3' })
      .catch(() => {});
    expect(kept()).toEqual(['s3', 's4']);
    failure = undefined;
    release();
    await others;
    await expect.poll(stored).toEqual(['s3', 's4']);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('by a new password leaves none that was submitted %s', async (_, handedOver) => {
    const signIn = createSignInStore(database, { submit }, unstored);
    await signIn.saveLink({ tokenHash: 'h', purpose: 'reset', userId: 'jo', expiresAt: NOW + 1 });
    isHeld = true;
    begin('s1', 'jo');
    begin('s2', 'al');
    if (handedOver) await whenWaiting(1);
    const reset = signIn.resetPassword('new', 'h', NOW);
    await whenWaiting(handedOver ? 2 : 1);
    // It began with the old password, and arrives late.
    begin('s3', 'jo');
    // Enough time to submit it, which must not happen now.
    await new Promise((resolve) => setTimeout(resolve, 30));
    release();
    expect(await reset).toBe(true);
    await expect.poll(kept).toEqual([]);
    await expect.poll(stored).toEqual(['s2']);
  });
});
