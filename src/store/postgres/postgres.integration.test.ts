import { newDatabase } from '../../../test/support/shared-servers.ts';
import { describeStore } from '../store.suite.ts';
import { openPostgresStore } from './postgres.ts';

describeStore('PostgreSQL', async () => {
  const url = await newDatabase();
  return { open: () => openPostgresStore({ url }), remove: async () => {} };
});
