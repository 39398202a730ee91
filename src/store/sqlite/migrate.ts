/** Brings a database file to the newest schema, once, whichever process comes first. */
import { readdirSync, readFileSync } from 'node:fs';
import { NewerSchemaError } from '../newer-schema.ts';
import { inTransaction, type SqliteConnection } from '../sqlite-connection.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** @throws when the file is from a newer version of Gatehouse */
export function migrate(connection: SqliteConnection): void {
  const files = migrations();
  if (schemaVersion(connection) === files.length) return;
  inTransaction(connection, () => {
    const version = schemaVersion(connection);
    if (version > files.length) throw new NewerSchemaError(version, files.length);
    for (const name of files.slice(version)) connection.exec(readFileSync(new URL(name, FOLDER), 'utf8'));
    connection.exec(`PRAGMA user_version = ${files.length}`);
  });
}

/** Check for callers that may not change the file. @throws when the file is from a newer version of Gatehouse */
export function isNewestSchema(connection: SqliteConnection): boolean {
  const [version, known] = [schemaVersion(connection), migrations().length];
  if (version > known) throw new NewerSchemaError(version, known);
  return version === known;
}

/** Schema of the databases that this version writes. */
export function newestSchema(): number {
  return migrations().length;
}

function migrations(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

function schemaVersion(connection: SqliteConnection): number {
  const row = connection.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
