import { inject } from 'vitest';
import { createDatabase } from '../../../test/support/postgres-server.ts';
import { describeStore } from '../store.suite.ts';
import { openPostgresStore } from './postgres.ts';

describeStore('PostgreSQL', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  return { open: () => openPostgresStore({ url }), remove: async () => {} };
});
