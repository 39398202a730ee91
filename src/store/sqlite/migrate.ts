/** Brings a database file to the newest schema, once, whichever process comes first. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Connection, inTransaction } from './connection.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** @throws when the file is from a newer version of Gatehouse */
export function migrate(connection: Connection): void {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  if (schemaVersion(connection) === files.length) return;
  inTransaction(connection, () => {
    const version = schemaVersion(connection);
    if (version > files.length) {
      throw new Error(
        `the database has schema ${version}, newer than this Gatehouse knows (${files.length})`,
      );
    }
    for (const name of files.slice(version)) connection.exec(readFileSync(new URL(name, FOLDER), 'utf8'));
    connection.exec(`PRAGMA user_version = ${files.length}`);
  });
}

function schemaVersion(connection: Connection): number {
  const row = connection.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
