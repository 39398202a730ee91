/** The database as sign-in wants it: a connection of its own, made when it is first asked for. */
import type { AuthDatabase } from '../../dashboard-store.ts';
import { type Connection, openConnection } from '../connection.ts';

export function createAuthDatabase(file: string) {
  let connection: Connection | undefined;
  return {
    async authDatabase(): Promise<AuthDatabase> {
      // Not at the top: a service that nobody looks at starts without it.
      const { SqliteDialect } = await import('kysely');
      connection ??= openConnection(file);
      return { dialect: new SqliteDialect({ database: connection }), type: 'sqlite' };
    },
    close() {
      if (connection?.open === true) connection.close();
    },
  };
}
