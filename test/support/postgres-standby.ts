/** A standby of a throw-away PostgreSQL: it replicates, acknowledges each commit, answers read-only queries, and can become the primary. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './expectations.ts';
import {
  type PostgresServer,
  type PostgresServerOptions,
  serverUser,
  startPostgresServer,
} from './postgres-server.ts';

const NAME = 'standby';

/** Stops the primary while its data are copied; from then on it acknowledges no commit that the standby does not have. */
export async function startStandby(
  primary: PostgresServer,
  options: PostgresServerOptions = {},
): Promise<PostgresServer> {
  await primary.stop();
  const prepare = (data: string) => {
    execFileSync('cp', ['-a', primary.data, data]);
    follow(data, primary);
  };
  const standby = await startPostgresServer({ ...options, prepare });
  await primary.start();
  const isFollowing = async () =>
    (await ask<{ state: string }>(primary, 'SELECT state FROM pg_stat_replication'))[0]?.state ===
    'streaming';
  await until(isFollowing);
  await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
  await ask(primary, 'SELECT pg_reload_conf()');
  const isWaitedFor = async () =>
    (await ask<{ sync: string }>(primary, 'SELECT sync_state AS sync FROM pg_stat_replication'))[0]?.sync ===
    'sync';
  await until(isWaitedFor);
  return standby;
}

/** Makes a standby the primary; resolves once it accepts writes. */
export async function promote(standby: PostgresServer): Promise<void> {
  await ask(standby, 'SELECT pg_promote(true)');
}

/** One statement on the server's own database. */
export async function ask<Row extends object>(server: PostgresServer, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

function follow(data: string, primary: PostgresServer): void {
  const { hostname, port, username } = new URL(primary.url);
  const place = `host=${hostname} port=${port} user=${username} application_name=${NAME}`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${place}'\n`);
  const signal = join(data, 'standby.signal');
  writeFileSync(signal, '');
  const as = serverUser();
  if (as !== undefined) chownSync(signal, as.uid, as.gid);
}
