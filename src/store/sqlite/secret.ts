/** Decides which secret an embedded installation uses: it is in a file beside the database, which only stores a check of it. */
import { NEWEST_SEQ } from '../records/record-source.ts';
import { checkOf, type NewSecret, refuseLoss, type SecretUse } from '../secret-use.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { findSecret, readSecret } from './secret-file.ts';

export interface SecretOptions {
  readonly directory: string;
  /** Secret from the settings; `null`: the file has it. */
  readonly configured: Buffer | null;
  readonly insist: NewSecret | undefined;
  /** Called when a new secret was made beside a database that was used with another one, but has no data made with it. */
  readonly onNew?: (() => void) | undefined;
}

export const READ_SECRET_CHECK = "SELECT value FROM installation WHERE name = 'secret_check'";
const KEEP = `INSERT INTO installation (name, value) VALUES ('secret_check', ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const USE = `SELECT (SELECT count(*) FROM auth_sessions WHERE expiresAt > ?) AS sessions,
  (SELECT count(*) FROM auth_two_factors) AS secondFactors,
  (SELECT count(*) FROM list_entries WHERE kind IN ('address', 'mailbox')) AS addressEntries,
  (SELECT count(*) FROM hooks WHERE secret IS NOT NULL AND revoked_at IS NULL) AS hooks,
  (${NEWEST_SEQ}) AS assessments`;

/** Hash keys were encrypted with the secret that is lost. */
const FORGET_HASH_KEYS = 'DELETE FROM hash_keys';

/** @throws in one line when it is damaged; or when it is missing or another one, and there are data made with it */
export function settleSecret(
  connection: SqliteConnection,
  { directory, configured, insist, onNew }: SecretOptions,
): Buffer {
  const found = findSecret(directory);
  if (found === undefined && configured === null)
    refuseLoss(`secret.key is missing in ${directory}`, useOf(connection), insist);
  const secret = readSecret(directory, configured);
  const known = (connection.prepare(READ_SECRET_CHECK).get() as { value: Uint8Array } | undefined)?.value;
  const check = checkOf(secret);
  if (known !== undefined && check.equals(known)) return secret;
  if (known !== undefined && (found !== undefined || configured !== null)) {
    const what = configured === null ? `secret.key in ${directory}` : 'GATEHOUSE_SECRET';
    refuseLoss(`${what} is not the secret that this database is used with`, useOf(connection), insist);
  } else if (known !== undefined && insist === undefined) onNew?.();
  keepCheck(connection, check);
  return secret;
}

function useOf(connection: SqliteConnection): SecretUse {
  return connection.prepare(USE).get([new Date().toISOString()]) as SecretUse;
}

/** Stores the check; on a full disk, or while somebody else writes, the next start does it. */
function keepCheck(connection: SqliteConnection, check: Buffer): void {
  try {
    connection.exec(FORGET_HASH_KEYS);
    connection.prepare(KEEP).run([check]);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'SQLITE_FULL' && code !== 'SQLITE_BUSY') throw error;
  }
}
