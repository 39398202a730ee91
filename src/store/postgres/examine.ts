/** Checks whether a PostgreSQL database can be used for an installation, without writing to it. */
import { checkOf } from '../secret-use.ts';
import { checkServer } from './check-server.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';
import { newestSchema } from './migrate.ts';
import { unusable } from './unusable.ts';

export interface ExaminedServer {
  readonly version: string;
  readonly bytes: number;
  /** 0: there is no installation. */
  readonly schema: number;
  readonly known: number;
  readonly isStandby: boolean;
  /** Pages that did not fit their checksum; `null`: the server keeps no checksums. */
  readonly badPages: number | null;
  readonly invalidIndexes: readonly string[];
  /** Text of `checkOf`; `null` before a secret was used, or with another schema. */
  readonly secretCheck: Buffer | null;
  /** Whether the secret itself is in the database. */
  readonly keepsSecret: boolean;
  /** Lead of its clock over ours, milliseconds. */
  readonly aheadMs: number;
}

const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
const READ_SERVER = `SELECT current_setting('server_version') AS version, pg_database_size(current_database())::float8 AS bytes,
  pg_is_in_recovery() AS standby, current_setting('data_checksums') = 'on' AS checksums,
  (SELECT coalesce(checksum_failures, 0)::int FROM pg_stat_database WHERE datname = current_database()) AS failures,
  (SELECT coalesce(array_agg(indexrelid::regclass::text), '{}') FROM pg_index WHERE NOT indisvalid) AS indexes,
  to_regclass('gatehouse_migrations') IS NOT NULL AS made`;
const NUMBER = 'SELECT coalesce(max(number), 0) AS schema FROM gatehouse_migrations';
const SECRETS = "SELECT name, value FROM installation WHERE name IN ('secret', 'secret_check')";
const CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at';

interface ServerRow {
  readonly version: string;
  readonly bytes: number;
  readonly standby: boolean;
  readonly checksums: boolean;
  readonly failures: number;
  readonly indexes: readonly string[];
  readonly made: boolean;
}

interface InstalledSecret {
  readonly name: 'secret' | 'secret_check';
  readonly value: Buffer;
}

/** @throws in one line when it cannot be reached or used */
export async function examineServer(url: string): Promise<ExaminedServer> {
  try {
    await checkServer(url);
    const config = { url, connectMs: CONNECT_MS, statementMs: STATEMENT_MS };
    const client = new PostgresConnection(connectionConfig(config));
    await client.connect();
    try {
      const server = (await client.query<ServerRow>(READ_SERVER)).rows[0] as ServerRow;
      const schema = server.made ? ((await client.query(NUMBER)).rows[0].schema as number) : 0;
      const secrets = schema === newestSchema() ? (await client.query<InstalledSecret>(SECRETS)).rows : [];
      const before = Date.now();
      const { at } = (await client.query(CLOCK)).rows[0] as { at: number };
      return {
        version: server.version,
        bytes: server.bytes,
        schema,
        known: newestSchema(),
        isStandby: server.standby,
        badPages: server.checksums ? server.failures : null,
        invalidIndexes: server.indexes,
        ...checkOfSecret(secrets),
        aheadMs: at - (before + Date.now()) / 2,
      };
    } finally {
      await client.end();
    }
  } catch (error) {
    throw unusable(url, error as Error);
  }
}

function checkOfSecret(
  rows: readonly InstalledSecret[],
): Pick<ExaminedServer, 'secretCheck' | 'keepsSecret'> {
  const find = (name: InstalledSecret['name']) => rows.find((row) => row.name === name)?.value;
  const [secret, check] = [find('secret'), find('secret_check')];
  return {
    secretCheck: check ?? (secret === undefined ? null : checkOf(secret)),
    keepsSecret: secret !== undefined,
  };
}
